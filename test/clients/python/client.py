"""Asks a node with zeep; what it reads and prints: ../README.md."""

import sys

import zeep
from zeep.wsdl.bindings import Soap11Binding, Soap12Binding


def decoded(text):
    return text.replace("\\n", "\n").replace("\\r", "\r")


def encoded(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).replace("\n", "\\n").replace("\r", "\\r")


def elements(words):
    """Turns the words of a step into what zeep takes."""
    out = {}
    for word in words:
        name, colon, parts = word.partition(":")
        if colon and name in ("condition", "field", "column"):
            out.setdefault(name, []).append(elements(parts.split("|")))
            continue
        name, given, text = word.partition("=")
        out[name] = decoded(text) if given else None
    return out


def printed(answer):
    """Gives the elements inside an answer as words."""
    words = []
    for name, value in answer.items():
        for one in value if isinstance(value, list) else [value]:
            if name == "row" and one is not None:
                fields = [f["name"] + "=" + encoded(f["value"]) for f in one["field"]]
                words.append("row:" + "|".join(fields))
            elif isinstance(one, dict):
                words.append(name + ":" + "|".join(printed(one)))
            elif one is not None or name in ("tenant", "value", "var_val"):
                words.append(name + "=" + encoded(one))
    return words


def ask(service, operation, words):
    try:
        answer = getattr(service, operation)(**elements(words))
    except zeep.exceptions.Fault as fault:
        return "fault " + fault.code.rpartition(":")[2] + " " + encoded(fault.message)
    except zeep.exceptions.ValidationError as error:
        return "refused " + encoded(error)
    answer = zeep.helpers.serialize_object(answer, dict)
    head = f"{answer.pop('instance')} {answer.pop('revision')}"
    return "\t".join([head, *printed(answer)])


def bound(client, binding):
    """Gives the service at the first port that has such a binding."""
    for name, service in client.wsdl.services.items():
        for port in service.ports.values():
            if isinstance(port.binding, binding):
                return client.bind(name, port.name)
    raise SystemExit(f"the WSDL has no {binding.__name__}")


def main():
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)
    client = zeep.Client(sys.argv[1])
    service = bound(client, Soap12Binding if sys.argv[2] == "1.2" else Soap11Binding)
    for line in sys.stdin:
        times, operation, *words = line.rstrip("\n").split("\t")
        answers = {ask(service, operation, words) for _ in range(int(times))}
        print(answers.pop() if len(answers) == 1 else "different answers")


main()
