package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
)

var instanceElement = regexp.MustCompile(`<instance>([^<]*)<`)

// peers compares Asterism with nginx and gSOAP.
func (l *lab) peers(ctx context.Context) (string, error) {
	if err := l.prepare(ctx); err != nil {
		return "", err
	}
	contenders, err := l.contenders(ctx)
	if err != nil {
		return "", err
	}
	if err := l.compare(ctx, contenders, l.plan.connections); err != nil {
		return "", err
	}
	for _, c := range contenders {
		for _, f := range c.runs {
			l.others = append(l.others, f.Others)
		}
	}
	l.chart = drawChart(contenders)
	return peerTable(contenders) + "\n" + verdicts(contenders), nil
}

// contenders starts everybody. What nginx answers is what Asterism answered.
func (l *lab) contenders(ctx context.Context) ([]*contender, error) {
	ours, err := l.node(ctx, l.plan.peerNumbers)
	if err != nil {
		return nil, err
	}
	soap, curl := soapWire(), curlWire()
	soapAnswer, err := soap.ask(ours.address, firstNumber)
	if err != nil {
		return nil, err
	}
	curlAnswer, err := curl.ask(ours.address, firstNumber)
	if err != nil {
		return nil, err
	}
	nginx, err := startNginx(ctx, filepath.Join(l.folder, "nginx"), []constant{
		{soap.path, soap.contentType, soapAnswer}, {curl.path, "text/plain", curlAnswer},
	})
	l.keep(nginx)
	if err != nil {
		return nil, err
	}
	gsoap, err := l.gsoap(ctx, ours.address, soapAnswer)
	l.keep(gsoap)
	if err != nil {
		return nil, err
	}
	numbers := l.plan.peerNumbers
	return []*contender{
		{name: nginxSOAP, peer: nginx, wire: soap, numbers: numbers, codecs: constantCodecs},
		{name: gsoapSOAP, peer: gsoap, wire: soap, numbers: numbers, codecs: constantCodecs},
		{name: oursSOAP, peer: ours.server, wire: soap, numbers: numbers, codecs: codecsOf},
		{name: nginxCurl, peer: nginx, wire: curl, numbers: numbers, codecs: constantCodecs},
		{name: oursCurl, peer: ours.server, wire: curl, numbers: numbers, codecs: codecsOf},
	}, nil
}

// The names of the lines.
const (
	nginxSOAP = "nginx, a constant, SOAP"
	gsoapSOAP = "gSOAP server in C, 16 threads, a constant, SOAP"
	oursSOAP  = "Asterism, SOAP"
	nginxCurl = "nginx, a constant, curl wire"
	oursCurl  = "Asterism, curl wire"
)

// gsoap builds the server from the WSDL that a node serves and starts it.
func (l *lab) gsoap(ctx context.Context, from, answer string) (*server, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+from+"/soap?wsdl", http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask for the WSDL: %w", err)
	}
	defer response.Body.Close()
	wsdl, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("ask for the WSDL: %w", err)
	}
	instance := instanceElement.FindStringSubmatch(answer)
	if instance == nil {
		return nil, fmt.Errorf("no instance in the answer %.400s", answer)
	}
	binary, err := buildGSOAP(ctx, filepath.Join(l.folder, "gsoap"), string(wsdl))
	if err != nil {
		return nil, err
	}
	return startGSOAP(ctx, binary, instance[1])
}
