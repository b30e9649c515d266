// Package doctor reads an Asterisk configuration folder and tells what in it
// keeps realtime from working, or makes it work badly. It asks nobody: what it
// says follows from the files alone.
//
// Words:
//
//	mapping  a line of extconfig.conf: which driver answers for a family
//	wizard   a line of sorcery.conf: where PJSIP keeps one type of object
//	finding  one fault with its place and what mends it
//
// A check is one function from the folder's setup to findings, listed in
// checks.go; adding one is adding a function there, and a file in testdata.
//
// The facts are those of Asterisk 16 to 22: main/config.c, res_config_curl.c,
// func_curl.c, sorcery.c.
package doctor
