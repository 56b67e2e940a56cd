// jspi.js: the questions of fermata.c with stacks of the engine (JSPI), in a page: jspi.wasm is
// jspi.c as plain WebAssembly. answer(QUESTION) is a promise of a number.
'use strict';
const jspiPromise = (async () => {
  if (!WebAssembly.Suspending)
    return null;
  const suspend = new WebAssembly.Suspending(() => Promise.resolve());
  const bytes = await (await fetch('jspi.wasm')).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, { env: { suspend } });
  const all = {};
  for (const name of ['fib', 'yields', 'one', 'deep'])
    all[name] = WebAssembly.promising(instance.exports[name]);
  return all;
})();

// How deep a recursion with 64 live variables may be, to a power of two.
async function depth(wasm) {
  for (let n = 1024; ; n *= 2) {
    try {
      await wasm.deep(n);
    } catch (e) {
      return n / 2;
    }
    if (n >= 1 << 20)
      return n;
  }
}

async function answer(what) {
  const wasm = await jspiPromise;
  if (!wasm)
    return NaN;
  const start = performance.now();
  let n;
  if (what === 'fib') {
    n = 2692537;
    await wasm.fib(30);
  } else if (what === 'switch') {
    n = 400000;
    await Promise.all([wasm.yields(n / 2), wasm.yields(n / 2)]);
  } else if (what === 'spawn') {
    n = 200000;
    for (let i = 0; i < n; i++)
      await wasm.one();
  } else {
    return depth(wasm);
  }
  return (performance.now() - start) * 1e6 / n;
}
