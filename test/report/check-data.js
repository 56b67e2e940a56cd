// check-data.js FILE...: objects of `fermata report --json` of real runs. The figures, the tables
// and the sums of each activity are computed once more, from the columns of the turns
// (analyse.js), and have to be the same.
'use strict';

const fs = require('fs');
const assert = require('assert');
const analyse = require('./analyse.js');

const total = (list) => list.reduce((sum, n) => sum + n, 0);
const SATURATED = 4294967295;

// ---- the shape: indexes are in range, turns in order ----
function checkShape(data, { activities: a, turns: t }) {
  assert.strictEqual(data.version, 1);
  for (let i = 0; i < a.count; i++) {
    assert.ok(a.parent[i] >= -1 && a.parent[i] < a.count, `parent of ${i}`);
    assert.ok(a.name[i] < data.strings.length && a.function[i] < data.strings.length);
    assert.ok(a.domain[i] < data.domains.length && a.spawned[i] < data.places.length);
    assert.ok(a.end[i] < 0 || (a.end[i] >= a.begin[i] && a.end[i] <= data.duration));
  }
  for (let i = 0; i < t.count; i++) {
    assert.ok(i === 0 || t.begin[i] >= t.begin[i - 1], `turn ${i} is in order`);
    assert.ok(t.activity[i] < a.count && t.kind[i] < data.kinds.length);
    assert.ok(t.place[i] < data.places.length && t.wait[i] < data.strings.length);
    assert.ok(t.waker[i] < t.count, `waker of ${i}`);
    assert.ok(t.begin[i] + t.length[i] <= data.duration || t.length[i] === SATURATED);
  }
}

// ---- sums: of each activity, of each domain ----
function checkSums(data, { activities: a, turns: t }) {
  const turns = new Float64Array(a.count);
  const longest = new Float64Array(a.count);
  const byDomain = new Float64Array(data.domains.length);
  for (let i = 0; i < t.count; i++) {
    const x = t.activity[i];
    turns[x]++;
    longest[x] = Math.max(longest[x], t.length[i]);
    byDomain[a.domain[x]]++;
  }
  for (let i = 0; i < a.count; i++) {
    assert.strictEqual(a.turns[i], turns[i], `turns of activity ${i}`);
    assert.ok(a.longest[i] === longest[i] || longest[i] === SATURATED, `longest of ${i}`);
    assert.ok(a.busy[i] <= a.turns[i] * a.longest[i], `busy of ${i}`);
  }
  assert.strictEqual(total(data.domains.map((domain) => domain.turns)), t.count);
}

// ---- figures ----
function histogram(edges, values, keep) {
  const bins = new Array(edges.length - 1).fill(0);
  values.forEach((value, i) => {
    if (!keep || keep(i))
      bins[analyse.binOf(edges, value)]++;
  });
  return bins;
}

function checkTurns({ figures }, t) {
  const { edges, all, once } = figures.turns;
  assert.deepStrictEqual(all, histogram(edges, t.length), 'figure 2');
  assert.deepStrictEqual(once, histogram(edges, t.length, (i) => !(t.flags[i] & 1)),
    'figure 2 without recurring ones');
}

function checkBranching({ figures }, t) {
  const { values, turns, parents } = figures.branching;
  const expected = analyse.branching(t, values.length - 1);
  assert.deepStrictEqual(turns, expected.turns, 'figure 3');
  assert.deepStrictEqual(parents, expected.parents, 'figure 3, parents');
}

function checkGaps({ figures }, gaps, t) {
  const { edges, uninterrupted, interrupted, written, once } = figures.gaps;
  const lengths = gaps.map((gap) => gap[2]);
  assert.deepStrictEqual(uninterrupted, histogram(edges, lengths, (i) => !gaps[i][3]),
    'figure 4, uninterrupted');
  assert.deepStrictEqual(interrupted, histogram(edges, lengths, (i) => gaps[i][3]),
    'figure 4, interrupted');
  assert.deepStrictEqual(once, histogram(edges, lengths, (i) => !(t.flags[gaps[i][1]] & 1)),
    'figure 4, without recurring ones');
  if (written)
    written.forEach((n, i) => assert.ok(n <= interrupted[i], 'written ones are interrupted'));
}

function checkBatches({ figures }) {
  const { atomic, bursts } = figures;
  assert.strictEqual(total(atomic.length), total(atomic.activities));
  assert.strictEqual(total(bursts.length), total(bursts.turns));
}

// ---- tables ----
function checkLongest(data, t) {
  const lengths = Array.from(t.length).sort((x, y) => y - x);
  data.longest.forEach(([turn, activity, begin, length, , place], i) => {
    assert.strictEqual(t.activity[turn], activity);
    assert.strictEqual(t.begin[turn], begin);
    assert.ok(length === t.length[turn] || t.length[turn] === SATURATED);
    assert.strictEqual(t.place[turn], place);
    assert.strictEqual(t.length[turn], lengths[i], `longest turn ${i}`);
  });
}

function checkRisky(data, gaps, t) {
  const groups = new Map();
  for (const [before, after, length, interrupted] of gaps) {
    const key = `${t.place[before]} ${t.place[after]}`;
    const group = groups.get(key) || { lengths: [], interrupted: 0 };
    group.lengths.push(length);
    group.interrupted += interrupted;
    groups.set(key, group);
  }
  for (const [before, after, n, interrupted, written, shortest, median, longest] of data.risky) {
    const { lengths, interrupted: expected } = groups.get(`${before} ${after}`);
    lengths.sort((x, y) => x - y);
    assert.strictEqual(n, lengths.length, `gaps ${before} ${after}`);
    assert.strictEqual(interrupted, expected, `interrupted gaps ${before} ${after}`);
    assert.ok(written <= interrupted);
    assert.strictEqual(shortest, lengths[0]);
    assert.strictEqual(longest, lengths[lengths.length - 1]);
    assert.ok(median >= shortest && median <= longest);
  }
}

function checkWaits(data, gaps, t) {
  const totals = new Map();
  for (const [before, , length] of gaps) {
    const key = `${t.kind[before]} ${t.wait[before]} ${t.place[before]}`;
    const group = totals.get(key) || { count: 0, sum: 0 };
    group.count++;
    group.sum += length;
    totals.set(key, group);
  }
  const listed = new Map(data.waits.map(([kind, wait, place, ...rest]) =>
    [`${kind} ${wait} ${place}`, rest]));
  assert.strictEqual(listed.size, data.waits.length, 'no wait is listed twice');
  // Waits that had not ended are listed as well, so that these are the least.
  for (const [key, { count, sum }] of totals) {
    assert.ok(listed.has(key), `the wait ${key} is listed`);
    const [n, all] = listed.get(key);
    assert.ok(n >= count && all >= sum, `the wait ${key}: ${n} ${count} ${all} ${sum}`);
  }
}

function check(file) {
  const data = JSON.parse(fs.readFileSync(file, 'utf8'));
  const tables = analyse.unpack(data);
  const { turns } = tables;
  const gaps = analyse.gapsOf(turns, tables.activities);
  checkShape(data, tables);
  checkSums(data, tables);
  checkTurns(data, turns);
  checkBranching(data, turns);
  checkGaps(data, gaps, turns);
  checkBatches(data);
  checkLongest(data, turns);
  checkRisky(data, gaps, turns);
  checkWaits(data, gaps, turns);
  console.log(`${file}: ${tables.activities.count} activities, ${turns.count} turns, ` +
    `${gaps.length} gaps`);
}

process.argv.slice(2).forEach(check);
