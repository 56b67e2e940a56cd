// analyse.js: what `fermata report` says of a trace, computed once more from the columns of its
// turns alone: the histograms of the figures, the waits, the longest turns, the risky gaps. The
// generator of test objects (make-data.js) and the checks of real ones (check-data.js) use it.
// It shares no code with the tool or the page.
'use strict';

const types = { f64: Float64Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array };
const columns = {
  activities: {
    number: 'f64', parent: 'i32', name: 'u32', function: 'u32', domain: 'u32', spawned: 'i32',
    begin: 'f64', end: 'f64', turns: 'u32', busy: 'f64', longest: 'f64', how: 'u8',
  },
  turns: {
    activity: 'u32', begin: 'f64', length: 'u32', place: 'i32', wait: 'i32', kind: 'u8',
    waker: 'i32', flags: 'u8',
  },
};

function encode(type, values) {
  const array = types[type].from(values);
  return Buffer.from(array.buffer).toString('base64');
}

function decode(type, text) {
  const bytes = Buffer.from(text, 'base64');
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return new types[type](copy.buffer);
}

// The columns of `activities` and `turns` as typed arrays.
function unpack(data) {
  const tables = {};
  for (const table of Object.keys(columns)) {
    tables[table] = { count: data[table].count };
    for (const [name, type] of Object.entries(columns[table]))
      tables[table][name] = decode(type, data[table][name]);
  }
  return tables;
}

function packTable(table, source) {
  const packed = { count: source[Object.keys(columns[table])[0]].length };
  for (const [name, type] of Object.entries(columns[table]))
    packed[name] = encode(type, source[name]);
  return packed;
}

// ---- histograms ----

// Four bins a decade, from 10 ns to 1000 s; the outermost ones have what is beyond.
function logEdges() {
  const edges = [];
  for (let i = 4; i <= 48; i++)
    edges.push(Math.round(10 ** (i / 4)));
  return edges;
}

function binOf(edges, value) {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle] <= value)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

const zeros = (n) => new Array(n).fill(0);

// ---- the figures ----

function turnLengths(t) {
  const edges = logEdges();
  const all = zeros(edges.length - 1);
  const once = zeros(edges.length - 1);
  for (let i = 0; i < t.count; i++) {
    const bin = binOf(edges, t.length[i]);
    all[bin]++;
    if (!(t.flags[i] & 1))
      once[bin]++;
  }
  return { edges, all, once };
}

// The parent of a turn: the turn of its activity before it; of a first one, the turn that spawned
// the activity.
function parentTurns(t) {
  const last = new Map();
  const parents = new Int32Array(t.count);
  for (let i = 0; i < t.count; i++) {
    const before = last.get(t.activity[i]);
    parents[i] = before === undefined ? t.waker[i] : before;
    last.set(t.activity[i], i);
  }
  return parents;
}

function branching(t, most) {
  const above = parentTurns(t);
  const children = new Uint32Array(t.count);
  for (let i = 0; i < t.count; i++)
    if (above[i] >= 0)
      children[above[i]]++;
  const values = Array.from({ length: most + 1 }, (_, i) => i);
  const turns = zeros(most + 1);
  const parents = zeros(most + 1);
  for (let i = 0; i < t.count; i++) {
    turns[Math.min(children[i], most)]++;
    if (above[i] >= 0)
      parents[Math.min(children[above[i]], most)]++;
  }
  return { values, turns, parents };
}

// For each turn: does the turn around it go on after it?
function goesOn(t, a) {
  const end = (i) => t.begin[i] + t.length[i];
  const open = [];
  const result = new Uint8Array(t.count);
  for (let i = 0; i < t.count; i++) {
    const domain = a.domain[t.activity[i]];
    const around = open[domain] || [];
    while (around.length && end(around[around.length - 1]) <= t.begin[i])
      around.pop();
    if (t.flags[i] & 2 && around.length)
      result[i] = end(around[around.length - 1]) > end(i);
    around.push(i);
    open[domain] = around;
  }
  return result;
}

// Each gap between two turns of one activity: [turn before, turn after, length, interrupted]. A gap
// is interrupted if another turn of the domain begins in it, or goes on: the outer one of a turn
// inside another.
function gapsOf(t, a) {
  const shared = goesOn(t, a);
  const last = new Int32Array(a.count).fill(-1);
  const runInDomain = [];
  const ordinal = new Float64Array(t.count);
  const gaps = [];
  for (let i = 0; i < t.count; i++) {
    const domain = a.domain[t.activity[i]];
    runInDomain[domain] = (runInDomain[domain] || 0) + 1;
    ordinal[i] = runInDomain[domain];
    const before = last[t.activity[i]];
    last[t.activity[i]] = i;
    if (before < 0)
      continue;
    const length = Math.max(0, t.begin[i] - t.begin[before] - t.length[before]);
    gaps.push([before, i, length, ordinal[i] - ordinal[before] > 1 || shared[before] > 0]);
  }
  return gaps;
}

