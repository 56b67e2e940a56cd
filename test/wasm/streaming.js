// streaming.js SERVER SITE [PART...]: plays a user of examples/streaming in headless Chromium.
// SERVER: the program of its server; SITE: the folder with its page. Without PARTs all are played,
// one after the other, each in a new browser. SHOTS: a folder for screenshots. Prints PASS or FAIL
// for each part; exit status 1 if any failed.
'use strict';
const { spawn } = require('child_process');
const http = require('http');
const fs = require('fs');
const path = require('path');
const { start, open, sleep } = require('./user.js');

const [program, site, ...chosen] = process.argv.slice(2);

// ---- the server ----
// None is left when this script ends, however it ends.
const servers = [];
process.on('exit', () => servers.forEach(child => child.kill('SIGKILL')));
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => process.exit(1));

class Server {
  // port 0: any
  async start(port = 0) {
    this.child = spawn(program, ['-p', String(port), '-d', site],
      { stdio: ['ignore', 'pipe', 'inherit'] });
    servers.push(this.child);
    this.ended = new Promise(go => this.child.on('exit', (code, signal) => go(code ?? signal)));
    const line = await new Promise((go, fail) => {
      this.child.stdout.once('data', data => go(String(data).trim()));
      this.ended.then(code => fail(new Error(`the server has ended: ${code}`)));
    });
    this.url = line;
    this.port = Number(/:(\d+)\//.exec(line)[1]);
    return this;
  }

  stop(signal = 'SIGTERM') {
    this.child.kill(signal);
    return this.ended;
  }
}

// A server of files that knows nothing of streams.
function plainServer() {
  const server = http.createServer((req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(req.method === 'HEAD' ? '' : fs.readFileSync(path.join(site, 'index.html')));
  });
  return new Promise(go => server.listen(0, '127.0.0.1', () => go(server)));
}

// ---- what the page shows ----
const card = (i, what) => `streaming.state.cards[${i}].${what}`;
const chart = i => `streaming.cards[${i}].chart.data[0]`;

function check(ok, what) {
  if (!ok)
    throw new Error(what);
}

const ready = page => page.until('window.streaming?.state && streaming.cards.length === 6 && ' +
  'streaming.cards.every(c => Date.now() / 1000 - Math.max(0, ...c.chart.data[0]) < 1)',
  'all charts are up to date');

const untilState = (page, i, ...states) => page.until(
  `${JSON.stringify(states)}.includes(document.getElementById('card-${i}').dataset.state)`,
  `card ${i} is ${states}`);
const events = (page, i) =>
  page.value(`[...document.querySelectorAll('#card-${i} .events li')].map(l => l.textContent)`);

async function untilEvent(page, i, text) {
  await page.until(`[...document.querySelectorAll('#card-${i} .events li')]
    .some(l => l.textContent.includes(${JSON.stringify(text)}))`, `an event '${text}' of ${i}`);
}

// Times of the points, in ms. All prices are multiples of their step: none may be missing.
async function times(page, i) {
  return (await page.value(`Array.from(${chart(i)})`)).map(t => Math.round(t * 1000));
}

// Where the rate has changed, one step may be shorter.
function checkWhole(list, rates, what) {
  const steps = rates.map(rate => 1000 / rate);
  let changes = rates.length - 1;
  for (let k = 1; k < list.length; k++) {
    const step = list[k] - list[k - 1];
    const short = step < Math.max(...steps) && step % 20 === 0 && changes > 0;
    check(steps.includes(step) || short, `${what}: ${step} ms between two prices`);
    changes -= !steps.includes(step);
  }
}

const node = (page, name) => page.value(
  `streaming.state.tree.find(n => n.name === ${JSON.stringify(name)})`);

async function clickNode(page, verb, name) {
  const { number } = await node(page, name);
  await page.click(`#${verb}-node-${number}`);
}

// No point comes for a while. Frames that are under way may bring a last one.
async function standsStill(page, i, ms) {
  await sleep(150);
  const before = (await times(page, i)).pop();
  await sleep(ms);
  check((await times(page, i)).pop() === before, `chart ${i} goes on`);
}

async function goesOn(page, i) {
  const last = (await times(page, i)).pop();
  await page.until(`${chart(i)}[${chart(i)}.length - 1] * 1000 > ${last + 1}`,
    `chart ${i} goes on`);
}

function noErrors(page, allowed) {
  const left = page.complaints.filter(e => !allowed || !allowed.test(e));
  check(left.length === 0, `the console has: ${left.join(' | ')}`);
}

// ---- parts ----
const parts = {
  // A little of everything, on a phone in the dark: for `make check`.
  async short(browser) {
    const server = await new Server().start();
    const page = await open(browser, server.url,
      { width: 390, height: 844, mobile: true, dark: true });
    await ready(page);
    await untilState(page, 0, 'live');
    await page.choose('#speed-0', 50);
    await clickNode(page, 'pause', 'NORD chart');
    await page.until(`${card(0, 'samples')} === 64 && ${card(0, 'points')} > 0`,
      'the queues fill up');
    await standsStill(page, 0, 200);
    await clickNode(page, 'resume', 'NORD chart');
    await goesOn(page, 0);
    await page.until(`${card(0, 'samples')} < 32`, 'the queue is emptied');
    checkWhole(await times(page, 0), [10, 50], 'after a pause of the chart');
    await clickNode(page, 'cancel', 'KILN process');
    await untilState(page, 1, 'stopped');
    await page.click('#pause-all');
    await untilState(page, 2, 'held');
    await page.click('#resume-all');
    await server.stop('SIGKILL');
    await untilState(page, 2, 'waiting');
    await server.start(server.port);
    await untilState(page, 2, 'live');
    await goesOn(page, 2);
    checkWhole(await times(page, 2), [10], 'over the gap');
    const wide = await page.value(`[document.documentElement.scrollWidth, innerWidth]`);
    check(wide[0] <= wide[1], `${wide[0]} pixels in a window of ${wide[1]}`);
    await page.click('#stop-all');
    await untilState(page, 0, 'stopped');
    check(await server.stop() === 0, 'SIGTERM ends the server cleanly');
    noErrors(page, /WebSocket connection|ERR_CONNECTION/);
  },

  // Start, stop, pause, resume, of one and of all.
  async buttons(browser, server) {
    const page = await open(browser, server.url);
    await ready(page);
    await untilState(page, 0, 'live');
    check((await node(page, 'NORD chart')).file === 'pipeline.c', 'the place of NORD chart');
    check((await node(page, 'NORD chart')).line > 0, 'the line of NORD chart');
    await page.click('#pause-0');
    await untilState(page, 0, 'paused');
    await standsStill(page, 0, 700);
    await goesOn(page, 1);
    await page.click('#resume-0');
    await untilState(page, 0, 'live');
    await goesOn(page, 0);
    checkWhole(await times(page, 0), [10], 'after a pause');
    await page.click('#stop-1');
    await untilState(page, 1, 'stopped');
    await standsStill(page, 1, 400);
    await page.until(`!streaming.state.tree.some(n => /^KILN/.test(n.name))`,
      'KILN has left the tree');
    await page.click('#start-1');
    await untilState(page, 1, 'live');
    await goesOn(page, 1);
    await page.click('#pause-all');
    await untilState(page, 2, 'held');
    await Promise.all([2, 3, 4].map(i => standsStill(page, i, 500)));
    await page.click('#resume-all');
    await Promise.all([0, 1, 2, 3, 4, 5].map(i => goesOn(page, i)));
    checkWhole(await times(page, 3), [10], 'after a pause of all');
    await page.click('#stop-all');
    await Promise.all([0, 5].map(i => untilState(page, i, 'stopped')));
    await page.until('streaming.state.tree.length <= 8', 'all pipelines have left the tree');
    await page.click('#start-all');
    await Promise.all([0, 5].map(i => untilState(page, i, 'live')));
    await goesOn(page, 5);
    const told = (await events(page, 0)).join('\n');
    for (const text of ['subscribed', 'connected', 'paused', 'resumed', 'paused: all', 'cancelled'])
      check(told.includes(text), `no event '${text}': ${told}`);
    noErrors(page);
  },

  // Speed and window, of one and of all.
  async menus(browser, server) {
    const page = await open(browser, server.url);
    await ready(page);
    await page.choose('#speed-0', 50);
    await page.until(`(d => d.length > 9 && d[d.length - 1] - d[d.length - 9] < 0.17)(${chart(0)})`,
      '50 prices a second');
    checkWhole((await times(page, 0)), [10, 50], 'after a change of speed');
    await page.choose('#speed-all', 25);
    await page.until(`(d => Math.abs(d[d.length - 1] - d[d.length - 2] - 0.04) < 0.001)` +
      `(${chart(4)})`, '25 prices a second');
    await page.until(`streaming.state.cards.every(c => c.rate === 25)`, 'the rate of all');
    await page.choose('#window-2', 120);
    await page.until(`${card(2, 'window')} === 120 && ${chart(2)}.length > 1100 && ` +
      `${card(2, 'count')} > 1100`, 'a window of two minutes has the past as well');
    await page.choose('#window-all', 10);
    await page.until(`${card(2, 'window')} === 10 && ${chart(2)}.length < 400 && ` +
      `${card(2, 'count')} <= 250`, 'a window of ten seconds');
    const f = await page.value('streaming.state.cards[2]');
    check(f.low <= f.mean && f.mean <= f.high && f.deviation >= 0, 'figures');
    noErrors(page);
  },

  // Nodes of the tree: pause of a part fills the queues, and loses nothing; cancel of a part ends
  // the pipeline and closes its socket.
  async tree(browser, server) {
    const page = await open(browser, server.url);
    await ready(page);
    await page.choose('#speed-all', 50);
    await clickNode(page, 'pause', 'NORD chart');
    await page.until(`${card(0, 'samples')} === 64 && ${card(0, 'points')} === 64`,
      'both queues are full');
    await untilState(page, 0, 'part');
    await page.until(`document.querySelector('#card-0 [data-is=points]').dataset.full === 'full'`);
    await standsStill(page, 0, 300);
    const fetching = await node(page, 'NORD fetch');
    check(/channel/.test(fetching.wants || ''), `fetch waits for ${fetching.wants}`);
    await clickNode(page, 'resume', 'NORD chart');
    await page.until(`${card(0, 'samples')} < 32`, 'the queue is emptied');
    await page.until(`Date.now() / 1000 - ${chart(0)}[${chart(0)}.length - 1] < 0.5`,
      'the chart is up to date again');
    checkWhole(await times(page, 0), [10, 50], 'after a pause of the chart');
    check(await page.value(card(0, 'lost')) === 0, 'nothing is lost');
    await clickNode(page, 'cancel', 'KILN process');
    await untilState(page, 1, 'stopped');
    await untilEvent(page, 1, 'process was cancelled');
    await page.until(`!streaming.state.tree.some(n => /^KILN/.test(n.name))`, 'KILN is gone');
    await page.click('#start-1');
    await untilState(page, 1, 'live');
    await goesOn(page, 1);
    await clickNode(page, 'pause', 'TIDE');
    await untilState(page, 2, 'paused');
    await standsStill(page, 2, 300);
    await clickNode(page, 'cancel', 'TIDE');
    await untilState(page, 2, 'stopped');
    await clickNode(page, 'pause', 'all instruments');
    await untilState(page, 3, 'held');
    await clickNode(page, 'resume', 'all instruments');
    await goesOn(page, 3);
    await clickNode(page, 'cancel', 'all instruments');
    await untilState(page, 3, 'stopped');
    noErrors(page);
  },

  // The server is killed, and comes back.
  async reconnect(browser) {
    const server = await new Server().start();
    const page = await open(browser, server.url);
    await ready(page);
    await untilState(page, 0, 'live');
    const last = (await times(page, 0)).pop();
    await server.stop('SIGKILL');
    await untilState(page, 0, 'waiting');
    await untilEvent(page, 0, 'the connection has ended: 1006');
    await untilEvent(page, 0, 'attempt 2 in');
    await page.until(`/reconnecting/.test(document.getElementById('source-state').innerText)`,
      'the page says that it reconnects');
    await server.start(server.port);
    for (let i = 0; i < 6; i++)
      await untilState(page, i, 'live');
    await untilEvent(page, 0, 'reconnected');
    await goesOn(page, 0);
    const list = await times(page, 0);
    check(list.includes(last), 'the old prices are still there');
    checkWhole(list, [10], 'over the gap');
    check(await server.stop() === 0, 'SIGTERM ends the server cleanly');
    await untilEvent(page, 0, 'the connection has ended: 1001 the server ends');
    await page.choose('#source', 'page');
    await untilState(page, 0, 'generated');
    await goesOn(page, 0);
    noErrors(page, /WebSocket connection|ERR_CONNECTION/);
  },

  // No server: a server of files, and a file.
  async alone(browser) {
    const plain = await plainServer();
    const urls = [`http://127.0.0.1:${plain.address().port}/`,
      'file://' + path.resolve(site, 'index.html')];
    for (const url of urls) {
      const page = await open(browser, url);
      await ready(page);
      await untilState(page, 0, 'generated');
      check(await page.value(`document.querySelector('#source option').disabled`), 'no server');
      await page.click('#pause-5');
      await untilState(page, 5, 'paused');
      await standsStill(page, 5, 300);
      await page.click('#resume-5');
      await goesOn(page, 5);
      checkWhole(await times(page, 5), [10], 'generated, after a pause');
      await clickNode(page, 'cancel', 'HELI fetch');
      await untilState(page, 5, 'stopped');
      noErrors(page);
      await page.close();
    }
    plain.close();
  },

  // A laptop and a phone, light and dark: nothing is wider than the window, texts can be read, all
  // controls have names, and a finger can hit them.
  async looks(browser, server) {
    for (const [name, width, height, mobile, dark] of [
      ['laptop-light', 1366, 800, false, false], ['laptop-dark', 1366, 800, false, true],
      ['phone-light', 390, 844, true, false], ['phone-dark', 390, 844, true, true],
      ['tablet-light', 820, 1180, true, false]]) {
      const page = await open(browser, server.url, { width, height, mobile, dark });
      await ready(page);
      const wide = await page.value(`[document.documentElement.scrollWidth, innerWidth]`);
      check(wide[0] <= wide[1], `${name}: ${wide[0]} pixels in a window of ${wide[1]}`);
      const theme = await page.value('document.documentElement.dataset.theme');
      check(theme === (dark ? 'dark' : 'light'), `${name}: the theme is ${theme}`);
      await checkContrast(page, name);
      await checkControls(page, name, mobile);
      if (process.env.SHOTS) {
        await sleep(1500);
        await page.picture(path.join(process.env.SHOTS, `${name}.png`));
      }
      noErrors(page);
      await page.close();
    }
  },
};

// Texts have a contrast of 4.5 at least (WCAG AA).
async function checkContrast(page, name) {
  const poor = await page.value(`(() => {
    const rgb = text => text.match(/[\\d.]+/g).map(Number);
    const part = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
    const ground = e => {
      for (; e; e = e.parentElement) {
        const c = rgb(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] === 1) return c;
      }
      return [255, 255, 255];
    };
    const poor = [];
    for (const e of document.querySelectorAll('main *, .top *, .toolbar *')) {
      const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
      if (!own || e.closest(':disabled') || !e.getClientRects().length) continue;
      const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) poor.push(e.className + ' ' + e.textContent.slice(0, 20) + ' ' +
        contrast.toFixed(2));
    }
    return poor;
  })()`);
  check(poor.length === 0, `${name}: poor contrast: ${poor.slice(0, 5).join(', ')}`);
}

async function checkControls(page, name, mobile) {
  const wrong = await page.value(`[...document.querySelectorAll('button, select')].filter(e => {
    const r = e.getBoundingClientRect();
    const named = e.getAttribute('aria-label') || e.textContent.trim() || e.title;
    return r.width && (!named || r.height < ${mobile && name.startsWith('phone') ? 34 : 26} ||
      r.width < 26);
  }).map(e => e.id)`);
  check(wrong.length === 0, `${name}: small or without a name: ${wrong.slice(0, 5)}`);
}

// ---- all ----
async function play(name) {
  const browser = start();
  const server = await new Server().start();
  const began = Date.now();
  let result = 'PASS';
  try {
    await parts[name](browser, server);
  } catch (e) {
    result = `FAIL ${e.stack}`;
  }
  await browser.close();
  const code = await server.stop();
  if (code !== 0 && result === 'PASS')
    result = `FAIL the server has ended with ${code}`;
  console.log(`${name}: ${result} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  return result === 'PASS';
}

(async () => {
  let ok = true;
  for (const name of chosen.length ? chosen : Object.keys(parts))
    ok = await play(name) && ok;
  process.exit(ok ? 0 : 1);
})();
