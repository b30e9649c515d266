-- PJSIP objects of the server itself. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS ps_systems (
  "id" VARCHAR(40) NOT NULL, "timer_t1" INTEGER, "timer_b" INTEGER, "compact_headers" VARCHAR(5),
  "threadpool_initial_size" INTEGER, "threadpool_auto_increment" INTEGER, "threadpool_idle_timeout" INTEGER,
  "threadpool_max_size" INTEGER, "disable_tcp_switch" VARCHAR(5), "follow_early_media_fork" VARCHAR(5),
  "accept_multiple_sdp_answers" VARCHAR(5), "disable_rport" VARCHAR(5), "taskpool_minimum_size" INTEGER,
  "taskpool_initial_size" INTEGER, "taskpool_auto_increment" INTEGER, "taskpool_idle_timeout" INTEGER,
  "taskpool_max_size" INTEGER, UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_globals (
  "id" VARCHAR(40) NOT NULL, "max_forwards" INTEGER, "user_agent" VARCHAR(255), "default_outbound_endpoint"
  VARCHAR(40), "debug" VARCHAR(40), "endpoint_identifier_order" VARCHAR(40), "max_initial_qualify_time" INTEGER,
  "default_from_user" VARCHAR(80), "keep_alive_interval" INTEGER, "regcontext" VARCHAR(80),
  "contact_expiration_check_interval" INTEGER, "default_voicemail_extension" VARCHAR(40), "disable_multi_domain"
  VARCHAR(5), "unidentified_request_count" INTEGER, "unidentified_request_period" INTEGER,
  "unidentified_request_prune_interval" INTEGER, "default_realm" VARCHAR(40), "mwi_tps_queue_high" INTEGER,
  "mwi_tps_queue_low" INTEGER, "mwi_disable_initial_unsolicited" VARCHAR(5), "ignore_uri_user_options" VARCHAR(5),
  "use_callerid_contact" VARCHAR(5), "send_contact_status_on_update_registration" VARCHAR(5),
  "taskprocessor_overload_trigger" VARCHAR(40), "norefersub" VARCHAR(5), "allow_sending_180_after_183" VARCHAR(5),
  "all_codecs_on_empty_reinvite" VARCHAR(5), "default_auth_algorithms_uas" VARCHAR(1024),
  "default_auth_algorithms_uac" VARCHAR(1024), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_transports (
  "id" VARCHAR(40) NOT NULL, "async_operations" INTEGER, "bind" VARCHAR(40), "ca_list_file" VARCHAR(200),
  "cert_file" VARCHAR(200), "cipher" VARCHAR(200), "domain" VARCHAR(40), "external_media_address" VARCHAR(40),
  "external_signaling_address" VARCHAR(40), "external_signaling_port" INTEGER, "method" VARCHAR(40), "local_net"
  VARCHAR(40), "password" VARCHAR(40), "priv_key_file" VARCHAR(200), "protocol" VARCHAR(40), "require_client_cert"
  VARCHAR(5), "verify_client" VARCHAR(5), "verify_server" VARCHAR(5), "tos" VARCHAR(10), "cos" INTEGER,
  "allow_reload" VARCHAR(5), "symmetric_transport" VARCHAR(5), "allow_wildcard_certs" VARCHAR(5),
  "tcp_keepalive_enable" VARCHAR(5), "tcp_keepalive_idle_time" INTEGER, "tcp_keepalive_interval_time" INTEGER,
  "tcp_keepalive_probe_count" INTEGER, "external_signaling_hostname" VARCHAR(40), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_outbound_publishes (
  "id" VARCHAR(255) NOT NULL, "expiration" INTEGER, "outbound_auth" VARCHAR(255), "outbound_proxy" VARCHAR(256),
  "server_uri" VARCHAR(256), "from_uri" VARCHAR(256), "to_uri" VARCHAR(256), "event" VARCHAR(40),
  "max_auth_attempts" INTEGER, "transport" VARCHAR(40), "multi_user" VARCHAR(5), "@body" VARCHAR(40), "@context"
  VARCHAR(256), "@exten" VARCHAR(256), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_inbound_publications (
  "id" VARCHAR(255) NOT NULL, "endpoint" VARCHAR(255), "event_asterisk-devicestate" VARCHAR(40),
  "event_asterisk-mwi" VARCHAR(40), UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_asterisk_publications (
  "id" VARCHAR(40) NOT NULL, "devicestate_publish" VARCHAR(40), "mailboxstate_publish" VARCHAR(40), "device_state"
  VARCHAR(5), "device_state_filter" VARCHAR(256), "mailbox_state" VARCHAR(5), "mailbox_state_filter" VARCHAR(256),
  UNIQUE ("id")
);
CREATE TABLE IF NOT EXISTS ps_resource_list (
  "id" VARCHAR(40) NOT NULL, "list_item" VARCHAR(2048), "event" VARCHAR(40), "full_state" VARCHAR(5),
  "notification_batch_interval" INTEGER, "resource_display_name" VARCHAR(5), UNIQUE ("id")
);
