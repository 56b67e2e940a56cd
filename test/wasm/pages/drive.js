// drive.js: what the scripts of this folder use to play the user. A page's script is
//     play(async () => { click('#add'); await until(() => text('#count') === '1'); });
'use strict';
const at = s => document.querySelector(s);
const text = s => at(s).textContent;
const click = s => at(s).click();
const sleep = ms => new Promise(go => setTimeout(go, ms));

async function until(condition, what) {
  for (let i = 0; i < 2000; i++) {
    if (await condition())
      return;
    await sleep(10);
  }
  throw new Error(`never: ${what || condition}; the page has: ${document.body.innerText}`);
}

function same(got, want) {
  if (got !== want)
    throw new Error(`got '${got}', expected '${want}'`);
}

const say = t => fetch('/result', { method: 'POST', body: t });
window.addEventListener('error', e => say('FAIL ' + e.message));
window.addEventListener('unhandledrejection', e => say('FAIL ' + e.reason));

function play(script) {
  script().then(() => say('PASS'), e => say('FAIL ' + e.message));
}
