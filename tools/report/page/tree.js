// tree.js: the tree of activities as a table. Rows can be opened, brothers are sorted by a column,
// and what is chosen here is shown in the timeline, and the other way round. Long lists come in
// parts.

import { make, byId, placeNode } from './dom.js';
import { time, count } from './format.js';
import { howEnded } from './timeline-tip.js';
import { nodesBelow, nodesOf, nodeTitle, hasBelow } from './lanes.js';

const PART = 100;

export class Tree {
  constructor(state) {
    this.state = state;
    this.data = state.data;
    this.open = new Set();
    this.limits = new Map();
    this.by = 'begin';
    this.knowsPlaces = this.data.activities.spawned.some((place) => place >= 0);
    this.up = true;
    this.body = make('tbody');
    this.head = make('tr', null, ...this.columns().map((column) => this.headCell(column)));
    const table = make('table', { role: 'treegrid', 'aria-label': 'The tree of activities' },
      make('thead', null, this.head), this.body);
    table.addEventListener('keydown', (event) => this.key(event));
    byId('tree').replaceChildren(make('div.scroll.tall', null, table));
    state.on('select', (from) => this.selected(from));
    state.on('filter', () => this.filtered());
    this.openSome(40);
    this.draw();
  }

  columns() {
    const { activities } = this.data;
    const { data } = this;
    return [
      { key: 'name', title: 'Activity', of: (a) => data.titleOf(a) },
      { key: 'turns', title: 'Turns', sum: true, of: (a) => activities.turns[a], show: count },
      { key: 'busy', title: 'Busy', sum: true, of: (a) => activities.busy[a], show: time },
      { key: 'longest', title: 'Longest turn', most: true, of: (a) => activities.longest[a],
        show: time },
      { key: 'life', title: 'Lived', most: true, of: (a) => data.endOf(a) - activities.begin[a],
        show: time },
      { key: 'begin', title: 'Began', least: true, of: (a) => activities.begin[a], show: time },
      { key: 'how', title: 'End', of: (a) => howEnded(activities.how[a]) },
      { key: 'place', title: 'Spawned at', of: (a) => activities.spawned[a] },
    ].slice(0, this.knowsPlaces ? 8 : 7);
  }

  isNumber(column) {
    return Boolean(column.show);
  }

  headCell(column) {
    const button = make('button', { type: 'button', onclick: () => this.sort(column) },
      column.title, make('span.order', { 'aria-hidden': 'true' }));
    return make(this.isNumber(column) ? 'th.number' : 'th', { scope: 'col',
      'data-key': column.key }, button);
  }

  sort(column) {
    const first = !this.isNumber(column) || column.key === 'begin';
    this.up = this.by === column.key ? !this.up : first;
    this.by = column.key;
    this.draw();
  }

  // ---- values of nodes: a group has the sum, the greatest or the least of its members ----
  value(column, node) {
    if (!node.members)
      return column.of(node.activity);
    if (!column.show)
      return column.key === 'name' ? nodeTitle(this.data, node) : '';
    let result = column.least ? Infinity : 0;
    for (const a of node.members) {
      const x = column.of(a);
      result = column.sum ? result + x : column.least ? Math.min(result, x) : Math.max(result, x);
    }
    return result;
  }

  sorted(nodes) {
    const column = this.columns().find((one) => one.key === this.by);
    const sign = this.up ? 1 : -1;
    const keyed = nodes.map((node) => [this.value(column, node), node]);
    const compare = (x, y) => (typeof x === 'string' || typeof y === 'string'
      ? String(x).localeCompare(String(y)) : x - y);
    keyed.sort((x, y) => sign * compare(x[0], y[0]));
    return keyed.map((pair) => pair[1]);
  }

  // ---- rows ----
  openSome(most) {
    const queue = nodesBelow(this.data, this.state.found, -1).slice();
    let rows = queue.length;
    for (let i = 0; i < queue.length; i++) {
      if (!hasBelow(this.data, queue[i]) || (queue[i].members && !this.state.found))
        continue;
      const below = nodesOf(this.data, this.state.found, queue[i]);
      rows += below.length;
      if (rows > most)
        return;
      this.open.add(queue[i].key);
      queue.push(...below);
    }
  }

  filtered() {
    this.open.clear();
    this.openSome(this.state.found ? 150 : 40);
    this.draw();
  }

  draw() {
    [...this.head.children].forEach((cell) => {
      const order = this.up ? 'ascending' : 'descending';
      cell.setAttribute('aria-sort', cell.dataset.key === this.by ? order : 'none');
    });
    const rows = [];
    const stack = this.stacked(nodesBelow(this.data, this.state.found, -1), 1, '', []);
    while (stack.length) {
      const item = stack.pop();
      rows.push(item.more ? this.moreRow(item) : this.row(item));
      if (!item.more && this.open.has(item.node.key) && hasBelow(this.data, item.node))
        this.stacked(nodesOf(this.data, this.state.found, item.node), item.level + 1,
          item.node.key, stack);
    }
    this.body.replaceChildren(...rows);
  }

