// Package asterisk holds what real Asterisks do on Asterism: each test starts the
// releases of package lab over stock res_config_curl and looks at what they say,
// what SIPp hears, and what the store holds afterwards.
package asterisk
