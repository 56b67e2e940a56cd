// data.js: the object that `fermata report` wrote into the page. In: JSON with columns in base64.
// Out: typed arrays, and the indexes that the views need: children of an activity, its turns in
// order, sums of busy time, the turns that a turn woke. Everything is made once, in linear time.

const forms = {
  activities: {
    number: Float64Array, parent: Int32Array, name: Uint32Array, function: Uint32Array,
    domain: Uint32Array, spawned: Int32Array, begin: Float64Array, end: Float64Array,
    turns: Uint32Array, busy: Float64Array, longest: Float64Array, how: Uint8Array,
  },
  turns: {
    activity: Uint32Array, begin: Float64Array, length: Uint32Array, place: Int32Array,
    wait: Int32Array, kind: Uint8Array, waker: Int32Array, flags: Uint8Array,
  },
};

export const RECURRING = 1;
export const INSIDE = 2;
export const SLICED = 4;

const sextets = new Uint8Array(128);
'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  .split('').forEach((letter, i) => { sextets[letter.charCodeAt(0)] = i; });

// Columns are little-endian, as every machine is that runs a browser.
function decode(text, Form, n) {
  const bytes = new Uint8Array(n * Form.BYTES_PER_ELEMENT);
  const whole = bytes.length - (bytes.length % 3);
  let from = 0;
  let to = 0;
  while (to < whole) {
    const word = (sextets[text.charCodeAt(from)] << 18) | (sextets[text.charCodeAt(from + 1)] << 12)
      | (sextets[text.charCodeAt(from + 2)] << 6) | sextets[text.charCodeAt(from + 3)];
    bytes[to] = word >> 16;
    bytes[to + 1] = word >> 8;
    bytes[to + 2] = word;
    from += 4;
    to += 3;
  }
  for (let bits = 0, have = 0; to < bytes.length; from++) {
    bits = (bits << 6) | sextets[text.charCodeAt(from)];
    have += 6;
    if (have >= 8) {
      have -= 8;
      bytes[to++] = bits >> have;
    }
  }
  return new Form(bytes.buffer);
}

function table(packed, form) {
  const result = { count: packed.count };
  for (const name of Object.keys(form)) {
    const least = Math.ceil((packed.count * form[name].BYTES_PER_ELEMENT * 4) / 3);
    if (typeof packed[name] !== 'string' || packed[name].length < least)
      throw new Error(`the column “${name}” is incomplete`);
    result[name] = decode(packed[name], form[name], packed.count);
  }
  return result;
}

// Items by key, in order: those of key k are list[start[k]] … list[start[k + 1] - 1].
function groupBy(keys, n, groups) {
  const start = new Uint32Array(groups + 1);
  for (let i = 0; i < n; i++)
    if (keys[i] >= 0)
      start[keys[i] + 1]++;
  for (let k = 0; k < groups; k++)
    start[k + 1] += start[k];
  const next = start.slice(0, groups);
  const list = new Uint32Array(start[groups]);
  for (let i = 0; i < n; i++)
    if (keys[i] >= 0)
      list[next[keys[i]]++] = i;
  return { start, list };
}

// The first index in [low, high) whose value is above x; high when there is none.
export function firstAbove(values, x, low, high) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] > x)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

class Data {
  constructor(json) {
    Object.assign(this, json);
    if (json.version !== 1)
      throw new Error(`its version is ${json.version}, this page reads version 1`);
    this.activities = table(json.activities, forms.activities);
    this.turns = table(json.turns, forms.turns);
    this.indexActivities();
    this.indexTurns();
    this.wokenBy = null;
    this.nodes = new Map();
    this.duration = Math.max(this.duration, 1);
  }

  indexActivities() {
    const { count, parent } = this.activities;
    this.children = groupBy(parent, count, count);
    this.roots = [];
    for (let i = 0; i < count; i++)
      if (parent[i] < 0)
        this.roots.push(i);
  }

