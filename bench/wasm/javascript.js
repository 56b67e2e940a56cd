// javascript.js QUESTION: the same in JavaScript: async functions and promises.
'use strict';
async function fib(n) {
  return n < 2 ? n : await fib(n - 1) + await fib(n - 2);
}
function* generated(n) {
  return n < 2 ? n : (yield* generated(n - 1)) + (yield* generated(n - 2));
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
async function idle() {
  const before = process.memoryUsage().heapUsed;
  const all = [];
  const wait = async p => { await p; };
  for (let i = 0; i < 100000; i++)
    all.push(wait(new Promise(() => {})));
  return ((process.memoryUsage().heapUsed - before) / 100000).toFixed(0);
}

(async what => {
  const start = performance.now();
  let n;
  if (what === 'fib') {
    await fib(27);
    n = 635621;
  } else if (what === 'generator') {
    generated(27).next();
    n = 635621;
  } else if (what === 'switch') {
    n = 1000000;
    await Promise.all([yields(n / 2), yields(n / 2)]);
  } else if (what === 'idle') {
    console.log(await idle());
    process.exit(0);
  } else {
    n = 1000000;
    await spawns(n);
  }
  console.log(((performance.now() - start) * 1e6 / n).toFixed(1));
})(process.argv[2]);
