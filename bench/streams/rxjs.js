// The same with RxJS: values from an array, through map and filter, by merge of two arrays, and by a
// generator function. An async generator is beside it, because RxJS's own is synchronous.
const { from, merge, map, filter } = require('rxjs');

const VALUES = 100000;
const CHUNKS = process.env.BENCH_MOMENT ? 1 : 50;
const numbers = Array.from({ length: VALUES }, (_, i) => i);
const half = VALUES / 2;

function* emit() {
  for (let i = 0; i < VALUES; i++) yield i;
}
async function* emitLater() {
  for (let i = 0; i < VALUES; i++) yield i;
}

const streams = {
  array: () => from(numbers),
  mapped: () => from(numbers).pipe(map((x) => x + 1), filter((x) => x % 2 === 0)),
  merged: () => merge(from(numbers.slice(0, half)), from(numbers.slice(half))),
  generated: () => from(emit()),
  generated_later: () => from(emitLater()),
};
const even = half * (half + 1);
const whole = (VALUES * (VALUES - 1)) / 2;

function consume(stream) {
  return new Promise((resolve, reject) => {
    let sum = 0;
    stream.subscribe({ next: (x) => { sum += x; }, error: reject, complete: () => resolve(sum) });
  });
}

(async () => {
  const best = {};
  for (let round = 0; round < CHUNKS; round++) {
    for (const [name, make] of Object.entries(streams)) {
      const then = process.hrtime.bigint();
      const sum = await consume(make());
      const each = Number(process.hrtime.bigint() - then) / VALUES;
      if (sum !== (name === 'mapped' ? even : whole)) throw new Error(name);
      best[name] = Math.min(best[name] ?? Infinity, each);
    }
  }
  for (const name of Object.keys(streams)) console.log(name, best[name].toFixed(2));
})();
