// browser.js: Chromium without a window, driven through the DevTools protocol over a pipe, without
// any package. Everything that a page logs, throws or asks the network for is kept. (test/wasm uses
// it, too.)
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const PATIENCE = 60000;

function found() {
  const folders = (process.env.PATH || '').split(':');
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    for (const folder of folders)
      if (fs.existsSync(path.join(folder, name)))
        return path.join(folder, name);
  return null;
}

class Browser {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fermata-page-'));
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
      '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-default-apps', '--disable-extensions', '--disable-sync', '--mute-audio',
      '--disable-background-timer-throttling', '--disable-renderer-backgrounding',
      '--disable-backgrounding-occluded-windows', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${this.profile}`,
      'about:blank'];
    this.process = spawn(program, options, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: this.profile },
    });
    this.waiting = new Map();
    this.number = 0;
    this.listeners = [];
    this.rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', (bytes) => this.received(bytes));
    this.process.stdio[3].on('error', () => {});
    this.process.on('exit', () => this.ended());
  }

  ended() {
    for (const { reject } of this.waiting.values())
      reject(new Error('the browser has ended'));
    this.waiting.clear();
  }

  // Messages end with a zero byte.
  received(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (let end = this.rest.indexOf(0); end >= 0; end = this.rest.indexOf(0)) {
      const message = JSON.parse(this.rest.subarray(0, end).toString());
      this.rest = this.rest.subarray(end + 1);
      this.handle(message);
    }
  }

  handle(message) {
    if (!message.id) {
      this.listeners.forEach((listener) => listener(message));
      return;
    }
    const { resolve, reject, method } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error)
      reject(new Error(`${method}: ${message.error.message}`));
    else
      resolve(message.result);
  }

  send(method, params, sessionId) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, method });
      this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
  }

  // kind: Page, or what extends it
  async page(width, height, kind = Page) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new kind(this, sessionId, targetId);
    await page.begin(width, height);
    return page;
  }

  async close() {
    const gone = new Promise((resolve) => this.process.on('exit', resolve));
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await this.send('Browser.close', {}).catch(() => {});
    await gone;
    clearTimeout(timer);
    fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session, target) {
    this.browser = browser;
    this.session = session;
    this.target = target;
    this.complaints = [];
    this.requests = [];
    browser.listeners.push((message) => this.note(message));
  }

  send(method, params) {
    return this.browser.send(method, params || {}, this.session);
  }

  async begin(width, height) {
    for (const domain of ['Page', 'Runtime', 'Network', 'Log'])
      await this.send(`${domain}.enable`);
    await this.resize(width, height);
  }

  resize(width, height, mobile) {
    return this.send('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile: Boolean(mobile) });
  }

  scheme(value) {
    return this.send('Emulation.setEmulatedMedia',
      { features: [{ name: 'prefers-color-scheme', value }] });
  }

  note({ method, params, sessionId }) {
    if (sessionId !== this.session)
      return;
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(params.exceptionDetails.exception
        ? params.exceptionDetails.exception.description : params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled')
      this.complaints.push(params.args.map((arg) => arg.value).join(' '));
    if (method === 'Log.entryAdded')
      this.complaints.push(params.entry.text);
    if (method === 'Network.requestWillBeSent')
      this.requests.push(params.request.url);
  }

  async open(url) {
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText)
      throw new Error(`${url}: ${errorText}`);
  }

  // The value of an expression, which may be a promise, as JSON.
  async value(expression) {
    const result = await this.send('Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true });
    if (result.exceptionDetails)
      throw new Error(`${expression}: ${result.exceptionDetails.exception.description}`);
    return result.result.value;
  }

  // Waits until an expression is true, but not for ever.
  async until(expression) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const value = await this.value(expression).catch(() => null);
      if (value)
        return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`never came true: ${expression}`);
  }

  opened() {
    return this.until('document.documentElement && (document.documentElement.dataset.ready' +
      ' || document.documentElement.dataset.failed)');
  }

  mouse(type, x, y, more) {
    return this.send('Input.dispatchMouseEvent',
      { type, x, y, button: 'left', clickCount: 1, ...more });
  }

  async key(key) {
    const text = key.length === 1 ? key : undefined;
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async picture(file, whole) {
    const { data } = await this.send('Page.captureScreenshot',
      { format: 'png', captureBeyondViewport: Boolean(whole) });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  close() {
    return this.browser.send('Target.closeTarget', { targetId: this.target });
  }
}

// fill(TEMPLATE, OBJECT, FILE): the page of an object, as the tool writes it.
function fill(template, json, file) {
  const [before, after] = fs.readFileSync(template, 'utf8').split('@FERMATA_DATA@');
  fs.writeFileSync(file, before + json.replace(/</g, '\\u003c') + after);
}

module.exports = { Browser, Page, found, fill };
