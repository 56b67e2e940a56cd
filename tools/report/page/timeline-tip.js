// timeline-tip.js: the tooltip of the timeline: a turn, a wait, a mark, or a lane.

import { make, showTip, placeTitle } from './dom.js';
import { time, turnLength, moment, count, counted, percent } from './format.js';
import { swatch } from './theme.js';
import { firstAbove, RECURRING, INSIDE, SLICED } from './data.js';
import { nodeTitle } from './lanes.js';

const ends = ['alive at the end', 'returned', 'ended with an error', 'cancelled'];

export function howEnded(how) {
  return ends[how] || '?';
}

export function kindName(data, kind, what) {
  return what || (data.kinds[kind] === 'ready' ? 'its turn (ready)' : data.kinds[kind]);
}

function row(label, ...value) {
  return make('div.tip-row', null, make('span.faint', null, label), make('span', null, ...value));
}

export function showFound(timeline, found, x, y) {
  const { data } = timeline;
  const { node } = found.line;
  const lines = [make('strong', null, nodeTitle(data, node))];
  if (found.mark)
    lines.push(...markLines(data, found.mark, timeline));
  if (found.turn >= 0 && found.merged > 1)
    lines.push(...mergedLines(timeline, found));
  else if (found.turn >= 0)
    lines.push(...turnLines(data, found.turn));
  else if (found.wait >= 0)
    lines.push(...waitLines(data, found.wait));
  else if (node.members)
    lines.push(...groupLines(timeline, found));
  else
    lines.push(...activityLines(data, node.activity));
  showTip(lines, x, y);
}

function markLines(data, [t, , text, category], timeline) {
  const step = (timeline.view.to - timeline.view.from) / 1000;
  return [row('mark', `${data.text(text)} (${data.text(category)}) at ${moment(t, step)}`)];
}

export function turnLines(data, turn) {
  const { turns } = data;
  const lines = [
    row('turn', `${turnLength(turns.length[turn])}, at ${moment(turns.begin[turn], 1000)}`),
    row('until', turns.place[turn] < 0 ? 'its end' : placeTitle(data, turns.place[turn])),
  ];
  const before = data.beside(turn, -1);
  if (before >= 0)
    lines.splice(1, 0, row('from', placeTitle(data, turns.place[before])));
  const wait = data.waitAfter(turn);
  if (wait)
    lines.push(row('then', swatch(data, wait.kind), `${kindName(data, wait.kind, wait.what)}, ` +
      time(wait.until - turns.begin[turn] - turns.length[turn])));
  else
    lines.push(row('then', howEnded(data.activities.how[turns.activity[turn]])));
  lines.push(row('woken by', wakerText(data, turn)));
  const notes = flagNotes(turns.flags[turn]);
  if (notes)
    lines.push(row('', notes));
  return lines;
}

function wakerText(data, turn) {
  const waker = data.turns.waker[turn];
  if (waker < 0)
    return 'an event (timer, descriptor, another domain)';
  return `${data.titleOf(data.turns.activity[waker])} before ` +
    placeTitle(data, data.turns.place[waker]);
}

function flagNotes(flags) {
  const notes = [];
  if (flags & RECURRING)
    notes.push('recurring');
  if (flags & INSIDE)
    notes.push('inside another activity’s turn');
  if (flags & SLICED)
    notes.push('ended by the slice');
  return notes.join(', ');
}

function mergedLines({ drawing, data }, found) {
  const a = found.line.node.activity;
  const x = drawing.x(found.time);
  const from = drawing.timeAt(x - 1.5);
  const to = drawing.timeAt(x + 1.5);
  const { busy } = data.sumsOf(a, from, to);
  return [row('here', `${counted(found.merged, 'turn')}, busy ${percent(busy, to - from)}`),
    row('', 'zoom in to see them apart')];
}

function waitLines(data, turn) {
  const { turns } = data;
  const wait = data.waitAfter(turn);
  const begin = turns.begin[turn] + turns.length[turn];
  const next = data.beside(turn, 1);
  const lines = [
    row('waits for', swatch(data, wait.kind), kindName(data, wait.kind, wait.what)),
    row('for', `${time(wait.until - begin)}${wait.open ? ', to the end' : ''}`),
    row('at', placeTitle(data, turns.place[turn])),
  ];
  if (next >= 0)
    lines.push(row('woken by', wakerText(data, next)));
  return lines;
}

function groupLines({ lanes }, found) {
  const { begin, end, most } = lanes.aliveOf(found.line.node);
  const alive = firstAbove(begin, found.time || 0, 0, begin.length) -
    firstAbove(end, found.time || 0, 0, end.length);
  const lines = [row('most alive at once', count(most))];
  if (found.time !== undefined)
    lines.unshift(row('alive here', count(alive)));
  lines.push(row('', found.line.open ? 'a click closes it' : 'a click opens it'));
  return lines;
}

function activityLines(data, a) {
  const { turns, busy, begin, how, spawned } = data.activities;
  const lines = [
    row('lived', `${time(data.endOf(a) - begin[a])}, ${howEnded(how[a])}`),
    row('took', `${counted(turns[a], 'turn')}, busy ${time(busy[a])}`),
  ];
  if (spawned[a] >= 0)
    lines.push(row('spawned at', placeTitle(data, spawned[a])));
  return lines;
}
