// user.js: a user of pages in headless Chromium (test/report/browser.js): real clicks, menus,
// windows of any size and colours.
//     const browser = start(); const page = await open(browser, url); …; await browser.close();
// CHROMIUM: the browser.
'use strict';
const { Browser, Page } = require('../report/browser.js');

const PATIENCE = 60;
const sleep = ms => new Promise(go => setTimeout(go, ms));

class UserPage extends Page {
  // Waits until the expression is true.
  async until(expression, what) {
    for (const end = Date.now() + PATIENCE * 1000; Date.now() < end; await sleep(20))
      if (await this.value(`Boolean(${expression})`))
        return;
    throw new Error(`never: ${what || expression}`);
  }

  // A click of the mouse in the middle of an element, where the user would see it.
  async click(selector) {
    const spot = await this.value(`(() => {
      const e = document.querySelector(${JSON.stringify(selector)});
      if (!e) return 'there is none';
      if (e.disabled) return 'it is disabled';
      e.scrollIntoView({ block: 'center', behavior: 'instant' });
      const r = e.getBoundingClientRect();
      const x = r.x + r.width / 2, y = r.y + r.height / 2;
      const hit = document.elementFromPoint(x, y);
      if (hit !== e && !e.contains(hit)) return 'covered by ' + hit?.outerHTML.slice(0, 80);
      return { x, y };
    })()`);
    if (typeof spot === 'string')
      throw new Error(`click on ${selector}: ${spot}`);
    await this.mouse('mousePressed', spot.x, spot.y);
    await this.mouse('mouseReleased', spot.x, spot.y);
  }

  // Chooses from a menu.
  choose(selector, value) {
    return this.value(`(() => {
      const e = document.querySelector(${JSON.stringify(selector)});
      e.value = ${JSON.stringify(String(value))};
      e.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
  }
}

function start() {
  return new Browser(process.env.CHROMIUM || 'chromium');
}

async function open(browser, url, { width = 1366, height = 800, mobile, dark } = {}) {
  const page = await browser.page(width, height, UserPage);
  await page.resize(width, height, mobile);
  await page.scheme(dark ? 'dark' : 'light');
  await page.open(url);
  return page;
}

module.exports = { start, open, sleep };
