-- PJSIP objects beside the endpoint: how it proves itself, where it is, what it watches. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS ps_auths (
  "id" VARCHAR(255) NOT NULL, "auth_type" VARCHAR(40), "nonce_lifetime" INTEGER, "md5_cred" VARCHAR(40), "password"
  VARCHAR(80), "realm" VARCHAR(255), "username" VARCHAR(40), "refresh_token" VARCHAR(255), "oauth_clientid"
  VARCHAR(255), "oauth_secret" VARCHAR(255), "password_digest" VARCHAR(1024), "supported_algorithms_uas"
  VARCHAR(1024), "supported_algorithms_uac" VARCHAR(1024), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_aors (
  "id" VARCHAR(255) NOT NULL, "contact" VARCHAR(255), "default_expiration" INTEGER, "mailboxes" VARCHAR(80),
  "max_contacts" INTEGER, "minimum_expiration" INTEGER, "remove_existing" VARCHAR(5), "qualify_frequency" INTEGER,
  "authenticate_qualify" VARCHAR(5), "maximum_expiration" INTEGER, "outbound_proxy" VARCHAR(255), "support_path"
  VARCHAR(5), "qualify_timeout" FLOAT, "voicemail_extension" VARCHAR(40), "remove_unavailable" VARCHAR(5),
  "qualify_2xx_only" VARCHAR(5), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_contacts (
  "id" VARCHAR(255) NOT NULL, "uri" VARCHAR(511), "expiration_time" INTEGER, "qualify_frequency" INTEGER,
  "outbound_proxy" VARCHAR(255), "path" TEXT, "user_agent" VARCHAR(255), "qualify_timeout" FLOAT, "reg_server"
  VARCHAR(255), "authenticate_qualify" VARCHAR(5), "via_addr" VARCHAR(40), "via_port" INTEGER, "call_id"
  VARCHAR(255), "endpoint" VARCHAR(255), "prune_on_boot" VARCHAR(5), "qualify_2xx_only" VARCHAR(5), UNIQUE ("id"),
  UNIQUE ("id", "reg_server")
);
CREATE TABLE IF NOT EXISTS ps_domain_aliases (
  "id" VARCHAR(255) NOT NULL, "domain" VARCHAR(255), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_endpoint_id_ips (
  "id" VARCHAR(255) NOT NULL, "endpoint" VARCHAR(255), "match" VARCHAR(80), "srv_lookups" VARCHAR(5), "match_header"
  VARCHAR(255), "match_request_uri" VARCHAR(255), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_registrations (
  "id" VARCHAR(255) NOT NULL, "auth_rejection_permanent" VARCHAR(5), "client_uri" VARCHAR(255), "contact_user"
  VARCHAR(40), "expiration" INTEGER, "max_retries" INTEGER, "outbound_auth" VARCHAR(255), "outbound_proxy"
  VARCHAR(255), "retry_interval" INTEGER, "forbidden_retry_interval" INTEGER, "server_uri" VARCHAR(255), "transport"
  VARCHAR(40), "support_path" VARCHAR(5), "fatal_retry_interval" INTEGER, "line" VARCHAR(5), "endpoint"
  VARCHAR(255), "support_outbound" VARCHAR(5), "contact_header_params" VARCHAR(255), "max_random_initial_delay"
  INTEGER, "security_negotiation" VARCHAR(40), "security_mechanisms" VARCHAR(512), "user_agent" VARCHAR(255), UNIQUE
  ("id")
);
CREATE TABLE IF NOT EXISTS ps_subscription_persistence (
  "id" VARCHAR(40) NOT NULL, "packet" VARCHAR(2048), "src_name" VARCHAR(128), "src_port" INTEGER, "transport_key"
  VARCHAR(64), "local_name" VARCHAR(128), "local_port" INTEGER, "cseq" INTEGER, "tag" VARCHAR(128), "endpoint"
  VARCHAR(40), "expires" INTEGER, "contact_uri" VARCHAR(256), "prune_on_boot" VARCHAR(5), "generator_data" TEXT,
  UNIQUE ("id")
);
