// lanes.js: which lanes the timeline shows, and in what order. In: the tree of activities, the
// filter, which nodes are open. Out: rows, and for each activity the row that shows its turns.
// Many children of one function are one node, "serve × 400", that can be opened as well.

import { count } from './format.js';

const GROUPED = 8;
// How many rows are open at first, and how many members a group has then at most.
const USUAL = [44, 30];

// A node: one activity (members null) or several of one function (activity -1).
function single(activity) {
  return { key: String(activity), activity, members: null };
}

function several(parent, code, members) {
  return { key: `${parent}:${code}`, activity: -1, members };
}

// The nodes right below an activity (-1: the roots), without those that the filter leaves out.
export function nodesBelow(data, found, parent) {
  if (found)
    return grouped(data, found, parent);
  if (!data.nodes.has(parent))
    data.nodes.set(parent, grouped(data, null, parent));
  return data.nodes.get(parent);
}

function grouped(data, found, parent) {
  const list = parent < 0 ? data.roots : data.childrenOf(parent);
  const byFunction = new Map();
  for (const child of list) {
    if (found && !found[child])
      continue;
    const code = data.activities.function[child];
    if (!byFunction.has(code))
      byFunction.set(code, []);
    byFunction.get(code).push(child);
  }
  const nodes = [];
  for (const [code, members] of byFunction)
    if (members.length > GROUPED)
      nodes.push(several(parent, code, members));
    else
      nodes.push(...members.map(single));
  return nodes;
}

export function nodesOf(data, found, node) {
  return node.members ? node.members.map(single) : nodesBelow(data, found, node.activity);
}

// What a node is called, and the number that tells it from others of that name.
export function nodeName(data, node) {
  if (!node.members)
    return [data.nameOf(node.activity), ` #${data.activities.number[node.activity]}`];
  const first = node.members[0];
  const name = data.text(data.activities.function[first]) || data.nameOf(first);
  return [name, ` × ${count(node.members.length)}`];
}

export function nodeTitle(data, node) {
  return nodeName(data, node).join('');
}

export function hasBelow(data, node) {
  return node.members !== null || data.childrenOf(node.activity).length > 0;
}

// Calls visit with each activity of a node and below it.
function eachBelow(data, node, visit) {
  const stack = node.members ? node.members.slice() : [node.activity];
  while (stack.length) {
    const a = stack.pop();
    visit(a);
    for (const child of data.childrenOf(a))
      stack.push(child);
  }
}

export class Lanes {
  constructor(data) {
    this.data = data;
    this.found = null;
    this.open = new Set();
    this.rows = [];
    this.rowOf = new Int32Array(data.activities.count);
    this.alive = new Map();
    this.openSome(...USUAL);
    this.build();
  }

  // Opens nodes, the upper ones first, as long as there are at most that many rows.
  openSome(most, mostMembers) {
    const queue = nodesBelow(this.data, this.found, -1).slice();
    let rows = queue.length;
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i];
      if (!hasBelow(this.data, node) || (node.members && node.members.length > mostMembers))
        continue;
      const below = nodesOf(this.data, this.found, node);
      if (rows + below.length > most)
        continue;
      rows += below.length;
      this.open.add(node.key);
      queue.push(...below);
    }
  }

  setFilter(found) {
    this.found = found;
    this.open.clear();
    this.openSome(...(found ? [200, 100] : USUAL));
    this.build();
  }

  build() {
    const { data } = this;
    this.rows = [];
    this.rowOf.fill(-1);
    const stack = this.stacked(nodesBelow(data, this.found, -1), 0, []);
    while (stack.length) {
      const { node, depth } = stack.pop();
      const row = this.rows.length;
      const openable = hasBelow(data, node);
      const open = openable && this.open.has(node.key);
      this.rows.push({ node, depth, openable, open });
      if (open)
        this.stacked(nodesOf(data, this.found, node), depth + 1, stack);
      if (!openable || (open && !node.members))
        this.rowOf[node.activity] = row;
      else if (!open)
        eachBelow(data, node, (a) => { this.rowOf[a] = row; });
    }
  }

  stacked(nodes, depth, stack) {
    for (let i = nodes.length - 1; i >= 0; i--)
      stack.push({ node: nodes[i], depth });
    return stack;
  }

  toggle(row) {
    const { node, openable, open } = this.rows[row];
    if (!openable)
      return;
    if (open)
      this.open.delete(node.key);
    else
      this.open.add(node.key);
    this.build();
  }

  openAll() {
    this.open.clear();
    this.openSome(5000, 5000);
    this.build();
  }

  closeAll() {
    this.open.clear();
    this.build();
  }

  // Opens what hides an activity; returns its row, or -1 when the filter leaves it out.
  reveal(activity) {
    const { data } = this;
    if (this.found && !this.found[activity])
      return -1;
    const chain = [];
    for (let a = activity; a >= 0; a = data.activities.parent[a])
      chain.push(a);
    for (const a of chain) {
      const parent = data.activities.parent[a];
      const group = nodesBelow(data, this.found, parent).find((node) =>
        node.members && data.activities.function[node.members[0]] === data.activities.function[a]);
      if (group)
        this.open.add(group.key);
      if (parent >= 0)
        this.open.add(String(parent));
    }
    this.build();
    return this.rowOf[activity];
  }

  // When the activities of a node began and ended, sorted: how many were alive at a moment.
  aliveOf(node) {
    if (this.alive.has(node.key))
      return this.alive.get(node.key);
    const { data } = this;
    const begin = [];
    const end = [];
    eachBelow(data, node, (a) => {
      begin.push(data.activities.begin[a]);
      end.push(data.endOf(a));
    });
    const series = { begin: Float64Array.from(begin).sort(), end: Float64Array.from(end).sort() };
    series.most = mostAlive(series);
    this.alive.set(node.key, series);
    return series;
  }
}

function mostAlive({ begin, end }) {
  let most = 0;
  let ended = 0;
  for (let i = 0; i < begin.length; i++) {
    while (end[ended] < begin[i])
      ended++;
    most = Math.max(most, i + 1 - ended);
  }
  return most;
}
