# SPDX-License-Identifier: GPL-2.0-or-later
# The stubs that gSOAP makes from a WSDL, for this module and for examples/gsoap:
# $(BUILD)/soapH.h, soapC.o and soapClient.o.
WSDL2H ?= wsdl2h
SOAPCPP2 ?= soapcpp2

# The stubs are not ours, so warnings about them help nobody.
$(BUILD)/soap%.o: $(BUILD)/soapH.h
	$(CC) -std=gnu11 -w $(STUBFLAGS) $(CFLAGS) -c -o $@ $(BUILD)/soap$*.c

$(BUILD)/soapH.h: $(BUILD)/service.h
	$(SOAPCPP2) -c -C -L -x -d $(BUILD) $<

$(BUILD)/service.h: $(wildcard $(WSDL))
	mkdir -p $(BUILD)
	$(WSDL2H) -c -o $@ '$(WSDL)'
