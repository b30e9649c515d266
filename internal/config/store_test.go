package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestStoreHidesPasswords(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		if got := (Store{URL: input}).String(); got != want {
			t.Errorf("%s\n got %s\nwant %s", input, got, want)
		}
	}
	f("sqlite:/var/lib/asterism/a:b@c.db", "sqlite:/var/lib/asterism/a:b@c.db")
	f("postgres://db:5432/asterism", "postgres://db:5432/asterism")
	f("postgres://user@db:5432/asterism", "postgres://user@db:5432/asterism")
	f("postgres://user:word@db:5432/asterism", "postgres://user:[secret]@db:5432/asterism")
	f("postgres://user:word@db1:5432,db2:5432/a?sslmode=require", "postgres://user:[secret]@db1:5432,db2:5432/a?sslmode=require")
	f("mysql://user:w@r/d?:@db/asterism", "mysql://user:[secret]@db/asterism")
	f("postgres://db/a?user=u&password=word&sslmode=off", "postgres://db/a?user=u&password=[secret]&sslmode=off")
	f("postgres://db/a?ssl%50assword=word&oauth_client_secret=word", "postgres://db/a?ssl%50assword=[secret]&oauth_client_secret=[secret]")
	f("postgres://db/a?pass%zz=word", "postgres://db/a?pass%zz=[secret]")
	f("postgres:/user:word@db/a", "postgres:[secret]@db/a")
	f("user:word@db/a", "user:[secret]@db/a")
	f("", "")
}

func TestNoFormatOfAConfigShowsThePassword(t *testing.T) {
	config := parsed(t, `store.url = "mysql://user:word@db/a"`)
	encoded, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	printed := fmt.Sprintf("%v %+v %#v %s %s", config, config, config, config.Store, encoded)
	if strings.Contains(printed, "word@") || strings.Count(printed, secret) != 5 {
		t.Error(printed)
	}
}

func TestNoFaultShowsThePassword(t *testing.T) {
	f := func(input string) {
		t.Helper()
		_, err := Parse("f", []byte(input))
		if err == nil || strings.Contains(err.Error(), "word") {
			t.Errorf("%s\n got %v", input, err)
		}
	}
	f(`store.url = "postgre://user:word@db/a"`)
	f(`store.url = "word@db/a"`)
	f(`store.url = "host=db user=u keyword=word"`)
	f(`store.url = ["postgres://user:word@db/a"]`)
	f(`store.ulr = "postgres://user:word@db/a"`)
	f(`store.url = postgres://user:word@db/a`)
	f(`asterisk.public_url = "http://user:word@h/"`)
	f(`node.state = "postgres://user:word@db/a"`)
}
