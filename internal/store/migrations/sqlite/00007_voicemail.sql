-- app_voicemail, app_minivm, external MWI. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS voicemail (
  "uniqueid" INTEGER PRIMARY KEY AUTOINCREMENT, "context" VARCHAR(80) NOT NULL, "mailbox" VARCHAR(80) NOT NULL,
  "password" VARCHAR(80) NOT NULL, "fullname" VARCHAR(80), "alias" VARCHAR(80), "email" VARCHAR(80), "pager"
  VARCHAR(80), "attach" VARCHAR(5), "attachfmt" VARCHAR(10), "serveremail" VARCHAR(80), "language" VARCHAR(20), "tz"
  VARCHAR(30), "deletevoicemail" VARCHAR(5), "saycid" VARCHAR(5), "sendvoicemail" VARCHAR(5), "review" VARCHAR(5),
  "tempgreetwarn" VARCHAR(5), "operator" VARCHAR(5), "envelope" VARCHAR(5), "sayduration" INTEGER, "forcename"
  VARCHAR(5), "forcegreetings" VARCHAR(5), "callback" VARCHAR(80), "dialout" VARCHAR(80), "exitcontext" VARCHAR(80),
  "maxmsg" INTEGER, "volgain" FLOAT, "imapuser" VARCHAR(80), "imappassword" VARCHAR(80), "imapserver" VARCHAR(80),
  "imapport" VARCHAR(8), "imapflags" VARCHAR(80), "stamp" DATETIME
);
CREATE INDEX IF NOT EXISTS asterism_voicemail_mailbox_context ON voicemail ("mailbox", "context");
CREATE INDEX IF NOT EXISTS asterism_voicemail_imapuser ON voicemail ("imapuser");
CREATE TABLE IF NOT EXISTS voicemail_data (
  "filename" VARCHAR(255) NOT NULL, "origmailbox" VARCHAR(255), "context" VARCHAR(255), "exten" VARCHAR(255),
  "priority" VARCHAR(255), "callerchan" VARCHAR(255), "callerid" VARCHAR(255), "origdate" VARCHAR(255), "origtime"
  INTEGER, "category" VARCHAR(255), "duration" INTEGER, PRIMARY KEY ("filename")
);
CREATE TABLE IF NOT EXISTS minivm (
  "username" VARCHAR(255) NOT NULL, "domain" VARCHAR(255) NOT NULL, PRIMARY KEY ("username", "domain")
);
CREATE TABLE IF NOT EXISTS mailboxes (
  "id" VARCHAR(255) NOT NULL, "msgs_new" INTEGER, "msgs_old" INTEGER, PRIMARY KEY ("id")
);
