// Package soap is the codec of Asterism's SOAP door: request bytes become a [Request], answers become bytes. It knows
// no network and no directory, so that the transport in front of it and the data behind it can change without it.
//
// Sources: SOAP 1.1 (W3C Note of 8 May 2000), SOAP 1.2 (W3C Recommendation of 27 April 2007), WSDL 1.1 and its binding
// for SOAP 1.2, XML 1.0, Namespaces in XML 1.0, WS-I Basic Profile 1.1, RFC 7303 (encodings), RFC 2387 and XOP 1.0
// (packages). The style is document/literal wrapped: the one element of the Body names the operation and its children
// are the parameters. asterism.wsdl says the same to a machine.
//
// # Words
//
//   - operation ([Op]): what is asked, told by namespace and local name of the element in the Body, never by a prefix
//     and never by the SOAPAction header or the action of the Content-Type, which may only confirm it ([CheckAction]);
//   - version ([Version]): told by the namespace of the envelope, and by the Content-Type only where there is no
//     envelope to go by;
//   - parameter: a child of that element; number, tenant, instance, revision, family and file come at most once
//     and in any order, condition, field and column repeat and keep their order, and so does the family of a Watch;
//   - absent, nil, empty: three different things. An absent element is not given, xsi:nil="true" clears, an empty
//     element is the empty string;
//   - fault ([Fault]): what is said instead of an answer. An unknown number is no fault but an empty answer;
//   - package: a multipart/related body; it is taken when the envelope is all that is in it.
//
// # Invariants
//
//   - All that the scanner accepts, encoding/xml accepts as well, with the same names, namespaces, attributes and
//     text; FuzzScanner holds that.
//   - An answer is wholly of one version, that of the request, whatever comes; FuzzAnswer holds that.
//   - Limits have names ([MaxDepth] and its neighbours). Work and memory grow with the size of the body and with
//     nothing else; the size of the body is the transport's limit.
//   - A reused Request parses UTF-8 without allocating or copying, and every answer is appended without allocating.
//     Other encodings are turned into UTF-8 first, in memory that the Request keeps; bytes that mean nothing in them
//     are a fault and never U+FFFD.
//   - All that is written is well-formed, whatever bytes the directory holds.
//
// # Where the scanner is stricter than encoding/xml
//
// A DOCTYPE and any other declaration is refused, so there are no entities beyond the five of XML. Names are plain
// ASCII with one colon at most, as every name of SOAP is. Unbound prefixes, a second attribute of the same name, text
// outside the document element, a second document element, attributes without a blank between them, references to
// surrogates, an XML declaration that is out of place, and characters outside XML 1.0 in comments and processing
// instructions are refused too; encoding/xml lets them pass. Whether the encoding that a declaration names is the
// right one is decided before (decode.go).
//
// In one thing it is as lenient as encoding/xml: tabs and line ends inside an attribute's value stay what they are,
// where XML asks for blanks. No attribute that this package reads can hold one.
package soap
