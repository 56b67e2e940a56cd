// details.js: the facts of the chosen activity: where it stands in the tree, what it did, what it
// waited for, who woke it and whom it woke; and those of the chosen turn.

import { make, byId, placeNode } from './dom.js';
import { time, turnLength, moment, count, counted, percent } from './format.js';
import { kindVariable, swatch } from './theme.js';
import { howEnded, kindName, turnLines } from './timeline-tip.js';

const SHOWN = 6;
const LOOKED_AT = 200000;

export class Details {
  constructor(state, timeline) {
    this.state = state;
    this.data = state.data;
    this.timeline = timeline;
    this.element = byId('details');
    state.on('select', () => this.draw());
    this.draw();
  }

  draw() {
    const { activity, turn } = this.state;
    if (activity < 0) {
      this.element.replaceChildren(this.hint());
      return;
    }
    const parts = [this.head(activity), this.chain(activity), this.facts(activity)];
    if (turn >= 0)
      parts.push(this.turnPart(turn));
    parts.push(...this.waits(activity), ...this.wakes(activity));
    this.element.replaceChildren(...parts.filter(Boolean));
  }

  hint() {
    const key = (name) => make('kbd', null, name);
    return make('div.hint', null,
      make('h3', null, 'Choose an activity'),
      make('p', null, 'A click on a lane shows its facts here: parents, turns, waits, wakers.'),
      make('p', null, 'Wheel or pinch zooms, dragging chooses a stretch, Shift and dragging moves.',
        ' Keys: ', key('←'), key('→'), ' move, ', key('+'), key('−'), ' zoom, ', key('0'),
        ' all, ', key('↑'), key('↓'), ' lanes, ', key('Enter'), ' opens, ', key('n'), key('p'),
        ' next and previous turn, ', key('w'), ' its waker, ', key('z'), ' whole life, ',
        key('⌫'), ' back, ', key('/'), ' find.'));
  }

  link(a) {
    const choose = () => this.state.select(a, -1, 'details');
    return make('button.link', { type: 'button', onclick: choose }, this.data.titleOf(a));
  }

  head(a) {
    const { how } = this.data.activities;
    const close = make('button.close', { type: 'button', 'aria-label': 'Close',
      onclick: () => this.state.select(-1, -1, 'details') }, '×');
    return make('header', null, make('h3', null, this.data.titleOf(a)),
      make(`span.how.how-${how[a]}`, null, howEnded(how[a])), close);
  }

  chain(a) {
    const { parent } = this.data.activities;
    const above = [];
    for (let up = parent[a]; up >= 0; up = parent[up])
      above.unshift(up);
    const shown = above.length > 12 ? [...above.slice(0, 2), -1, ...above.slice(-8)] : above;
    const links = shown.map((up) => (up < 0
      ? make('li.faint', null, `${count(above.length - 10)} others`)
      : make('li', null, this.link(up))));
    if (!links.length)
      links.push(make('li.faint', null, 'a root'));
    return make('ol.chain', { 'aria-label': 'Parents' }, ...links);
  }

  facts(a) {
    const { data } = this;
    const { begin, turns, busy, longest, spawned, domain, function: code } = data.activities;
    const life = data.endOf(a) - begin[a];
    const below = data.childrenOf(a).length;
    const list = make('dl.facts');
    const add = (name, ...value) => list.append(make('dt', null, name), make('dd', null, ...value));
    add('function', make('code', null, data.text(code[a])));
    if (spawned[a] >= 0)
      add('spawned at', placeNode(data, spawned[a]));
    add('lived', `${time(life)} from ${moment(begin[a], 1000)}`);
    add('turns', count(turns[a]));
    add('busy', `${time(busy[a])} (${percent(busy[a], life)} of its life)`);
    add('longest turn', time(longest[a]));
    if (below)
      add('children', count(below));
    if (data.domains.length > 1)
      add('domain', String(data.domains[domain[a]].number));
    return list;
  }