  // own.begin, own.end: moments of the turns of one activity after the other; own.busy[i]: the sum
  // of the lengths before i; reach[i]: the latest end of the turns 0 … i.
  indexTurns() {
    const { count, activity, begin, length } = this.turns;
    const { start, list } = groupBy(activity, count, this.activities.count);
    const own = {
      start, list, begin: new Float64Array(count), end: new Float64Array(count),
      busy: new Float64Array(count + 1),
    };
    this.positionOf = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const turn = list[i];
      own.begin[i] = begin[turn];
      own.end[i] = begin[turn] + length[turn];
      own.busy[i + 1] = own.busy[i] + length[turn];
      this.positionOf[turn] = i;
    }
    this.own = own;
    this.reach = new Float64Array(count);
    let latest = 0;
    for (let i = 0; i < count; i++) {
      latest = Math.max(latest, begin[i] + length[i]);
      this.reach[i] = latest;
    }
  }

  // The turns that a turn woke; the index is made when it is first asked for.
  woken(turn) {
    if (!this.wokenBy)
      this.wokenBy = groupBy(this.turns.waker, this.turns.count, this.turns.count);
    const { start, list } = this.wokenBy;
    return list.subarray(start[turn], start[turn + 1]);
  }

  text(i) {
    return i >= 0 && i < this.strings.length ? this.strings[i] : '';
  }

  nameOf(a) {
    return this.text(this.activities.name[a]) || this.text(this.activities.function[a]) || '?';
  }

  // The name with the number, which tells activities of one function apart.
  titleOf(a) {
    return `${this.nameOf(a)} #${this.activities.number[a]}`;
  }

  endOf(a) {
    const end = this.activities.end[a];
    return end < 0 ? this.duration : end;
  }

  childrenOf(a) {
    return this.children.list.subarray(this.children.start[a], this.children.start[a + 1]);
  }

  // [file, line, function]; null: unknown
  place(i) {
    if (i < 0 || i >= this.places.length)
      return null;
    const [file, line, name] = this.places[i];
    return [this.text(file), line, this.text(name)];
  }

  // The turn of the same activity before or after this one; -1: there is none.
  beside(turn, by) {
    const a = this.turns.activity[turn];
    const position = this.positionOf[turn] + by;
    const there = position >= this.own.start[a] && position < this.own.start[a + 1];
    return there ? this.own.list[position] : -1;
  }

  // What follows a turn: [kind, what, until]; null: the activity ended.
  waitAfter(turn) {
    const { wait, kind } = this.turns;
    if (wait[turn] === -1)
      return null;
    const next = this.beside(turn, 1);
    const until = next < 0 ? this.endOf(this.turns.activity[turn]) : this.turns.begin[next];
    return { kind: kind[turn], what: this.text(wait[turn]), until, open: next < 0 };
  }

  // Busy time and turns of one activity within [from, to).
  sumsOf(a, from, to) {
    const { start, begin, end, busy } = this.own;
    const high = start[a + 1];
    let low = firstAbove(end, from, start[a], high);
    const past = firstAbove(begin, to, low, high);
    let sum = busy[past] - busy[low];
    if (past > low) {
      sum -= Math.max(0, from - begin[low]);
      sum -= Math.max(0, end[past - 1] - to);
    }
    return { turns: past - low, busy: sum };
  }

  // The turns that touch [from, to), as a range of indexes (a few of them may end before it).
  range(from, to) {
    const low = firstAbove(this.reach, from, 0, this.turns.count);
    return [low, firstAbove(this.turns.begin, to, low, this.turns.count)];
  }
}

export function readData() {
  const element = document.getElementById('data');
  const text = element.textContent;
  if (/^\s*@/.test(text))
    throw new Error('this is the page without a run; `fermata report` fills it');
  const data = new Data(JSON.parse(text));
  element.remove();
  return data;
}
