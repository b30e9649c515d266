package lab

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// leftOut are the modules, as patterns, that need hardware or other servers, would
// take ports that are not the instance's own, or complain when they have nothing to
// do. All else is loaded: a list of what to load misses what others depend on.
var leftOut = []string{
	"app_adsiprog", "app_alarmreceiver", "app_*audiosocket", "app_dahdiras", "app_festival", "app_getcpeid", "app_jack", "app_meetme", "app_page", "app_voicemail_*", "app_stasis*", "app_externalivr",
	"cdr_*", "cel_*", "chan_*", "codec_dahdi", "func_odbc", "func_audiohookinherit", "pbx_ael", "pbx_dundi", "pbx_lua",
	"res_adsi", "res_aeap", "res_ael*", "res_ari*", "res_audiosocket", "res_calendar*", "res_chan_stats", "res_config_*", "res_corosync", "res_cliexec", "res_endpoint_stats", "res_fax*",
	"res_geolocation", "res_hep*", "res_http_media_cache", "res_http_websocket", "res_monitor", "res_odbc*", "res_phoneprov", "res_pjsip_geolocation", "res_pjsip_phoneprov_provider",
	"res_pjsip_stir_shaken", "res_pjsip_transport_websocket", "res_pktccops", "res_prometheus", "res_resolver_unbound", "res_smdi", "res_snmp", "res_speech_aeap", "res_statsd",
	"res_stasis_broadcast", "res_stir_shaken", "res_stun_monitor", "res_timing_dahdi", "res_timing_kqueue", "res_tonedetect", "res_websocket_client", "res_xmpp",
	"res_ari_mailboxes", "res_stasis_mailbox", "res_mwi_external*", "app_macro", "app_osplookup", "app_url", "app_image", "app_ices", "app_nbscat", "app_dictate", "app_sms", "app_morsecode",
}

// kept are loaded though leftOut matches them.
var kept = map[string]bool{"chan_pjsip": true, "chan_bridge_media": true, "res_config_curl": true, "res_config_asterism": true}

// files are the configuration of an instance by name: what every one has, and
// over it what the settings say.
func (a *Asterisk) files(t T, s Settings) map[string]string {
	t.Helper()
	if s.Name == "" {
		s.Name = "lab"
	}
	files := map[string]string{
		"asterisk.conf": a.directories() + "[options]\nsystemname = " + s.Name + "\n",
		"modules.conf":  a.modules(t, s.Load),
		"logger.conf":   "[general]\ndateformat = %F %T.%3q\n[logfiles]\nmessages => notice,warning,error\n",
		"pjsip.conf":    Transport(s.SIP),
		"rtp.conf":      fmt.Sprintf("[general]\nrtpstart = %d\nrtpend = %d\n", firstRTP, lastRTP),
		// Files that a module misses with a warning when they are not there.
		"cdr.conf": "[general]\nenable = no\n", "cel.conf": "[general]\nenable = no\n",
		"http.conf": "[general]\nenabled = no\n", "manager.conf": "[general]\nenabled = no\n", "udptl.conf": "[general]\n",
		"features.conf": "[general]\n", "ccss.conf": "[general]\n", "indications.conf": "[general]\ncountry = us\n[us]\ndescription = US\nringcadence = 2000,4000\ndial = 350+440\nbusy = 480+620/500,0/500\nring = 440+480/2000,0/4000\ncongestion = 480+620/250,0/250\n",
		"acl.conf": "", "extensions.conf": "[general]\n", "sorcery.conf": "", "stasis.conf": "", "confbridge.conf": "[general]\n", "codecs.conf": "",
		"musiconhold.conf": "[default]\nmode = files\ndirectory = " + a.Inside("moh") + "\n", "queues.conf": "[general]\n", "queuerules.conf": "[general]\n", "voicemail.conf": "[general]\nformat = wav\n", "followme.conf": "[general]\n",
		"res_parking.conf": "[general]\n", "iax.conf": "[general]\n", "sip.conf": "[general]\n", "agents.conf": "", "dnsmgr.conf": "[general]\nenable = no\n", "enum.conf": "[general]\n",
		"pjproject.conf": "", "cli_aliases.conf": "[general]\n", "sla.conf": "[general]\n", "dsp.conf": "[default]\n", "amd.conf": "[general]\n",
		"pjsip_notify.conf": "", "pjsip_wizard.conf": "", "minivm.conf": "[general]\n", "say.conf": "[general]\nmode = old\n", "extconfig.conf": "[settings]\n", "statsd.conf": "[general]\n",
		"aeap.conf": "", "geolocation.conf": "", "stir_shaken.conf": "", "ari.conf": "[general]\nenabled = no\n", "res_curl.conf": "[globals]\nconntimeout = 2\nhttptimeout = 10\n", "cli_permissions.conf": "[general]\ndefault_perm = permit\n",
	}
	if s.Node != "" {
		maps.Copy(files, a.Release.Engine.files(s.Node, s.Families))
	}
	maps.Copy(files, s.Files)
	if s.Workers > 0 {
		files["pjsip.conf"] += a.workers(s.Workers)
	}
	return files
}

