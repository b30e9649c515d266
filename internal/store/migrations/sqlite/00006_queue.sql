-- app_queue and its log. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS queues (
  "name" VARCHAR(128) NOT NULL, "musiconhold" VARCHAR(128), "announce" VARCHAR(128), "context" VARCHAR(128),
  "timeout" INTEGER, "ringinuse" VARCHAR(5), "setinterfacevar" VARCHAR(5), "setqueuevar" VARCHAR(5),
  "setqueueentryvar" VARCHAR(5), "monitor_format" VARCHAR(8), "membermacro" VARCHAR(512), "membergosub"
  VARCHAR(512), "queue_youarenext" VARCHAR(128), "queue_thereare" VARCHAR(128), "queue_callswaiting" VARCHAR(128),
  "queue_quantity1" VARCHAR(128), "queue_quantity2" VARCHAR(128), "queue_holdtime" VARCHAR(128), "queue_minutes"
  VARCHAR(128), "queue_minute" VARCHAR(128), "queue_seconds" VARCHAR(128), "queue_thankyou" VARCHAR(128),
  "queue_callerannounce" VARCHAR(128), "queue_reporthold" VARCHAR(128), "announce_frequency" INTEGER,
  "announce_to_first_user" VARCHAR(5), "min_announce_frequency" INTEGER, "announce_round_seconds" INTEGER,
  "announce_holdtime" VARCHAR(128), "announce_position" VARCHAR(128), "announce_position_limit" INTEGER,
  "periodic_announce" VARCHAR(50), "periodic_announce_frequency" INTEGER, "relative_periodic_announce" VARCHAR(5),
  "random_periodic_announce" VARCHAR(5), "retry" INTEGER, "wrapuptime" INTEGER, "penaltymemberslimit" INTEGER,
  "autofill" VARCHAR(5), "monitor_type" VARCHAR(128), "autopause" VARCHAR(40), "autopausedelay" INTEGER,
  "autopausebusy" VARCHAR(5), "autopauseunavail" VARCHAR(5), "maxlen" INTEGER, "servicelevel" INTEGER, "strategy"
  VARCHAR(40), "joinempty" VARCHAR(128), "leavewhenempty" VARCHAR(128), "reportholdtime" VARCHAR(5), "memberdelay"
  INTEGER, "weight" INTEGER, "timeoutrestart" VARCHAR(5), "defaultrule" VARCHAR(128), "timeoutpriority"
  VARCHAR(128), "log_restricted_caller_id" VARCHAR(5), PRIMARY KEY ("name")
);
CREATE TABLE IF NOT EXISTS queue_members (
  "queue_name" VARCHAR(80) NOT NULL, "interface" VARCHAR(80) NOT NULL, "membername" VARCHAR(80), "state_interface"
  VARCHAR(80), "penalty" INTEGER, "paused" INTEGER, "uniqueid" INTEGER PRIMARY KEY AUTOINCREMENT, "wrapuptime"
  INTEGER, "ringinuse" VARCHAR(5), "reason_paused" VARCHAR(80), UNIQUE ("queue_name", "interface")
);
CREATE TABLE IF NOT EXISTS queue_rules (
  "rule_name" VARCHAR(80) NOT NULL, "time" VARCHAR(32) NOT NULL, "min_penalty" VARCHAR(32) NOT NULL, "max_penalty"
  VARCHAR(32) NOT NULL, "raise_penalty" VARCHAR(32)
);
CREATE INDEX IF NOT EXISTS asterism_queue_rules_rule_name ON queue_rules ("rule_name");
CREATE TABLE IF NOT EXISTS queue_log (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "time" DATETIME, "callid" VARCHAR(80), "queuename" VARCHAR(256), "agent"
  VARCHAR(80), "event" VARCHAR(32), "data1" VARCHAR(100), "data2" VARCHAR(100), "data3" VARCHAR(100), "data4"
  VARCHAR(100), "data5" VARCHAR(100)
);