function gapLengths(t, gaps) {
  const edges = logEdges();
  const figure = { edges, written: null };
  for (const name of ['uninterrupted', 'interrupted', 'once'])
    figure[name] = zeros(edges.length - 1);
  for (const [, after, length, interrupted] of gaps) {
    const bin = binOf(edges, length);
    figure[interrupted ? 'interrupted' : 'uninterrupted'][bin]++;
    if (!(t.flags[after] & 1))
      figure.once[bin]++;
  }
  return figure;
}

// Runs of a domain's loop between two moments at which it had nothing to do.
function bursts(t, a, most) {
  const edges = logEdges();
  const figure = {
    edges,
    length: zeros(edges.length - 1),
    counts: Array.from({ length: most }, (_, i) => 2 ** i),
    turns: zeros(most),
  };
  const open = [];
  const close = (burst) => {
    figure.length[binOf(edges, burst.end - burst.begin)]++;
    figure.turns[Math.min(Math.floor(Math.log2(burst.turns)), most - 1)]++;
  };
  for (let i = 0; i < t.count; i++) {
    const domain = a.domain[t.activity[i]];
    let burst = open[domain];
    if (burst && t.begin[i] > burst.end) {
      close(burst);
      burst = null;
    }
    burst = burst || { begin: t.begin[i], end: 0, turns: 0 };
    burst.end = Math.max(burst.end, t.begin[i] + t.length[i]);
    burst.turns++;
    open[domain] = burst;
  }
  open.filter(Boolean).forEach(close);
  return figure;
}

// ---- tables ----

function median(sorted) {
  return sorted.length ? sorted[sorted.length >> 1] : 0;
}

const ascending = (list) => list.sort((x, y) => x - y);

function waits(t, gaps) {
  const groups = new Map();
  for (const [before, , length] of gaps) {
    const key = `${t.kind[before]} ${t.wait[before]} ${t.place[before]}`;
    if (!groups.has(key))
      groups.set(key, []);
    groups.get(key).push(length);
  }
  const rows = [];
  for (const [key, lengths] of groups) {
    ascending(lengths);
    const total = lengths.reduce((sum, x) => sum + x, 0);
    rows.push([...key.split(' ').map(Number), lengths.length, total,
      lengths[lengths.length - 1], median(lengths)]);
  }
  return rows.sort((x, y) => y[4] - x[4]);
}

function longest(t, most) {
  const order = Array.from({ length: t.count }, (_, i) => i);
  order.sort((x, y) => t.length[y] - t.length[x] || x - y);
  const placeBefore = new Int32Array(t.count).fill(-1);
  const last = new Map();
  for (let i = 0; i < t.count; i++) {
    placeBefore[i] = last.has(t.activity[i]) ? last.get(t.activity[i]) : -1;
    last.set(t.activity[i], t.place[i]);
  }
  return order.slice(0, most).map((i) =>
    [i, t.activity[i], t.begin[i], t.length[i], placeBefore[i], t.place[i]]);
}

function risky(t, a, gaps, most) {
  const groups = new Map();
  for (const [before, after, length, interrupted] of gaps) {
    const key = `${t.place[before]} ${t.place[after]}`;
    if (!groups.has(key))
      groups.set(key, { lengths: [], interrupted: 0, who: new Map() });
    const group = groups.get(key);
    group.lengths.push(length);
    if (!interrupted)
      continue;
    group.interrupted++;
    const name = a.name[t.activity[after - 1]];
    group.who.set(name, (group.who.get(name) || 0) + 1);
  }
  const rows = [];
  for (const [key, group] of groups) {
    if (!group.interrupted)
      continue;
    const lengths = ascending(group.lengths);
    const who = [...group.who].sort((x, y) => y[1] - x[1]).slice(0, 3).map((pair) => pair[0]);
    rows.push([...key.split(' ').map(Number), lengths.length, group.interrupted, -1, lengths[0],
      median(lengths), lengths[lengths.length - 1], who]);
  }
  return rows.sort((x, y) => y[3] - x[3]).slice(0, most);
}

module.exports = {
  columns, unpack, packTable, logEdges, binOf, turnLengths, branching, gapsOf, gapLengths, bursts,
  waits, longest, risky,
};
