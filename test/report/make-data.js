// make-data.js TURNS [SEED]: prints the object of a report, as `fermata report --json` does, of a
// program that never ran: a small scheduler with virtual activities makes about TURNS turns.
// The figures in it come from analyse.js. The same arguments make the same object.
'use strict';

const analyse = require('./analyse.js');

const kinds = ['ready', 'channel', 'sleep', 'descriptor', 'activity', 'lock', 'semaphore', 'other'];

// ---- chance ----
function chance(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
  return {
    next,
    below: (n) => Math.floor(next() * n),
    // Lengths of time are spread over decades.
    time: (low, high) => Math.round(low * (high / low) ** next()),
  };
}

class Interned {
  constructor() {
    this.list = [];
    this.numbers = new Map();
  }

  of(value) {
    const key = JSON.stringify(value);
    if (!this.numbers.has(key)) {
      this.numbers.set(key, this.list.length);
      this.list.push(value);
    }
    return this.numbers.get(key);
  }
}

// Timers: a heap of [time, wake].
class Timers {
  constructor() {
    this.heap = [];
  }

  add(time, wake) {
    const heap = this.heap;
    let i = heap.length;
    heap.push([time, wake]);
    while (i && heap[(i - 1) >> 1][0] > heap[i][0]) {
      [heap[i], heap[(i - 1) >> 1]] = [heap[(i - 1) >> 1], heap[i]];
      i = (i - 1) >> 1;
    }
  }

  take() {
    const heap = this.heap;
    const first = heap[0];
    const last = heap.pop();
    if (!heap.length)
      return first;
    heap[0] = last;
    for (let i = 0; ;) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < heap.length && heap[child][0] < heap[least][0])
          least = child;
      if (least === i)
        return first;
      [heap[i], heap[least]] = [heap[least], heap[i]];
      i = least;
    }
  }
}

// ---- the scheduler: activities are generators that yield at each pause ----
class World {
  constructor(turns, seed) {
    this.random = chance(seed);
    this.wanted = turns;
    this.strings = new Interned();
    this.places = new Interned();
    this.strings.of('');
    this.now = 0;
    this.ready = [];
    this.readyHead = 0;
    this.timers = new Timers();
    this.current = -1;
    this.running = null;
    this.marks = [];
    this.queue = { t: [0], n: [0] };
    this.channel = { t: [0], n: [0] };
    this.idle = 0;
    this.atomic = [];
    this.activities = [];
    this.turns = {};
    for (const name of Object.keys(analyse.columns.turns))
      this.turns[name] = [];
  }

  get full() {
    return this.turns.begin.length >= this.wanted;
  }

  place(file, line, name) {
    return this.places.of([this.strings.of(file), line, this.strings.of(name)]);
  }

