// browser.js DIR NAME...: opens the pages NAME.html of DIR in headless Chromium, one after the
// other, with the script pages/NAME.js of this folder in each: it plays the user, and reports how
// it went. Prints PASS or FAIL for each; exit status 1 if any failed. CHROMIUM: the browser; DRIVE:
// the folder of the scripts. The server listens on the loopback only, and answers what the examples
// ask for:
//   /data/numbers   10 pieces of 1000 bytes     /data/echo     the body of the request
//   /data/never     a body that does not end    /echo          a WebSocket that sends back
//   /data/aborted   how many /data/never were given up
//   /data/cut       a body that ends before its time
'use strict';
const http = require('http');
const fs = require('fs');
const os = require('os');
const path = require('path');
const crypto = require('crypto');
const { spawn } = require('child_process');

const [dir, ...names] = process.argv.slice(2);
const drive = process.env.DRIVE || path.join(__dirname, 'pages');
const SECONDS = Number(process.env.PAGE_SECONDS) || 60;
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
let aborted = 0;
let report = () => {};

function sendNumbers(res) {
  let left = 10;
  const next = () => {
    if (left-- === 0)
      res.end();
    else
      res.write('x'.repeat(1000), () => setTimeout(next, 2));
  };
  next();
}

function answerData(req, res, body) {
  res.setHeader('X-Test', 'yes');
  if (req.url === '/data/numbers') {
    sendNumbers(res);
  } else if (req.url === '/data/never') {
    res.write('a little');
    res.on('close', () => aborted++);
  } else if (req.url === '/data/cut') {
    res.setHeader('Content-Length', '1000');
    res.write('a little', () => setTimeout(() => res.destroy(), 20));
  } else if (req.url === '/data/aborted') {
    res.end(String(aborted));
  } else {
    res.end(req.method + ' ' + (req.headers['content-type'] || '') + ' ' + body);
  }
}

function answerFile(res, url) {
  const name = path.basename(url.pathname);
  const file = url.pathname.startsWith('/drive/') ? path.join(drive, name) : path.join(dir, name);
  fs.readFile(file, (err, data) => {
    if (err) {
      res.statusCode = 404;
      res.end();
      return;
    }
    res.setHeader('Content-Type', types[path.extname(file)] || 'text/plain');
    const page = path.extname(file) === '.html' && url.searchParams.has('test');
    const stem = path.basename(file, '.html');
    res.end(page ? data + `<script src="/drive/drive.js"></script>
<script src="/drive/${stem}.js"></script>\n` : data);
  });
}

const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://127.0.0.1');
  let body = '';
  req.on('data', d => { body += d; });
  req.on('end', () => {
    if (url.pathname === '/result') {
      res.end();
      report(body);
    } else if (url.pathname.startsWith('/data/')) {
      answerData(req, res, body);
    } else {
      answerFile(res, url);
    }
  });
});

// ---- a WebSocket that sends back what comes, closes after "bye", and is lost after "drop" ----
function frame(opcode, data) {
  return Buffer.concat([Buffer.from([0x80 | opcode, data.length]), data]);
}

function take(socket, buffer) {
  if (buffer.length < 6 || buffer.length < 6 + (buffer[1] & 0x7f))
    return null;
  const size = buffer[1] & 0x7f;
  const mask = buffer.subarray(2, 6);
  const data = Buffer.from(buffer.subarray(6, 6 + size).map((b, i) => b ^ mask[i % 4]));
  const opcode = buffer[0] & 15;
  if (opcode === 1 && data.toString() === 'bye')
    socket.write(frame(8, Buffer.concat([Buffer.from([4000 >> 8, 4000 & 255]),
                                         Buffer.from('good bye')])));
  else if (opcode === 1 && data.toString() === 'drop')
    socket.destroy();
  else if (opcode === 1 || opcode === 2)
    socket.write(frame(opcode, data));
  return buffer.subarray(6 + size);
}

server.on('upgrade', (req, socket) => {
  const key = req.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
  const accept = crypto.createHash('sha1').update(key).digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n' +
               `Connection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  let buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', d => {
    buffer = Buffer.concat([buffer, d]);
    for (let rest; (rest = take(socket, buffer)); buffer = rest)
      continue;
  });
});

// ---- Chromium ----
function removeProfile(profile) {
  for (let i = 0; i < 20; i++) {
    try {
      fs.rmSync(profile, { recursive: true, force: true });
      return;
    } catch (e) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

function open(url) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fermata-page-'));
  const browser = spawn(process.env.CHROMIUM || 'chromium', [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-extensions',
    '--disable-background-networking', '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows',
    '--disable-dev-shm-usage', '--user-data-dir=' + profile, url,
  ], { stdio: 'ignore' });
  const ended = new Promise(go => {
    browser.on('exit', go);
    browser.on('error', e => {
      report('FAIL ' + e.message);
      go();
    });
  });
  return async () => {
    browser.kill();
    await ended;
    removeProfile(profile);
  };
}

async function tryPage(port, name) {
  let timer;
  const result = new Promise(go => {
    report = go;
    timer = setTimeout(() => go(`FAIL nothing was reported in ${SECONDS} seconds`), SECONDS * 1000);
  });
  const close = open(`http://127.0.0.1:${port}/${name}.html?test`);
  const text = await result;
  clearTimeout(timer);
  await close();
  console.log(`${name}: ${text}`);
  return text.startsWith('PASS');
}

server.listen(0, '127.0.0.1', async () => {
  let ok = true;
  for (const name of names)
    ok = await tryPage(server.address().port, name) && ok;
  process.exit(ok ? 0 : 1);
});
