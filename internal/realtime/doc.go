// Package realtime is the door that stock Asterisk speaks through: the HTTP
// wire of res_config_curl, the same in Asterisk 13 to 23 (res/res_config_curl.c
// with funcs/func_curl.c), and /lookup for the dialplan function CURL().
//
// A request is POST /rt/{family}/{verb}. What makes this wire special:
//
//   - the operator is part of the name: "expiration_time <=" is one key;
//   - Asterisk ignores status and type of an answer and parses the text, so a
//     miss and an error answer nothing at all;
//   - for update, store, destroy and require an empty body makes Asterisk read
//     past its buffer: these always answer a number, -1 for failure;
//   - update2 comes without separators and is put together again from the
//     family's column names (recover.go);
//   - an unbalanced "(" turns an update into a GET with a comma (write.go);
//   - names and values arrive cut at 255 bytes of their escaped form, which the
//     client does not know; what was probably cut is counted.
//
// The door is a pure function from request bytes to answer bytes.
package realtime
