-- chan_iax2. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS iaxfriends (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" VARCHAR(40) NOT NULL, "type" VARCHAR(40), "username" VARCHAR(40),
  "mailbox" VARCHAR(40), "secret" VARCHAR(40), "dbsecret" VARCHAR(40), "context" VARCHAR(40), "regcontext"
  VARCHAR(40), "host" VARCHAR(40), "ipaddr" VARCHAR(40), "port" INTEGER, "defaultip" VARCHAR(20), "sourceaddress"
  VARCHAR(20), "mask" VARCHAR(20), "regexten" VARCHAR(40), "regseconds" INTEGER, "accountcode" VARCHAR(80),
  "mohinterpret" VARCHAR(20), "mohsuggest" VARCHAR(20), "inkeys" VARCHAR(40), "outkeys" VARCHAR(40), "language"
  VARCHAR(10), "callerid" VARCHAR(100), "cid_number" VARCHAR(40), "sendani" VARCHAR(5), "fullname" VARCHAR(40),
  "trunk" VARCHAR(5), "auth" VARCHAR(20), "maxauthreq" INTEGER, "requirecalltoken" VARCHAR(40), "encryption"
  VARCHAR(40), "transfer" VARCHAR(40), "jitterbuffer" VARCHAR(5), "forcejitterbuffer" VARCHAR(5), "disallow"
  VARCHAR(200), "allow" VARCHAR(200), "codecpriority" VARCHAR(40), "qualify" VARCHAR(10), "qualifysmoothing"
  VARCHAR(5), "qualifyfreqok" VARCHAR(10), "qualifyfreqnotok" VARCHAR(10), "timezone" VARCHAR(20), "adsi"
  VARCHAR(5), "amaflags" VARCHAR(20), "setvar" VARCHAR(200), UNIQUE ("name")
);
CREATE INDEX IF NOT EXISTS asterism_iaxfriends_ipaddr_port ON iaxfriends ("ipaddr", "port");
