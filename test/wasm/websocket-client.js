// websocket-client.js: a client of WebSockets over a plain socket, for tests: it can say what a
// browser never would.
'use strict';
const net = require('net');
const crypto = require('crypto');

const TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;

function frame(opcode, data, { last = true, masked = true, bits = 0, length = null } = {}) {
  data = Buffer.from(data);
  const n = length === null ? data.length : length;
  const size = n < 126 ? [n] : n < 65536 ? [126, n >> 8, n & 255]
    : [127, 0, 0, 0, 0, ...[24, 16, 8, 0].map(s => (n >>> s) & 255)];
  const head = Buffer.from([(last ? 128 : 0) | bits << 4 | opcode, size[0] | (masked ? 128 : 0),
    ...size.slice(1)]);
  if (!masked)
    return Buffer.concat([head, data]);
  const mask = crypto.randomBytes(4);
  return Buffer.concat([head, mask, Buffer.from(data.map((b, i) => b ^ mask[i % 4]))]);
}

class Client {
  constructor(port) {
    this.socket = net.connect(port, '127.0.0.1');
    this.buffer = Buffer.alloc(0);
    this.frames = []; // { opcode, data }
    this.waiting = [];
    this.ended = false;
    this.paused = false;
    this.socket.on('data', data => {
      this.buffer = Buffer.concat([this.buffer, data]);
      this.wake();
    });
    for (const event of ['end', 'close', 'error'])
      this.socket.on(event, () => {
        this.ended = true;
        this.wake();
      });
  }

  wake() {
    const list = this.waiting;
    this.waiting = [];
    list.forEach(go => go());
  }

  // Waits until fn() gives something.
  async until(fn, what, ms = 10000) {
    const end = Date.now() + ms;
    for (let value; ; ) {
      if ((value = fn()))
        return value;
      if (Date.now() > end)
        throw new Error(`never: ${what}`);
      await new Promise(go => {
        this.waiting.push(go);
        setTimeout(go, Math.max(1, end - Date.now() + 1)).unref();
      });
    }
  }

  // Sends a request and returns the head of the answer.
  async request(text) {
    this.socket.write(text);
    return this.head();
  }

  async head() {
    const end = await this.until(() => {
      const at = this.buffer.indexOf('\r\n\r\n');
      return at >= 0 ? at + 4 : this.ended && this.buffer.length === 0 ? -1 : 0;
    }, 'the head of an answer');
    const head = end < 0 ? '' : this.buffer.subarray(0, end).toString();
    this.buffer = this.buffer.subarray(Math.max(0, end));
    return head;
  }

  async open(path, headers = '') {
    const key = crypto.randomBytes(16).toString('base64');
    const head = await this.request(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\n` +
      `Sec-WebSocket-Version: 13\r\n${headers}\r\n`);
    const accept = crypto.createHash('sha1')
      .update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
    if (!head.startsWith('HTTP/1.1 101') || !head.includes(`Sec-WebSocket-Accept: ${accept}\r\n`))
      throw new Error(`no handshake: ${head}`);
    return head;
  }

  // Takes the next frame of the server, if it is whole.
  take() {
    const b = this.buffer;
    if (b.length < 2)
      return null;
    if (b[1] & 128 || !(b[0] & 128))
      throw new Error('a frame of the server is masked or a fragment');
    let n = b[1], at = 2;
    if (n === 126 && b.length >= 4)
      [n, at] = [b.readUInt16BE(2), 4];
    else if (n >= 126)
      return null;
    if (b.length < at + n)
      return null;
    this.buffer = b.subarray(at + n);
    return { opcode: b[0] & 15, data: b.subarray(at, at + n) };
  }

  next(what = 'a frame') {
    return this.until(() => this.take() || (this.ended ? { opcode: -1 } : null), what);
  }

  // The code and reason of the server's end.
  async end() {
    for (;;) {
      const { opcode, data } = await this.next('the end');
      if (opcode === -1)
        return 'cut off';
      if (opcode === CLOSE)
        return data.length ? `${data.readUInt16BE(0)} ${data.subarray(2)}` : '';
    }
  }

  send(opcode, data, options) {
    this.socket.write(frame(opcode, data, options));
  }

  say(text) {
    this.send(TEXT, text);
  }

  close() {
    this.socket.destroy();
  }
}

module.exports = { Client, frame, TEXT, BINARY, CLOSE, PING, PONG };
