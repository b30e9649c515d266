package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/store"
)

// headerTimeout is how long a node may take to begin its answer.
const headerTimeout = 10 * time.Second

// remote asks a node's Asterisk-facing door over the curl wire, as Asterisk
// would. It knows the families of Asterisk's own schema only.
type remote struct{ base string }

// addServer gives a command the flag --server.
func addServer(cmd *cobra.Command) *remote {
	r := &remote{}
	cmd.Flags().StringVar(&r.base, "server", "", "ask the node at `URL` (like http://127.0.0.1:8640) instead of the store")
	return r
}

// asked tells whether --server was given.
func (r *remote) asked() bool { return r.base != "" }

// single gives the row of a key.
func (r *remote) single(ctx context.Context, name, typedKey string) ([]store.Text, error) {
	f, err := control.FindFamily(family.Standard().All(), name)
	if err != nil {
		return nil, err
	}
	key, err := f.TypedKey(typedKey)
	if err != nil {
		return nil, &failure.Error{Kind: failure.Invalid, Field: "key", Message: err.Error()}
	}
	conditions := make([]store.Text, len(key))
	for i, column := range f.Key {
		conditions[i] = store.Text{Column: column, Text: key[i]}
	}
	body, err := r.post(ctx, f, "single", conditions)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	answer, err := io.ReadAll(io.LimitReader(body, maxRow))
	if err != nil {
		return nil, r.failed(err)
	}
	if len(answer) == 0 {
		return nil, &failure.Error{Kind: failure.Absent, Field: "key", Message: fmt.Sprintf("no row %s in %s", typedKey, f.Name)}
	}
	return parseRow(f, string(answer))
}

// multi yields the rows that satisfy the conditions, all rows without any.
func (r *remote) multi(ctx context.Context, name string, conditions []store.Text, limit int, yield func([]store.Text) error) error {
	f, err := control.FindFamily(family.Standard().All(), name)
	if err != nil {
		return err
	}
	if len(conditions) == 0 && len(f.Key) > 0 {
		conditions = []store.Text{{Column: f.Key[len(f.Key)-1] + " LIKE", Text: "%"}}
	}
	body, err := r.post(ctx, f, "multi", conditions)
	if err != nil {
		return err
	}
	defer body.Close()
	return r.rows(f, body, limit, yield)
}

// lookup gives a number's codecs.
func (r *remote) lookup(ctx context.Context, tenant, digits string) (string, error) {
	query := "number=" + escaped(digits)
	if tenant != "" {
		query += "&tenant=" + escaped(tenant)
	}
	body, err := r.ask(ctx, http.MethodGet, "/lookup?"+query, "")
	if err != nil {
		return "", err
	}
	defer body.Close()
	codecs, err := io.ReadAll(io.LimitReader(body, maxRow))
	if err != nil {
		return "", r.failed(err)
	}
	if len(codecs) == 0 {
		return "", &failure.Error{Kind: failure.Absent, Field: "number", Message: fmt.Sprintf("no codecs are known of number %s", digits)}
	}
	return string(codecs), nil
}

// post asks a family with conditions, whose texts are as SQL holds them: the
// wire compares several values of a column as one text.
func (r *remote) post(ctx context.Context, f *family.Family, verb string, conditions []store.Text) (io.ReadCloser, error) {
	pairs := make([]string, len(conditions))
	for i, c := range conditions {
		pairs[i] = escaped(c.Column) + "=" + escaped(strings.Join(f.FromSQL(c.Column, c.Text), ";"))
	}
	return r.ask(ctx, http.MethodPost, "/rt/"+url.PathEscape(f.Name)+"/"+verb, strings.Join(pairs, "&"))
}

func escaped(text string) string { return string(directory.AppendEscaped(nil, text)) }

// ask sends one request and gives the body of a good answer.
func (r *remote) ask(ctx context.Context, method, path, form string) (io.ReadCloser, error) {
	base, err := url.Parse(r.base)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, &failure.Error{Kind: failure.Invalid, Field: "server", Message: fmt.Sprintf("--server %q is no address of a node", r.name()), Hint: "write it like http://127.0.0.1:8640"}
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(r.base, "/")+path, strings.NewReader(form))
	if err != nil {
		return nil, r.failed(err)
	}
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: headerTimeout, DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, r.failed(err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, r.refused(response)
	}
	return response.Body, nil
}

func (r *remote) failed(err error) error {
	return &failure.Error{Kind: failure.Unavailable, Message: "ask the node at " + r.name(), Cause: err}
}

// name is the node's address as it may be shown: it may hold a password.
func (r *remote) name() string {
	base, err := url.Parse(r.base)
	switch {
	case err == nil && base.User != nil:
		return base.Redacted()
	case strings.Contains(r.base, "@"):
		return "[secret]"
	}
	return r.base
}

func (r *remote) refused(response *http.Response) error {
	_ = response.Body.Close() // its text says nothing: see the wire's description
	hint := "its log says why"
	switch response.StatusCode {
	case http.StatusNotFound:
		hint = "--server takes a node's Asterisk-facing address, and the family must be one that it serves"
	case http.StatusUnauthorized:
		hint = "log in with --server https://USER:PASSWORD@HOST:PORT, as a [clients] section of its config names them"
	case http.StatusForbidden:
		hint = "its config says who may ask: [asterisk] allow and [clients]"
	}
	return &failure.Error{Kind: failure.Unavailable, Message: "the node at " + r.name() + " answers " + response.Status, Hint: hint}
}
