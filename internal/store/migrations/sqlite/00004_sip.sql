-- chan_sip (Asterisk 20 and older). Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS sippeers (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" VARCHAR(40) NOT NULL, "ipaddr" VARCHAR(45), "port" INTEGER,
  "regseconds" INTEGER, "defaultuser" VARCHAR(40), "fullcontact" VARCHAR(80), "regserver" VARCHAR(20), "useragent"
  VARCHAR(255), "lastms" INTEGER, "host" VARCHAR(40), "type" VARCHAR(40), "context" VARCHAR(40), "permit"
  VARCHAR(95), "deny" VARCHAR(95), "secret" VARCHAR(40), "md5secret" VARCHAR(40), "remotesecret" VARCHAR(40),
  "transport" VARCHAR(40), "dtmfmode" VARCHAR(40), "directmedia" VARCHAR(40), "nat" VARCHAR(29), "callgroup"
  VARCHAR(40), "pickupgroup" VARCHAR(40), "language" VARCHAR(40), "disallow" VARCHAR(200), "allow" VARCHAR(200),
  "insecure" VARCHAR(40), "trustrpid" VARCHAR(5), "progressinband" VARCHAR(40), "promiscredir" VARCHAR(5),
  "useclientcode" VARCHAR(5), "accountcode" VARCHAR(80), "setvar" VARCHAR(200), "callerid" VARCHAR(40), "amaflags"
  VARCHAR(40), "callcounter" VARCHAR(5), "busylevel" INTEGER, "allowoverlap" VARCHAR(5), "allowsubscribe"
  VARCHAR(5), "videosupport" VARCHAR(5), "maxcallbitrate" INTEGER, "rfc2833compensate" VARCHAR(5), "mailbox"
  VARCHAR(40), "session-timers" VARCHAR(40), "session-expires" INTEGER, "session-minse" INTEGER, "session-refresher"
  VARCHAR(40), "t38pt_usertpsource" VARCHAR(40), "regexten" VARCHAR(40), "fromdomain" VARCHAR(40), "fromuser"
  VARCHAR(40), "qualify" VARCHAR(40), "defaultip" VARCHAR(45), "rtptimeout" INTEGER, "rtpholdtimeout" INTEGER,
  "sendrpid" VARCHAR(5), "outboundproxy" VARCHAR(40), "callbackextension" VARCHAR(40), "timert1" INTEGER, "timerb"
  INTEGER, "qualifyfreq" INTEGER, "constantssrc" VARCHAR(5), "contactpermit" VARCHAR(95), "contactdeny" VARCHAR(95),
  "usereqphone" VARCHAR(5), "textsupport" VARCHAR(5), "faxdetect" VARCHAR(5), "buggymwi" VARCHAR(5), "auth"
  VARCHAR(40), "fullname" VARCHAR(40), "trunkname" VARCHAR(40), "cid_number" VARCHAR(40), "callingpres" VARCHAR(40),
  "mohinterpret" VARCHAR(40), "mohsuggest" VARCHAR(40), "parkinglot" VARCHAR(40), "hasvoicemail" VARCHAR(5),
  "subscribemwi" VARCHAR(5), "vmexten" VARCHAR(40), "autoframing" VARCHAR(5), "rtpkeepalive" INTEGER, "call-limit"
  INTEGER, "g726nonstandard" VARCHAR(5), "ignoresdpversion" VARCHAR(5), "allowtransfer" VARCHAR(5), "dynamic"
  VARCHAR(5), "path" VARCHAR(256), "supportpath" VARCHAR(5), UNIQUE ("name")
);
CREATE INDEX IF NOT EXISTS asterism_sippeers_ipaddr_port ON sippeers ("ipaddr", "port");
CREATE INDEX IF NOT EXISTS asterism_sippeers_host_port ON sippeers ("host", "port");
CREATE TABLE IF NOT EXISTS sipregs (
  "name" VARCHAR(255) NOT NULL, "fullcontact" VARCHAR(255), "ipaddr" VARCHAR(255), "port" INTEGER, "username"
  VARCHAR(255), "defaultuser" VARCHAR(255), "regserver" VARCHAR(255), "regseconds" INTEGER, "lastms" INTEGER,
  "useragent" VARCHAR(255), "path" VARCHAR(255), PRIMARY KEY ("name")
);
