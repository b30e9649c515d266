// Package lab starts the real programs that the tests and the measurements need:
// nodes of Asterism, private instances of Asterisk 16 and 22, SIPp. Whatever it
// starts listens on free loopback ports, keeps its files in a folder of its own,
// and ends with the test that asked for it.
//
// The Asterisks are Debian's packages in folders that setup.sh makes with
// debootstrap: chan_sip is only in the old one, today's PJSIP only in the new one.
// They run in a chroot, so the lab needs root.
package lab
