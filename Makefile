# What each target is for: CONTRIBUTING.md. `make test` is all that a newcomer needs.
GO ?= go
TOOL = $(GO) tool -modfile=tools/go.mod
PACKAGES = ./...
# The race detector is for our code: SQLite's, translated from C, would take ten times as long under it.
RACE = -race '-gcflags=modernc.org/...=-race=false'
FUZZTIME ?= 10m
ROUNDS ?= 50

.PHONY: build setup test check fuzz bench bench-asterisk soak soak-module size

build: ## the binary, ./asterism, static
	CGO_ENABLED=0 $(GO) build -o asterism ./cmd/asterism

setup: ## what the tests need beyond Go, from Debian's packages (as root)
	test/setup.sh

test: setup ## everything that must hold, on real programs
	$(GO) vet $(PACKAGES)
	$(GO) test $(RACE) -timeout 40m $(PACKAGES)

check: ## before a commit: format, vet, lint, known vulnerabilities, tests; says what it skipped
	@test -z "$$($(TOOL) gofumpt -l cmd examples internal test)" || { $(TOOL) gofumpt -l cmd examples internal test; echo "not formatted: go tool -modfile=tools/go.mod gofumpt -w ."; exit 1; }
	$(GO) vet $(PACKAGES)
	$(TOOL) staticcheck $(PACKAGES)
	$(GO) fix -diff $(PACKAGES)
	test/vuln.sh
	test/check.sh

fuzz: ## each fuzz target for FUZZTIME
	test/fuzz.sh $(FUZZTIME)

bench: ## the figures of docs/bench.md beside nginx and gSOAP, 15 minutes; BENCH=quick shows only that all works
	test/peers/setup.sh
	$(GO) run ./test/peers $(if $(filter quick,$(BENCH)),-quick)

bench-asterisk: ## what Asterisk costs on files, PostgreSQL and Asterism, docs/bench-asterisk.md, 40 minutes; BENCH=quick as above
	test/drivers/setup.sh
	$(GO) run ./test/drivers $(if $(filter quick,$(BENCH)),-quick)

soak: build ## kill -9 and restart, ROUNDS times each
	ASTERISM_ROUNDS=$(ROUNDS) $(GO) test -v -count=1 -timeout 80m -run 'Kill|Restart|Bulk|Million' ./test/...

soak-module: ## the native module: 1,000 changes, kills for a minute, 5,000 REGISTERs and 100 kills under AddressSanitizer; 4 minutes
	ASTERISM_SOAK=1 $(GO) test -v -count=1 -timeout 40m ./test/module

size: ## a million subscribers: start, memory, changes, registrations beside lookups, restart; 8 minutes
	CGO_ENABLED=0 ASTERISM_ROUNDS=1 $(GO) test -v -count=1 -timeout 30m -run Size ./test
