package http1

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"testing"
	"time"
)

// selfSigned is a certificate that only this test believes.
func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"dir"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestAGoodbyeThatIsNotReadYetIsSeen: it came after the request, so it waits in
// the socket while the answer is being made.
func TestAGoodbyeThatIsNotReadYetIsSeen(t *testing.T) {
	listener := listen(t)
	defer listener.Close()
	agreed := make(chan *stream, 1)
	go func() {
		accepted, err := listener.Accept()
		if err != nil {
			close(agreed)
			return
		}
		c := &stream{conn: tls.Server(accepted, &tls.Config{Certificates: []tls.Certificate{selfSigned(t)}})}
		if err := c.conn.HandshakeContext(t.Context()); err != nil {
			t.Error(err)
		}
		agreed <- c
	}()
	client, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	c := <-agreed
	defer c.conn.Close()
	for _, text := range []string{"x", "more"} {
		if _, err := io.WriteString(client, text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if c.hungUp() {
		t.Error("a client that stays seems to have hung up")
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); !c.hungUp(); {
		if time.Now().After(deadline) {
			t.Fatal("the goodbye behind what is unread is not seen")
		}
	}
}
