// The cases of docs/comparison.md with RxJS 7, as far as streams are an answer to them. There is none
// for commands, files, values that children inherit, atomicity, or a child that says it is ready.
import {
  catchError, concatMap, count, defer, firstValueFrom, forkJoin, from, ignoreElements, interval,
  lastValueFrom, map, mergeMap, of, race, range, reduce, retry, take, throwError, timeout, timer,
  toArray, Subject,
} from 'rxjs';

const work = (n) => timer(n).pipe(
  concatMap(() => (n === 13 ? throwError(() => new Error(`bad ${n}`)) : of(n * n))));

// case: select with a time limit
const receiveEither = (a, b) => race(
  a.pipe(take(1)),
  b.pipe(take(1), map((v) => -v)),
  timer(100).pipe(map(() => 0)),
);
// end

// case: select over an array
const receiveAny = (cs) => race(cs).pipe(take(1));
// end

// case: select with a condition
const receiveIf = (a, b, bToo) => race(bToo ? [a, b] : [a]).pipe(take(1));
// end

// case: receive until closed
const sumOf = (c) => c.pipe(reduce((sum, v) => sum + v, 0));
// end

// case: time limit for a call
const inTime = (n) => work(n).pipe(timeout(50));
// end

// case: time limit for a block, with an alternative
const orNothing = (n) => work(n).pipe(timeout({ each: 50, with: () => of(-1) }));
// end

// case: children, the first error cancels the rest
const allOrNone = (n) => forkJoin(Array.from({ length: n }, (_, i) => work(i)));
// end

// case: children that fail alone
const countFailures = (n) => range(0, n).pipe(
  mergeMap((i) => work(i).pipe(ignoreElements(), catchError(() => of(i)))),
  count(),
);
// end

// case: map over an array, at most four at once, in order
const squares = (numbers) => from(numbers).pipe(
  mergeMap((n, i) => work(n).pipe(map((v) => [i, v])), 4),
  reduce((out, [i, v]) => { out[i] = v; return out; }, []),
);
// end

// case: children, at most four at once
const limited = (n) => range(0, n).pipe(mergeMap(work, 4));
// end

// case: retry with growing delays and jitter
let tries = 0;
const fragile = () => defer(() => {
  tries++;
  return tries < 4 ? throwError(() => new Error(`bad ${tries}`)) : of(tries);
});
const keepTrying = () => fragile().pipe(retry({
  count: 4,
  delay: (_, n) => timer(Math.min(100 * 2 ** (n - 1), 1000) * (0.5 + Math.random() / 2)),
}));
// end

// case: every 10 ms, missed ones left out
const tick = (n) => interval(10).pipe(take(n));
// end

const check = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${a} ${b}`); };
const never = new Subject();
check(await firstValueFrom(receiveEither(never, never)), 0);
check(await firstValueFrom(receiveEither(never, of(7))), -7);
check(await firstValueFrom(receiveAny([never, of(8)])), 8);
check(await firstValueFrom(receiveIf(never, of(9), true)), 9);
check(await lastValueFrom(sumOf(of(0, 1, 2, 3))), 6);
check(await lastValueFrom(inTime(5)), 25);
check(await lastValueFrom(orNothing(60)), -1);
check(await lastValueFrom(allOrNone(20)).catch(() => 'bad'), 'bad');
check(await lastValueFrom(countFailures(20)), 1);
check(await lastValueFrom(squares([1, 2, 3])), [1, 4, 9]);
check((await lastValueFrom(limited(10).pipe(toArray()))).length, 10);
check(await lastValueFrom(keepTrying()), 4);
check((await lastValueFrom(tick(3).pipe(toArray()))).length, 3);
console.log('done');
