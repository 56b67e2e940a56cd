// streaming-server.js SERVER SITE [MANY]: tries the server of examples/streaming from outside: its
// HTTP, the handshake, frames that are right and wrong, flow control, slow clients, MANY clients at
// once (200), and its end. Prints a line for each part; exit status 1 if any failed.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const { Client, frame, TEXT, BINARY, CLOSE, PING, PONG } = require('./websocket-client.js');

const [program, site, many = '200'] = process.argv.slice(2);
const sleep = ms => new Promise(go => setTimeout(go, ms));

function same(got, want, what) {
  if (got !== want)
    throw new Error(`${what}: got '${got}', expected '${want}'`);
}

function check(ok, what) {
  if (!ok)
    throw new Error(what);
}

// None is left when this script ends, however it ends.
const servers = [];
process.on('exit', () => servers.forEach(child => child.kill('SIGKILL')));
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => process.exit(1));

async function startServer(...options) {
  const child = spawn(program, ['-p', '0', '-d', site, ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(child);
  const ended = new Promise(go => child.on('exit', (code, signal) => go(code ?? signal)));
  const line = await new Promise(go => child.stdout.once('data', data => go(String(data))));
  return { child, ended, port: Number(/:(\d+)\//.exec(line)[1]) };
}

const status = head => Number(head.split(' ')[1]);

async function ask(server, text) {
  const c = new Client(server.port);
  const head = await c.request(text);
  c.close();
  return status(head);
}

// Prices of a message.
const lines = ({ data }) => String(data).trim().split('\n').map(line => line.split(' '));

// ---- parts ----
const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const upgrade = 'Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n';
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

async function tryHttp(server) {
  const page = fs.readFileSync(`${site}/index.html`);
  const c = new Client(server.port);
  for (const path of ['/', '/index.html']) { // on one connection
    const head = await c.request(get(path));
    same(status(head), 200, path);
    check(/Content-Type: text\/html/.test(head) && /X-Fermata-Stream: \/stream\//.test(head), head);
    await c.until(() => c.buffer.length >= page.length, 'the page');
    check(c.buffer.equals(page), 'the page as it is');
    c.buffer = Buffer.alloc(0);
  }
  const head = await c.request('HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  check(head.includes(`Content-Length: ${page.length}\r\n`), head);
  await c.until(() => c.ended, 'the end of the connection');
  same(c.buffer.length, 0, 'the body of HEAD');
  const two = new Client(server.port); // in one piece
  same(status(await two.request(get('/none') + get('/other'))), 404, 'the first of two');
  two.buffer = two.buffer.subarray(two.buffer.indexOf('HTTP'));
  same(status(await two.head()), 404, 'the second of two');
  two.close();
  const wrong = [
    [get('/../server.c'), 404], [get('/stream/NOPE', upgrade + key), 404],
    ['POST / HTTP/1.1\r\nHost: a\r\n\r\n', 405], ['GET /\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400], [get('/', 'no colon\r\n'), 400],
    [get('/', 'a b: c\r\n'), 400],
    ['GET / HTTP/2.0\r\nHost: a\r\n\r\n', 505], [get('/' + 'x'.repeat(2000)), 414],
    [get('/', 'X: y\r\n'.repeat(200)), 431], [get('/', `X: ${'y'.repeat(10000)}\r\n`), 431],
    [get('/', 'Content-Length: 5\r\n') + 'hello', 413],
    [get('/', 'Transfer-Encoding: chunked\r\n'), 413],
    [get('/stream/NORD'), 426], [get('/stream/NORD', upgrade + key), 426],
    [get('/stream/NORD', upgrade + key + 'Sec-WebSocket-Version: 12\r\n'), 426],
    [get('/stream/NORD', upgrade + 'Sec-WebSocket-Version: 13\r\n'), 400],
    [get('/stream/NORD', upgrade + 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n'), 400],
    [get('/stream/NORD', upgrade + key + 'Sec-WebSocket-Version: 13\r\nOrigin: http://b\r\n'), 403],
    [get('/stream/NORD', upgrade + key + 'Sec-WebSocket-Version: 13\r\nOrigin: http://a\r\n'), 101],
  ];
  for (const [text, want] of wrong)
    same(await ask(server, text), want, JSON.stringify(text.slice(0, 80)));
  // the example of RFC 6455
  const sample = new Client(server.port);
  const answer = await sample.request(get('/stream/NORD', upgrade + key +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: x, fermata.prices\r\n'));
  check(answer.includes('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n'), answer);
  check(answer.includes('Sec-WebSocket-Protocol: fermata.prices\r\n'), answer);
  sample.close();
}

// What is wrong in a frame ends the connection with the code that the RFC names.
async function tryFrames(server) {
  const close = (code, reason = '') =>
    Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]);
  const wrong = [
    ['not masked', frame(TEXT, 'more 1', { masked: false }), '1002'],
    ['reserved bits', frame(TEXT, 'more 1', { bits: 4 }), '1002'],
    ['opcode 3', frame(3, 'x'), '1002'], ['opcode 11', frame(11, 'x'), '1002'],
    ['nothing to continue', frame(0, 'x'), '1002'],
    ['a message inside another', Buffer.concat([frame(TEXT, 'm', { last: false }),
      frame(TEXT, 'more 1')]), '1002'],
    ['a ping in fragments', frame(PING, 'x', { last: false }), '1002'],
    ['a large ping', frame(PING, 'x'.repeat(126)), '1002'],
    ['not UTF-8', frame(TEXT, [0xff, 0xfe]), '1007'],
    ['a surrogate', frame(TEXT, [0xed, 0xa0, 0x80]), '1007'],
    ['overlong', frame(TEXT, [0xc0, 0xaf]), '1007'],
    ['cut in a character', frame(TEXT, [0xe2, 0x82]), '1007'],
    ['too large', frame(TEXT, 'x'.repeat(5000)), '1009'],
    ['too large in parts', Buffer.concat([frame(TEXT, 'x'.repeat(3000), { last: false }),
      frame(0, 'x'.repeat(3000))]), '1009'],
    ['a length of 4 GB', frame(BINARY, '', { length: 0xffffffff }), '1009'],
    ['bytes', frame(BINARY, 'more 1'), '1008'], ['nonsense', frame(TEXT, 'hello'), '1008'],
    ['more of nothing', frame(TEXT, 'more 0'), '1008'],
    ['more than anything', frame(TEXT, 'more 100000'), '1008'],
    ['a rate of 0', frame(TEXT, 'rate 0'), '1008'],
    ['a close of one byte', frame(CLOSE, 'x'), '1002'],
    ['a close with 1005', frame(CLOSE, close(1005)), '1002'],
    ['a close with 999', frame(CLOSE, close(999)), '1002'],
    ['a reason that is no text', frame(CLOSE, close(1000, Buffer.from([0xff]))), '1007'],
    ['a close', frame(CLOSE, ''), ''],
    ['a close with 1000', frame(CLOSE, close(1000, 'bye')), '1000'],
    ['a close with 4321', frame(CLOSE, close(4321)), '4321'],
  ];
  for (const [what, bytes, want] of wrong) {
    const c = new Client(server.port);
    await c.open('/stream/NORD');
    c.socket.write(bytes);
    same((await c.end()).split(' ')[0], want, what);
    await c.until(() => c.ended, `${what}: the end of the connection`, 3000);
    c.close();
  }
}

// Fragments, with control frames between them, byte by byte; pongs have the ping's data.
async function tryFragments(server) {
  const c = new Client(server.port);
  await c.open('/stream/NORD?rate=50');
  const bytes = Buffer.concat([frame(TEXT, 'mo', { last: false }), frame(PING, 'are you there'),
    frame(0, 're', { last: false }), frame(PONG, 'unasked'), frame(0, '', { last: false }),
    frame(0, ' 3')]);
  for (const b of bytes) {
    c.socket.write(Buffer.from([b]));
    await sleep(1);
  }
  let pong = null, prices = 0;
  while (!pong || prices < 3) {
    const f = await c.next();
    if (f.opcode === PONG)
      pong = String(f.data);
    else
      prices += lines(f).length;
  }
  same(pong, 'are you there', 'the pong');
  c.close();
}

// As many prices as were asked for, none missing; the past; another rate.
async function tryFlow(server) {
  const c = new Client(server.port);
  const since = Date.now() - 60000;
  await c.open(`/stream/OPAL?rate=10&since=${since}`);
  await sleep(200);
  same(c.buffer.length, 0, 'nothing was asked for');
  const got = [];
  const take = async n => {
    c.say(`more ${n}`);
    while (n > 0) {
      const list = lines(await c.next());
      list.forEach(([word]) => same(word, 'price', 'a line'));
      got.push(...list.map(([, time]) => Number(time)));
      n -= list.length;
    }
    same(n, 0, 'more than was asked for');
  };
  await take(10);
  check(got[0] > since && got[0] - since <= 100, 'the first price is the first of those wanted');
  await take(600);
  for (let i = 1; i < got.length; i++)
    same(got[i] - got[i - 1], 100, 'ms between two prices');
  check(Math.abs(Date.now() - got[got.length - 1]) < 500, 'the last one is of now');
  await sleep(300);
  same(c.take(), null, 'nothing was asked for any more');
  c.say('rate 50');
  got.length = 0;
  await take(40);
  const steps = got.slice(1).map((t, i) => t - got[i]);
  check(steps.slice(8).every(step => step === 20), `steps of 20 ms: ${steps}`);
  c.close();
}

// A client that reads nothing is given up; another is not disturbed.
async function trySlow() {
  const server = await startServer('-t', '500');
  const slow = new Client(server.port);
  const quick = new Client(server.port);
  await slow.open('/stream/NORD?rate=50&since=1');
  await quick.open('/stream/NORD?rate=50');
  slow.socket.pause();
  const both = sockets(server);
  quick.say('more 9000');
  let last = 0, longest = 0;
  for (const end = Date.now() + 10000; Date.now() < end && sockets(server) >= both; ) {
    const f = await quick.next();
    for (const [, time] of lines(f)) {
      if (last)
        same(Number(time) - last, 20, 'ms between two prices of the quick one');
      last = Number(time);
    }
    longest = Math.max(longest, Date.now() - last);
    if (slow.socket.writableLength < 1000000) // each asks for an answer of the same size
      for (let i = 0; i < 300; i++)
        slow.send(PING, 'x'.repeat(120));
  }
  check(sockets(server) < both, 'the slow client is still there');
  check(longest < 5000, `the quick one waited ${longest} ms`); // this script is busy, too
  slow.close();
  quick.close();
  server.child.kill();
  same(await server.ended, 0, 'the end');
}

// How many sockets the server has open.
function sockets(server) {
  const names = fs.readdirSync(`/proc/${server.child.pid}/fd`).map(fd => {
    try {
      return fs.readlinkSync(`/proc/${server.child.pid}/fd/${fd}`);
    } catch (e) {
      return '';
    }
  });
  return names.filter(name => name.startsWith('socket:')).length;
}

// Many at once: each gets every price. Some leave without a word. At the end all are told.
async function tryMany(server) {
  const symbols = ['NORD', 'KILN', 'TIDE', 'OPAL', 'FERN', 'HELI'];
  const clients = [];
  for (let i = 0; i < Number(many); i++) {
    const c = new Client(server.port);
    c.last = 0;
    c.count = 0;
    c.opened = c.open(`/stream/${symbols[i % 6]}?rate=25`).then(() => c.say('more 5000'));
    clients.push(c);
  }
  await Promise.all(clients.map(c => c.opened));
  const read = async c => {
    for (;;) {
      const f = await c.next();
      if (f.opcode === -1 || f.opcode === CLOSE)
        return f.opcode === CLOSE ? String(f.data.readUInt16BE(0)) : 'cut off';
      if (f.opcode !== TEXT)
        continue;
      for (const [, time] of lines(f)) {
        if (c.last)
          same(Number(time) - c.last, 40, 'ms between two prices');
        c.last = Number(time);
        c.count++;
      }
    }
  };
  const leaving = clients.splice(0, Math.floor(clients.length / 4));
  const ends = clients.map(read);
  await sleep(1000);
  leaving.forEach((c, i) => (i % 2 ? c.socket.resetAndDestroy?.() ?? c.close() : c.close()));
  await sleep(1500);
  const before = Date.now();
  server.child.kill('SIGTERM');
  const codes = await Promise.all(ends);
  codes.forEach(code => same(code, '1001', 'the end of a client'));
  clients.forEach(c => check(c.count >= 40, `a client has had ${c.count} prices`));
  clients.forEach(c => c.socket.end());
  same(await server.ended, 0, 'the exit status');
  check(Date.now() - before < 3000, `the end took ${Date.now() - before} ms`);
}

(async () => {
  let ok = true;
  const server = await startServer();
  const parts = { http: tryHttp, frames: tryFrames, fragments: tryFragments, flow: tryFlow,
    slow: trySlow, many: tryMany };
  for (const [name, part] of Object.entries(parts)) {
    const began = Date.now();
    let result = 'PASS';
    try {
      await part(server);
    } catch (e) {
      result = `FAIL ${e.stack}`;
      ok = false;
    }
    console.log(`${name}: ${result} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
  server.child.kill('SIGKILL');
  process.exit(ok ? 0 : 1);
})();
