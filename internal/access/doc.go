// Package access tells who asks: which of the clients that the config names, or
// none of them. It knows no HTTP and no TLS, only what they found out.
//
// Words:
//
//   - caller ([Caller]): what is known of somebody who asks: an address, perhaps
//     a user with a password, perhaps the subject of a verified certificate.
//   - client ([Client]): one section [clients.NAME] of the config, and the
//     properties by which a caller is recognised: networks, user and password,
//     certificate.
//   - subject ([Subject]): the name in a certificate, in one spelling whatever
//     tool wrote it down.
//
// Invariants:
//
//   - A caller is a client when all the properties hold that the client names;
//     a client that names none is refused by [New], for it would be everybody.
//   - To recognise a caller allocates nothing, and takes as long for a wrong
//     password as for a right one.
//   - Clients are never modified after New: a reload builds new ones.
//   - No text form of anything here shows a password.
package access
