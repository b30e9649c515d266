-- PJSIP endpoints: who a phone or trunk is. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS ps_endpoints (
  "id" VARCHAR(255) NOT NULL, "transport" VARCHAR(40), "aors" VARCHAR(2048), "auth" VARCHAR(255), "context"
  VARCHAR(40), "disallow" VARCHAR(200), "allow" VARCHAR(200), "direct_media" VARCHAR(5), "connected_line_method"
  VARCHAR(40), "direct_media_method" VARCHAR(40), "direct_media_glare_mitigation" VARCHAR(40),
  "disable_direct_media_on_nat" VARCHAR(5), "dtmf_mode" VARCHAR(40), "external_media_address" VARCHAR(40),
  "force_rport" VARCHAR(5), "ice_support" VARCHAR(5), "identify_by" VARCHAR(80), "mailboxes" VARCHAR(40),
  "moh_suggest" VARCHAR(40), "outbound_auth" VARCHAR(255), "outbound_proxy" VARCHAR(255), "rewrite_contact"
  VARCHAR(5), "rtp_ipv6" VARCHAR(5), "rtp_symmetric" VARCHAR(5), "send_diversion" VARCHAR(5), "send_pai" VARCHAR(5),
  "send_rpid" VARCHAR(5), "timers_min_se" INTEGER, "timers" VARCHAR(40), "timers_sess_expires" INTEGER, "callerid"
  VARCHAR(40), "callerid_privacy" VARCHAR(40), "callerid_tag" VARCHAR(40), "100rel" VARCHAR(40), "aggregate_mwi"
  VARCHAR(5), "trust_id_inbound" VARCHAR(5), "trust_id_outbound" VARCHAR(5), "use_ptime" VARCHAR(5), "use_avpf"
  VARCHAR(5), "media_encryption" VARCHAR(40), "inband_progress" VARCHAR(5), "call_group" VARCHAR(40), "pickup_group"
  VARCHAR(40), "named_call_group" VARCHAR(40), "named_pickup_group" VARCHAR(40), "device_state_busy_at" INTEGER,
  "fax_detect" VARCHAR(5), "t38_udptl" VARCHAR(5), "t38_udptl_ec" VARCHAR(40), "t38_udptl_maxdatagram" INTEGER,
  "t38_udptl_nat" VARCHAR(5), "t38_udptl_ipv6" VARCHAR(5), "tone_zone" VARCHAR(40), "language" VARCHAR(40),
  "one_touch_recording" VARCHAR(5), "record_on_feature" VARCHAR(40), "record_off_feature" VARCHAR(40), "rtp_engine"
  VARCHAR(40), "allow_transfer" VARCHAR(5), "allow_subscribe" VARCHAR(5), "sdp_owner" VARCHAR(40), "sdp_session"
  VARCHAR(40), "tos_audio" VARCHAR(10), "tos_video" VARCHAR(10), "sub_min_expiry" INTEGER, "from_domain"
  VARCHAR(40), "from_user" VARCHAR(40), "mwi_from_user" VARCHAR(40), "dtls_verify" VARCHAR(40), "dtls_rekey"
  VARCHAR(40), "dtls_cert_file" VARCHAR(200), "dtls_private_key" VARCHAR(200), "dtls_cipher" VARCHAR(200),
  "dtls_ca_file" VARCHAR(200), "dtls_ca_path" VARCHAR(200), "dtls_setup" VARCHAR(40), "srtp_tag_32" VARCHAR(5),
  "media_address" VARCHAR(40), "redirect_method" VARCHAR(40), "set_var" TEXT, "cos_audio" INTEGER, "cos_video"
  INTEGER, "message_context" VARCHAR(40), "force_avp" VARCHAR(5), "media_use_received_transport" VARCHAR(5),
  "accountcode" VARCHAR(80), "user_eq_phone" VARCHAR(5), "moh_passthrough" VARCHAR(5), "media_encryption_optimistic"
  VARCHAR(5), "rpid_immediate" VARCHAR(5), "g726_non_standard" VARCHAR(5), "rtp_keepalive" INTEGER, "rtp_timeout"
  INTEGER, "rtp_timeout_hold" INTEGER, "bind_rtp_to_media_address" VARCHAR(5), "voicemail_extension" VARCHAR(40),
  "mwi_subscribe_replaces_unsolicited" VARCHAR(5), "deny" VARCHAR(95), "permit" VARCHAR(95), "acl" VARCHAR(40),
  "contact_deny" VARCHAR(95), "contact_permit" VARCHAR(95), "contact_acl" VARCHAR(40), "subscribe_context"
  VARCHAR(40), "fax_detect_timeout" INTEGER, "contact_user" VARCHAR(80), "preferred_codec_only" VARCHAR(5),
  "asymmetric_rtp_codec" VARCHAR(5), "rtcp_mux" VARCHAR(5), "allow_overlap" VARCHAR(5), "refer_blind_progress"
  VARCHAR(5), "notify_early_inuse_ringing" VARCHAR(5), "max_audio_streams" INTEGER, "max_video_streams" INTEGER,
  "webrtc" VARCHAR(5), "dtls_fingerprint" VARCHAR(40), "incoming_mwi_mailbox" VARCHAR(40), "bundle" VARCHAR(5),
  "dtls_auto_generate_cert" VARCHAR(5), "follow_early_media_fork" VARCHAR(5), "accept_multiple_sdp_answers"
  VARCHAR(5), "suppress_q850_reason_headers" VARCHAR(5), "trust_connected_line" VARCHAR(5), "send_connected_line"
  VARCHAR(5), "ignore_183_without_sdp" VARCHAR(5), "codec_prefs_incoming_offer" VARCHAR(128),
  "codec_prefs_outgoing_offer" VARCHAR(128), "codec_prefs_incoming_answer" VARCHAR(128),
  "codec_prefs_outgoing_answer" VARCHAR(128), "stir_shaken" VARCHAR(5), "send_history_info" VARCHAR(5),
  "allow_unauthenticated_options" VARCHAR(5), "t38_bind_udptl_to_media_address" VARCHAR(5),
  "geoloc_incoming_call_profile" VARCHAR(80), "geoloc_outgoing_call_profile" VARCHAR(80), "incoming_call_offer_pref"
  VARCHAR(40), "outgoing_call_offer_pref" VARCHAR(40), "stir_shaken_profile" VARCHAR(80), "security_negotiation"
  VARCHAR(40), "security_mechanisms" VARCHAR(512), "send_aoc" VARCHAR(5), "overlap_context" VARCHAR(80), "tenantid"
  VARCHAR(80), "suppress_moh_on_sendonly" VARCHAR(5), "follow_redirect_methods" VARCHAR(95), "rtp_port_start"
  INTEGER, "rtp_port_end" INTEGER, UNIQUE ("id")
);