// workers is the section of pjsip.conf for so many threads of PJSIP.
func (a *Asterisk) workers(n int) string {
	if a.Release.Is(Asterisk16) {
		return fmt.Sprintf("[system]\ntype = system\nthreadpool_initial_size = %d\n", n)
	}
	return fmt.Sprintf("[system]\ntype = system\ntaskpool_minimum_size = %d\ntaskpool_initial_size = %d\n", n, n)
}

// directories moves all that an instance writes into its own folder.
func (a *Asterisk) directories() string {
	var text strings.Builder
	text.WriteString("[directories]\n")
	for key, name := range map[string]string{
		"astetcdir": "etc", "astvarlibdir": "lib", "astdbdir": "lib", "astkeydir": "lib", "astspooldir": "spool", "astrundir": "run", "astlogdir": "log",
	} {
		fmt.Fprintf(&text, "%s => %s\n", key, a.Inside(name))
	}
	if a.modulesFolder != "" {
		fmt.Fprintf(&text, "astmoddir => %s\n", a.modulesFolder)
	}
	return text.String()
}

// modules loads all but what is left out, which is looked up in the folder of modules.
func (a *Asterisk) modules(t T, wanted []string) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("[modules]\nautoload = yes\n")
	found := 0
	for _, folder := range []string{"usr/lib/asterisk/modules", "usr/lib/*/asterisk/modules"} {
		files, err := filepath.Glob(filepath.Join(a.root, folder, "*.so"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, file := range files {
			found++
			if name := strings.TrimSuffix(filepath.Base(file), ".so"); isLeftOut(name) && !slices.Contains(wanted, name) {
				fmt.Fprintf(&text, "noload = %s.so\n", name)
			}
		}
	}
	if found < 100 {
		t.Fatalf("only %d modules in %s: did Debian move them?", found, a.root)
	}
	return text.String()
}

func isLeftOut(name string) bool {
	return !kept[name] && slices.ContainsFunc(leftOut, func(pattern string) bool {
		ok, err := filepath.Match(pattern, name)
		return ok && err == nil
	})
}

// Transport is a PJSIP transport on a port of 127.0.0.1.
func Transport(port int) string {
	return fmt.Sprintf("[transport-udp]\ntype = transport\nprotocol = udp\nbind = 127.0.0.1:%d\n", port)
}

// PJSIP are the families of a phone, and sorcery.conf for them.
var PJSIP = []string{"ps_endpoints", "ps_auths", "ps_aors", "ps_contacts", "ps_domain_aliases", "ps_endpoint_id_ips"}

// Sorcery maps PJSIP's objects to the families of PJSIP, without a cache.
const Sorcery = `[res_pjsip]
endpoint = realtime,ps_endpoints
auth = realtime,ps_auths
aor = realtime,ps_aors
contact = realtime,ps_contacts
domain_alias = realtime,ps_domain_aliases
[res_pjsip_endpoint_identifier_ip]
identify = realtime,ps_endpoint_id_ips
`