  turnPart(turn) {
    const go = (label, to) => make('button', { type: 'button', disabled: to < 0,
      onclick: () => this.timeline.selectTurn(to) }, label);
    const { data } = this;
    const { begin, length, waker } = data.turns;
    const zoom = make('button', { type: 'button', onclick: () => this.timeline.setView(
      begin[turn] - length[turn], begin[turn] + 2 * length[turn], true) }, 'zoom');
    return make('div.turn-part', null,
      make('h4', null, `Turn ${data.positionOf[turn] -
        data.own.start[data.turns.activity[turn]] + 1}: ${turnLength(length[turn])}`),
      ...turnLines(data, turn).slice(1),
      make('div.choice', null, go('‹ before', data.beside(turn, -1)), zoom,
        go('waker', waker[turn]), go('next ›', data.beside(turn, 1))));
  }

  // ---- waits: by kind as a bar, by kind and what as a list ----
  waits(a) {
    const groups = new Map();
    const { start, list, end } = this.data.own;
    const kinds = new Float64Array(256);
    let all = 0;
    const last = Math.min(start[a + 1], start[a] + LOOKED_AT);
    for (let i = start[a]; i < last; i++) {
      const wait = this.data.waitAfter(list[i]);
      if (!wait)
        continue;
      const length = Math.max(0, wait.until - end[i]);
      const key = `${wait.kind} ${this.data.turns.wait[list[i]]}`;
      const group = groups.get(key) || { kind: wait.kind, what: wait.what, count: 0, total: 0 };
      group.count++;
      group.total += length;
      groups.set(key, group);
      kinds[wait.kind] += length;
      all += length;
    }
    return all ? this.waitNodes([...groups.values()], kinds, all) : [];
  }

  waitNodes(groups, kinds, all) {
    const { data } = this;
    groups.sort((x, y) => y.total - x.total);
    const bar = make('div.stack', { 'aria-hidden': 'true' });
    kinds.forEach((total, kind) => {
      if (total > 0)
        bar.append(make('i', { title: data.kinds[kind], style: `flex: ${total / all}; ` +
          `background: var(${kindVariable(data.kinds, kind)})` }));
    });
    const items = groups.slice(0, SHOWN).map((group) => make('li', null,
      make('span', null, swatch(data, group.kind), kindName(data, group.kind, group.what)),
      make('span.faint', null, `${time(group.total)}, ${count(group.count)} ×`)));
    const more = groups.length - SHOWN;
    if (more > 0)
      items.push(make('li.faint', null, `and ${more} more`));
    return [make('h4', null, 'Waited for'), bar, make('ul.pairs', null, ...items)];
  }

  // ---- wakes ----
  // Activities of one function are counted together: -1 stands for events.
  wakes(a) {
    const { start, list } = this.data.own;
    const { waker, activity } = this.data.turns;
    const code = this.data.activities.function;
    const by = new Map();
    const woke = new Map();
    const add = (map, other) => {
      const key = other < 0 ? -1 : code[other];
      const group = map.get(key) || { count: 0, activities: new Set() };
      group.count++;
      group.activities.add(other);
      map.set(key, group);
    };
    const last = Math.min(start[a + 1], start[a] + LOOKED_AT);
    for (let i = start[a]; i < last; i++) {
      add(by, waker[list[i]] < 0 ? -1 : activity[waker[list[i]]]);
      for (const turn of this.data.woken(list[i]))
        add(woke, activity[turn]);
    }
    return [...this.wakeNodes('Woken by', by), ...this.wakeNodes('Woke', woke)];
  }

  wakeNodes(title, map) {
    const pairs = [...map].sort((x, y) => y[1].count - x[1].count);
    if (!pairs.length)
      return [];
    const items = pairs.slice(0, SHOWN).map(([key, group]) => make('li', null,
      this.wakeName(key, group.activities), make('span.faint', null, `${count(group.count)} ×`)));
    if (pairs.length > SHOWN)
      items.push(make('li.faint', null, `and ${counted(pairs.length - SHOWN, 'other function')}`));
    return [make('h4', null, title), make('ul.pairs', null, ...items)];
  }

  wakeName(key, activities) {
    if (key < 0)
      return make('span', { title: 'timers, descriptors, other domains' }, 'events');
    const [first] = activities;
    if (activities.size === 1)
      return this.link(first);
    return make('span', null, this.data.text(key),
      make('span.faint', null, ` (${count(activities.size)} activities)`));
  }
}
