// Package soap is the codec of Asterism's SOAP door: request bytes become a [Request], answers become bytes. It knows
// no network and no directory, so that the transport in front of it and the data behind it can change without it.
//
// Sources: SOAP 1.1 (W3C Note of 8 May 2000), WSDL 1.1, XML 1.0, Namespaces in XML 1.0, WS-I Basic Profile 1.1. The
// style is document/literal wrapped: the one element of the Body names the operation and its children are the
// parameters. asterism.wsdl says the same to a machine.
//
// # Words
//
//   - operation ([Op]): what is asked, told by namespace and local name of the element in the Body, never by a prefix
//     and never by the SOAPAction header, which may only confirm it ([CheckAction]);
//   - parameter: a child of that element; number, tenant, family and file come at most once and in any order,
//     condition, field and column repeat and keep their order;
//   - absent, nil, empty: three different things. An absent element is not given, xsi:nil="true" clears, an empty
//     element is the empty string;
//   - fault ([Fault]): what is said instead of an answer. An unknown number is no fault but an empty answer.
//
// # Invariants
//
//   - All that the scanner accepts, encoding/xml accepts as well, with the same names, namespaces, attributes and
//     text; FuzzScanner holds that.
//   - Limits have names ([MaxDepth] and its neighbours). Work and memory grow with the size of the body and with
//     nothing else; the size of the body is the transport's limit.
//   - A reused Request parses without allocating, and every answer is appended without allocating.
//   - All that is written is well-formed, whatever bytes the directory holds.
//
// # Where the scanner is stricter than encoding/xml
//
// A DOCTYPE and any other declaration is refused, so there are no entities beyond the five of XML. Names are plain
// ASCII with one colon at most, as every name of SOAP is. Unbound prefixes, a second attribute of the same name, text
// outside the document element, a second document element, attributes without a blank between them, references to
// surrogates, an XML declaration that is out of place or names an encoding other than UTF-8, and characters outside
// XML 1.0 in comments and processing instructions are refused too; encoding/xml lets them pass.
//
// In one thing it is as lenient as encoding/xml: tabs and line ends inside an attribute's value stay what they are,
// where XML asks for blanks. No attribute that this package reads can hold one.
package soap
