// javascript.js QUESTION: the questions of fermata.c in JavaScript: async functions and promises,
// or ("generator QUESTION") generators with a loop that takes them in turns. Under node it prints
// the answer; in a page answer(QUESTION) is a promise of it.
'use strict';

// ---- async functions ----
async function fib(n) {
  return n < 2 ? n : await fib(n - 1) + await fib(n - 2);
}
async function yields(n) {
  while (n-- > 0)
    await null;
}
const one = async () => 1;
async function spawns(n) {
  for (let i = 0; i < n; i++)
    await one();
}
const wait = async p => { await p; };

// ---- generators ----
function* generated(n) {
  return n < 2 ? n : (yield* generated(n - 1)) + (yield* generated(n - 2));
}
function* yieldsSo(n) {
  while (n-- > 0)
    yield;
}
function* oneSo() {
  return 1;
}
function takeTurns(all) {
  while (all.length) {
    const g = all.shift();
    if (!g.next().done)
      all.push(g);
  }
}
function spawnsSo(n) {
  for (let i = 0; i < n; i++)
    takeTurns([oneSo()]);
}
function* waitSo() {
  yield;
}

// ---- the questions: how many operations, and what does them ----
const MANY = 1000000;
const IDLE = 100000;
const questions = {
  'fib': [635621, () => fib(27)],
  'switch': [MANY, () => Promise.all([yields(MANY / 2), yields(MANY / 2)])],
  'spawn': [MANY, () => spawns(MANY)],
  'generator fib': [635621, () => generated(27).next()],
  'generator switch': [MANY, () => takeTurns([yieldsSo(MANY / 2), yieldsSo(MANY / 2)])],
  'generator spawn': [MANY, () => spawnsSo(MANY)],
};
const makes = {
  'idle': () => wait(new Promise(() => {})),
  'generator idle': () => {
    const g = waitSo();
    g.next();
    return g;
  },
};

function idle(make) {
  const all = [];
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < IDLE; i++)
    all.push(make());
  return (process.memoryUsage().heapUsed - before) / IDLE;
}

async function answer(what) {
  if (makes[what])
    return idle(makes[what]);
  const [n, run] = questions[what];
  const start = performance.now();
  await run();
  return (performance.now() - start) * 1e6 / n;
}

if (typeof process === 'object')
  answer(process.argv.slice(2).join(' ')).then(v => {
    console.log(v.toFixed(1));
    process.exit(0);
  });