  spawn(name, place, code, ...more) {
    const a = {
      index: this.activities.length, name: this.strings.of(name),
      function: this.strings.of(name.replace(/[ #].*/, '')), place,
      parent: this.running ? this.running.index : -1, begin: this.now, end: -1, turns: 0,
      busy: 0, longest: 0, how: 0, waker: -1, seen: new Set(), waiters: [],
    };
    this.activities.push(a);
    a.code = code(this, a, ...more);
    this.wake(a);
    return a;
  }

  wake(a) {
    a.waker = this.current;
    this.ready.push(a);
  }

  mark(a, text, category) {
    this.marks.push([this.now, a ? a.index : -1, this.strings.of(text), this.strings.of(category)]);
  }

  sample(series, n) {
    if (series.t.length < 5000) {
      series.t.push(this.now);
      series.n.push(n);
    }
  }

  turn(a, cost) {
    const t = this.turns;
    const index = t.begin.length;
    this.current = index;
    this.running = a;
    t.activity.push(a.index);
    t.begin.push(this.now);
    t.waker.push(a.waker);
    t.flags.push(0);
    t.kind.push(0);
    for (const name of ['length', 'place', 'wait'])
      t[name].push(-1);
    const step = a.code.next();
    const pause = step.value || { cost, place: -1 };
    t.length[index] = Math.max(1, Math.round(pause.cost));
    t.place[index] = pause.place;
    this.now += t.length[index];
    a.turns++;
    a.busy += t.length[index];
    a.longest = Math.max(a.longest, t.length[index]);
    if (a.from !== undefined && a.seen.has(a.from))
      t.flags[index] |= 1;
    a.seen.add(a.from);
    a.from = pause.place;
    if (step.done)
      this.finish(a, pause.how || 1);
    else
      this.pause(a, index, pause);
    this.current = -1;
    this.running = null;
  }

  pause(a, index, pause) {
    this.turns.wait[index] = this.strings.of(pause.what || '');
    this.turns.kind[index] = kinds.indexOf(pause.kind);
    if (pause.atomic)
      this.atomic.push([this.turns.length[index], pause.atomic]);
    if (pause.sliced)
      this.turns.flags[index] |= 4;
    if (pause.kind === 'ready') {
      this.current = -1;
      this.wake(a);
    } else if (pause.time !== undefined) {
      this.timers.add(this.now + pause.time, () => this.wake(a));
    } else {
      pause.on.push(a);
    }
  }

  finish(a, how) {
    a.end = this.now;
    a.how = how;
    a.waiters.forEach((waiting) => this.wake(waiting));
  }

  run() {
    for (;;) {
      while (this.readyHead < this.ready.length) {
        const a = this.ready[this.readyHead++];
        if (this.random.next() < 0.2)
          this.sample(this.queue, this.ready.length - this.readyHead);
        this.turn(a, 400);
      }
      this.ready = [];
      this.readyHead = 0;
      if (!this.timers.heap.length)
        return;
      const [time, wake] = this.timers.take();
      this.idle += Math.max(0, time - this.now);
      this.now = Math.max(this.now, time);
      wake();
    }
  }
}

// ---- the program: a server, its clients, workers behind a channel, a ticker ----
class Channel {
  constructor(world, name) {
    this.world = world;
    this.name = name;
    this.values = 0;
    this.receivers = [];
  }

  send() {
    this.values++;
    this.world.sample(this.world.channel, this.values);
    if (this.receivers.length)
      this.world.wake(this.receivers.shift());
  }

  receive() {
    this.values--;
    this.world.sample(this.world.channel, this.values);
  }
}

function* worker(world, a, jobs, lock) {
  const { random } = world;
  for (;;) {
    while (jobs.values <= 0) {
      if (world.full)
        return { cost: 300, place: world.place('worker.c', 71, 'worker'), how: 3 };
      yield {
        cost: random.time(200, 4000), kind: 'channel', what: 'channel jobs', on: jobs.receivers,
        place: world.place('worker.c', 40, 'worker'),
      };
    }
    jobs.receive();
    if (random.next() < 0.02)
      yield {
        cost: 10_000_000 + random.below(90_000), kind: 'ready', sliced: true,
        place: world.place('worker.c', 52, 'render'),
      };
    yield {
      cost: random.time(2000, 60_000), kind: 'lock', what: 'lock cache',
      time: random.time(500, 40_000), place: world.place('cache.c', 88, 'cache_update'),
      atomic: random.next() < 0.3 ? 1 + random.below(5) : 0,
    };
    lock.count++;
  }
}

function* serve(world, a, jobs, requests) {
  const { random } = world;
  for (let i = 0; i < requests; i++) {
    yield {
      cost: random.time(300, 6000), kind: 'descriptor', what: `descriptor ${7 + (a.index % 90)}`,
      time: random.time(20_000, 4_000_000), place: world.place('server.c', 112, 'read_request'),
    };
    if (random.next() < 0.3)
      jobs.send();
    if (random.next() < 0.4)
      yield {
        cost: random.time(500, 20_000), kind: 'ready',
        place: world.place('server.c', 131, 'answer'),
      };
    if (random.next() < 0.004) {
      world.mark(a, 'cancel: deadline', 'cancel');
      return { cost: 900, place: world.place('server.c', 140, 'serve'), how: 3 };
    }
  }
  if (random.next() < 0.05)
    world.mark(a, 'throw os_error', 'error');
  return {
    cost: random.time(400, 3000), place: world.place('server.c', 149, 'serve'),
    how: random.next() < 0.03 ? 2 : 1,
  };
}

function* ticker(world) {
  while (!world.full) {
    world.mark(null, 'tick', 'program');
    yield {
      cost: world.random.time(200, 900), kind: 'sleep', what: '5 ms', time: 5_000_000,
      place: world.place('main.c', 33, 'ticker'),
    };
  }
}

function* server(world, a, jobs) {
  const { random } = world;
  while (!world.full) {
    const several = random.next() < 0.1 ? 1 + random.below(12) : 1;
    for (let i = 0; i < several; i++)
      world.spawn('serve', world.place('server.c', 160, 'server'), serve, jobs,
        1 + random.below(30));
    yield {
      cost: random.time(900, 9000) * several, kind: 'descriptor', what: 'descriptor 5',
      time: random.time(30_000, 3_000_000), place: world.place('server.c', 158, 'server'),
    };
  }
}

function* main(world, a) {
  const jobs = new Channel(world, 'jobs');
  const lock = { count: 0 };
  const workers = [];
  for (let i = 1; i <= 4; i++)
    workers.push(world.spawn(`worker ${i}`, world.place('main.c', 50, 'main'), worker, jobs, lock));
  world.spawn('ticker', world.place('main.c', 55, 'main'), ticker);
  const listening = world.spawn('server', world.place('main.c', 57, 'main'), server, jobs);
  yield {
    cost: 41_000, kind: 'activity', what: 'end of server', on: listening.waiters,
    place: world.place('main.c', 60, 'main'),
  };
  jobs.receivers.splice(0).forEach((waiting) => world.wake(waiting));
  return { cost: 2000, place: world.place('main.c', 70, 'main'), how: 1 };
}

// ---- the object ----
function columnsOf(world) {
  const a = world.activities;
  const column = (get) => a.map(get);
  return {
    number: column((x) => x.index + 1), parent: column((x) => x.parent),
    name: column((x) => x.name), function: column((x) => x.function), domain: column(() => 0),
    spawned: column((x) => x.place), begin: column((x) => x.begin), end: column((x) => x.end),
    turns: column((x) => x.turns), busy: column((x) => x.busy), longest: column((x) => x.longest),
    how: column((x) => x.how),
  };
}

function atomicFigure(world, most) {
  const edges = analyse.logEdges();
  const figure = {
    edges, length: new Array(edges.length - 1).fill(0),
    counts: Array.from({ length: most }, (_, i) => i + 1), activities: new Array(most).fill(0),
  };
  for (const [length, activities] of world.atomic) {
    figure.length[analyse.binOf(edges, length)]++;
    figure.activities[Math.min(activities, most) - 1]++;
  }
  return figure;
}

function written(figure, random) {
  return figure.interrupted.map((n) => Math.floor(n * 0.1 * random.next()));
}

function sentences(world, tables) {
  const { activities, turns } = tables;
  const ms = (world.now / 1e6).toFixed(1);
  return [
    `${activities.count} activities took ${turns.count} turns in ${ms} ms.`,
    'The longest turns are in render (worker.c:52): the slice ended them.',
    'Activities waited mostly for descriptors (server.c:112) and for the channel jobs.',
  ];
}

function makeObject(turns, seed) {
  const world = new World(turns, seed);
  world.spawn('main', -1, main);
  world.run();
  const packed = {
    activities: analyse.packTable('activities', columnsOf(world)),
    turns: analyse.packTable('turns', world.turns),
  };
  const tables = analyse.unpack(packed);
  const t = tables.turns;
  const gaps = analyse.gapsOf(t, tables.activities);
  const figures = {
    turns: analyse.turnLengths(t),
    branching: analyse.branching(t, 20),
    gaps: analyse.gapLengths(t, gaps),
    atomic: atomicFigure(world, 12),
    bursts: analyse.bursts(t, tables.activities, 16),
  };
  figures.gaps.written = seed % 2 ? written(figures.gaps, world.random) : null;
  const busy = tables.activities.busy.reduce((sum, x) => sum + x, 0);
  const risky = analyse.risky(t, tables.activities, gaps, 200);
  if (figures.gaps.written)
    risky.forEach((row) => { row[4] = Math.floor(row[3] * 0.1); });
  return {
    version: 1, program: './server', arguments: ['-p', '8080', '<>&"'], pid: 4711,
    recorded: '2026-11-17T18:40:00Z', duration: world.now, virtual: false, complete: seed < 50,
    lost: seed < 50 ? 0 : 1234, events: 2 * t.count + tables.activities.count,
    summary: sentences(world, tables), strings: world.strings.list, places: world.places.list,
    domains: [{ number: 1, turns: t.count, busy, idle: world.idle,
      activities: tables.activities.count }],
    ...packed, kinds, marks: world.marks.slice(0, 20000),
    ready: [[0, world.queue.t, world.queue.n]],
    queues: [[world.strings.of('jobs'), world.place('main.c', 48, 'main'), world.channel.t,
      world.channel.n]],
    figures, waits: analyse.waits(t, gaps), longest: analyse.longest(t, 50), risky,
    glossary: {
      turn: 'The time from the moment an activity is resumed until it pauses or ends.',
      activity: 'One thread of control; activities of one domain never run at the same time.',
      wait: 'To pause until an event comes: a value, a time, a descriptor, the end of an activity.',
    },
  };
}

module.exports = { makeObject };

if (require.main === module) {
  const [turns, seed] = process.argv.slice(2).map(Number);
  if (!(turns > 0)) {
    console.error('usage: node make-data.js TURNS [SEED]');
    process.exit(2);
  }
  process.stdout.write(JSON.stringify(makeObject(turns, seed || 1)).replace(/</g, '\\u003c'));
}
