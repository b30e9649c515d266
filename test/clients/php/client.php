<?php
// Asks a node with PHP's SoapClient; what it reads and prints: ../README.md.

function decoded(string $text): string
{
    return str_replace(['\n', '\r'], ["\n", "\r"], $text);
}

function encoded($text): string
{
    if (is_bool($text)) {
        return $text ? 'true' : 'false';
    }
    return str_replace(["\n", "\r"], ['\n', '\r'], (string) $text);
}

// elements turns the words of a step into what SoapClient takes.
function elements(array $words): array
{
    $out = [];
    foreach ($words as $word) {
        if (preg_match('/^(condition|field|column):(.*)$/s', $word, $found)) {
            $out[$found[1]][] = elements(explode('|', $found[2]));
            continue;
        }
        [$name, $text] = explode('=', $word, 2) + [1 => null];
        $out[$name] = $text === null ? null : decoded($text);
    }
    return $out;
}

// printed gives the elements inside an answer as words.
function printed(object $answer): array
{
    $words = [];
    foreach (get_object_vars($answer) as $name => $value) {
        foreach (is_array($value) ? $value : [$value] as $one) {
            if ($name === 'row') {
                $fields = array_map(fn($f) => $f->name . '=' . encoded($f->value), $one->field ?? []);
                $words[] = 'row:' . implode('|', $fields);
            } else {
                $words[] = is_object($one) ? "$name:" . implode('|', printed($one)) : "$name=" . encoded($one);
            }
        }
    }
    return $words;
}

function ask(SoapClient $client, string $operation, array $words): string
{
    try {
        $answer = $client->__soapCall($operation, [elements($words)]);
    } catch (SoapFault $fault) {
        // PHP's own complaints look like a node's, but for this beginning.
        if (str_starts_with($fault->faultstring, 'SOAP-ERROR')) {
            return 'refused ' . encoded($fault->faultstring);
        }
        return 'fault ' . preg_replace('/^.*:/', '', $fault->faultcode) . ' ' . encoded($fault->faultstring);
    }
    $head = "$answer->instance $answer->revision";
    unset($answer->instance, $answer->revision);
    return implode("\t", [$head, ...printed($answer)]);
}

$client = new SoapClient($argv[1], [
    'soap_version' => $argv[2] === '1.2' ? SOAP_1_2 : SOAP_1_1,
    'cache_wsdl' => WSDL_CACHE_NONE,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
]);
while (($line = fgets(STDIN)) !== false) {
    $words = explode("\t", rtrim($line, "\n"));
    $times = (int) array_shift($words);
    $operation = array_shift($words);
    $first = ask($client, $operation, $words);
    $same = true;
    for ($i = 1; $i < $times; $i++) {
        $same = ask($client, $operation, $words) === $first && $same;
    }
    echo $same ? $first : 'different answers', "\n";
}