  stacked(nodes, level, key, stack) {
    const limit = this.limits.get(key) || PART;
    const list = this.sorted(nodes);
    if (list.length > limit)
      stack.push({ more: list.length - limit, level, key, limit });
    for (let i = Math.min(limit, list.length) - 1; i >= 0; i--)
      stack.push({ node: list[i], level });
    return stack;
  }

  row({ node, level }) {
    const openable = hasBelow(this.data, node);
    const open = openable && this.open.has(node.key);
    const chosen = node.activity >= 0 && node.activity === this.state.activity;
    const cells = this.columns().map((column) => this.cell(column, node, level, openable, open));
    const line = make('tr', { tabIndex: chosen || level === 1 ? 0 : -1, 'data-key': node.key,
      'aria-level': String(level), 'aria-selected': String(chosen) }, ...cells);
    if (openable)
      line.setAttribute('aria-expanded', String(open));
    line.addEventListener('click', () => this.pick(node));
    return line;
  }

  cell(column, node, level, openable, open) {
    if (column.key === 'name')
      return make('td.name', { style: `--level: ${level - 1}` },
        openable ? make('button.twist', { type: 'button', tabIndex: -1,
          'aria-label': open ? 'Close' : 'Open', onclick: (event) => this.twist(event, node) },
        open ? '▾' : '▸') : make('span.twist'),
        make(node.members ? 'span.group' : 'span', null, nodeTitle(this.data, node)));
    if (column.key === 'place')
      return make('td', null, node.members ? '' :
        placeNode(this.data, this.data.activities.spawned[node.activity]));
    const value = this.value(column, node);
    return make(column.show ? 'td.number' : 'td', null, column.show ? column.show(value) : value);
  }

  moreRow({ more, level, key, limit }) {
    const button = make('button.more', { type: 'button', onclick: () => {
      this.limits.set(key, limit + 10 * PART);
      this.draw();
    } }, `${count(more)} more`);
    return make('tr', { 'aria-level': String(level) }, make('td.name', { colSpan: 8,
      style: `--level: ${level - 1}` }, button));
  }

  // ---- choosing ----
  pick(node) {
    if (node.members)
      this.toggle(node.key);
    else
      this.state.select(node.activity, -1, 'tree');
  }

  twist(event, node) {
    event.stopPropagation();
    this.toggle(node.key);
  }

  toggle(key) {
    if (!this.open.delete(key))
      this.open.add(key);
    this.draw();
  }

  selected(from) {
    const { activity, found } = this.state;
    const { parent, function: code } = this.data.activities;
    if (activity < 0 || (found && !found[activity])) {
      this.draw();
      return;
    }
    for (let a = activity; a >= 0; a = parent[a]) {
      const group = nodesBelow(this.data, found, parent[a]).find((node) =>
        node.members && code[node.members[0]] === code[a]);
      if (group) {
        this.open.add(group.key);
        this.uncover(group, a);
      }
      if (parent[a] >= 0)
        this.open.add(String(parent[a]));
    }
    this.draw();
    if (from !== 'tree')
      this.scrollToChosen(activity);
  }

  // Shows so many members of a group that one of them is among them.
  uncover(group, activity) {
    const nodes = this.sorted(nodesOf(this.data, this.state.found, group));
    const at = nodes.findIndex((node) => node.activity === activity);
    if (at < 1000)
      this.limits.set(group.key, Math.max(this.limits.get(group.key) || PART, at + 1));
  }

  scrollToChosen(activity) {
    const line = this.body.querySelector(`tr[data-key="${activity}"]`);
    const box = this.body.closest('.scroll');
    if (line)
      box.scrollTop = line.offsetTop - box.clientHeight / 2;
  }

  // ---- keys, as in every tree: up, down, right opens, left closes ----
  key(event) {
    const line = event.target.closest('tr[data-key]');
    if (!line || event.target.closest('th'))
      return;
    const lines = [...this.body.querySelectorAll('tr[data-key]')];
    const at = lines.indexOf(line);
    const open = line.getAttribute('aria-expanded');
    const focus = (i) => lines[i] && this.focus(lines[i]);
    const actions = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(lines.length - 1),
      ArrowRight: () => open === 'false' && this.toggleFrom(line),
      ArrowLeft: () => (open === 'true' ? this.toggleFrom(line) : this.focusParent(lines, at)),
      Enter: () => this.enter(line),
      ' ': () => this.enter(line),
    };
    if (!actions[event.key])
      return;
    event.preventDefault();
    actions[event.key]();
  }

  focus(line) {
    line.tabIndex = 0;
    line.focus();
  }

  focusAgain(key) {
    const line = this.body.querySelector(`tr[data-key="${key}"]`);
    if (line)
      this.focus(line);
  }

  toggleFrom(line) {
    this.toggle(line.dataset.key);
    this.focusAgain(line.dataset.key);
  }

  focusParent(lines, at) {
    const level = Number(lines[at].getAttribute('aria-level'));
    for (let i = at - 1; i >= 0; i--)
      if (Number(lines[i].getAttribute('aria-level')) < level) {
        this.focus(lines[i]);
        return;
      }
  }

  enter(line) {
    const { key } = line.dataset;
    if (key.includes(':'))
      this.toggle(key);
    else
      this.state.select(Number(key), -1, 'tree');
    this.focusAgain(key);
  }
}
