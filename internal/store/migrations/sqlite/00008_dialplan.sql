-- Dialplan, music on hold, conferences, follow me, ACLs, static files, call records. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS extensions (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "context" VARCHAR(40) NOT NULL, "exten" VARCHAR(40) NOT NULL, "priority"
  INTEGER NOT NULL, "app" VARCHAR(40) NOT NULL, "appdata" VARCHAR(256) NOT NULL, UNIQUE ("context", "exten",
  "priority")
);
CREATE TABLE IF NOT EXISTS musiconhold (
  "name" VARCHAR(80) NOT NULL, "mode" VARCHAR(40), "directory" VARCHAR(255), "application" VARCHAR(255), "digit"
  VARCHAR(1), "sort" VARCHAR(10), "format" VARCHAR(10), "stamp" DATETIME, "loop_last" VARCHAR(5), PRIMARY KEY
  ("name")
);
CREATE TABLE IF NOT EXISTS musiconhold_entry (
  "name" VARCHAR(80) NOT NULL, "position" INTEGER NOT NULL, "entry" VARCHAR(1024) NOT NULL, PRIMARY KEY ("name",
  "position"), FOREIGN KEY ("name") REFERENCES musiconhold ("name")
);
CREATE TABLE IF NOT EXISTS meetme (
  "bookid" INTEGER PRIMARY KEY AUTOINCREMENT, "confno" VARCHAR(80) NOT NULL, "starttime" DATETIME, "endtime"
  DATETIME, "pin" VARCHAR(20), "adminpin" VARCHAR(20), "opts" VARCHAR(20), "adminopts" VARCHAR(20),
  "recordingfilename" VARCHAR(80), "recordingformat" VARCHAR(10), "maxusers" INTEGER, "members" INTEGER NOT NULL
  DEFAULT 0
);
CREATE INDEX IF NOT EXISTS asterism_meetme_confno_starttime ON meetme ("confno", "starttime");
CREATE TABLE IF NOT EXISTS followme (
  "name" VARCHAR(128) NOT NULL, "active" VARCHAR(255), "musicclass" VARCHAR(255), "musiconhold" VARCHAR(255),
  "music" VARCHAR(255), "context" VARCHAR(255), "takecall" VARCHAR(255), "declinecall" VARCHAR(255),
  "enable_callee_prompt" VARCHAR(255), "call_from_prompt" VARCHAR(255), "norecording_prompt" VARCHAR(255),
  "options_prompt" VARCHAR(255), "pls_hold_prompt" VARCHAR(255), "status_prompt" VARCHAR(255), "sorry_prompt"
  VARCHAR(255), "connecting_prompt" VARCHAR(255), PRIMARY KEY ("name")
);
CREATE TABLE IF NOT EXISTS followme_numbers (
  "name" VARCHAR(255) NOT NULL, "ordinal" INTEGER NOT NULL, "phonenumber" VARCHAR(255), "timeout" INTEGER, PRIMARY
  KEY ("name", "ordinal")
);
CREATE TABLE IF NOT EXISTS acls (
  "name" VARCHAR(255) NOT NULL, "rule_order" INTEGER NOT NULL, "sense" VARCHAR(255), "rule" VARCHAR(255),
  "systemname" VARCHAR(255), PRIMARY KEY ("name", "rule_order")
);
CREATE TABLE IF NOT EXISTS ast_config (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "cat_metric" INTEGER, "var_metric" INTEGER, "filename" VARCHAR(128),
  "category" VARCHAR(128), "var_name" VARCHAR(128), "var_val" TEXT, "commented" INTEGER
);
CREATE INDEX IF NOT EXISTS asterism_ast_config_filename ON ast_config ("filename");
CREATE TABLE IF NOT EXISTS stir_tn (
  "id" VARCHAR(80) NOT NULL, "private_key_file" VARCHAR(1024), "public_cert_url" VARCHAR(1024), "attest_level"
  VARCHAR(1), "send_mky" VARCHAR(5), PRIMARY KEY ("id")
);
CREATE TABLE IF NOT EXISTS cdr (
  "accountcode" VARCHAR(80), "src" VARCHAR(80), "dst" VARCHAR(80), "dcontext" VARCHAR(80), "clid" VARCHAR(80),
  "channel" VARCHAR(80), "dstchannel" VARCHAR(80), "lastapp" VARCHAR(80), "lastdata" VARCHAR(80), "start" DATETIME,
  "answer" DATETIME, "end" DATETIME, "duration" INTEGER, "billsec" INTEGER, "disposition" VARCHAR(45), "amaflags"
  VARCHAR(45), "userfield" VARCHAR(256), "uniqueid" VARCHAR(150), "linkedid" VARCHAR(150), "peeraccount"
  VARCHAR(80), "sequence" INTEGER
);
