// Asks a node with the package soap; what it reads and prints: ../README.md.
const readline = require('node:readline');
const soap = require('soap');

const decoded = (text) => text.replaceAll('\\n', '\n').replaceAll('\\r', '\r');
const encoded = (value) => String(value ?? '').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

// elements turns the words of a step into what the package takes.
function elements(words) {
  const out = {};
  for (const word of words) {
    const parts = /^(condition|field|column):(.*)$/s.exec(word);
    if (parts) {
      (out[parts[1]] ??= []).push(elements(parts[2].split('|')));
      continue;
    }
    const at = word.indexOf('=');
    if (at < 0) out[word] = null;
    else out[word.slice(0, at)] = decoded(word.slice(at + 1));
  }
  return out;
}

const list = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

// printed gives the elements inside an answer as words.
function printed(answer) {
  const words = [];
  for (const [name, value] of Object.entries(answer)) {
    for (const one of list(value)) {
      if (name === 'row') words.push('row:' + list(one.field).map((f) => f.name + '=' + encoded(f.value)).join('|'));
      else if (one !== null && typeof one === 'object') words.push(name + ':' + printed(one).join('|'));
      else words.push(name + '=' + encoded(one));
    }
  }
  return words;
}

// faultLine reads both forms of a fault.
function faultLine(fault) {
  const code = fault.faultcode ?? fault.Code?.Value;
  const text = fault.faultstring ?? fault.Reason?.Text;
  return 'fault ' + String(code?.$value ?? code).replace(/^.*:/, '') + ' ' + encoded(text?.$value ?? text);
}

async function ask(port, operation, words) {
  let answer;
  try {
    answer = await new Promise((resolve, reject) => {
      const options = { forever: true }; // which makes it ask for keep-alive
      port[operation](elements(words), (error, result) => (error ? reject(error) : resolve(result)), options);
    });
  } catch (error) {
    const fault = error.root?.Envelope?.Body?.Fault;
    return fault ? faultLine(fault) : 'refused ' + encoded(error.message);
  }
  const { instance, revision, ...rest } = answer ?? {};
  return [`${instance} ${revision}`, ...printed(rest)].join('\t');
}

async function main() {
  const [url, version] = process.argv.slice(2);
  const options = { preserveWhitespace: true, forceSoap12Headers: version === '1.2' };
  const client = await soap.createClientAsync(url, options);
  const [service, { ports }] = Object.entries(client.wsdl.services)[0];
  const names = Object.keys(ports); // as they stand in the WSDL: 1.1 before 1.2
  const port = client[service][version === '1.2' ? names[1] : names[0]];
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const [times, operation, ...words] = line.split('\t');
    const answers = new Set();
    for (let i = 0; i < Number(times); i++) answers.add(await ask(port, operation, words));
    console.log(answers.size === 1 ? [...answers][0] : 'different answers');
  }
}

main();
