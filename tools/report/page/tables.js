// tables.js: waits by kind and place, queue lengths over time, the longest turns, and risky gaps
// by source line. A click on a row shows in the timeline what it is about.

import { make, byId, placeNode, placeText, untilNode, SortedTable } from './dom.js';
import { count, time, moment, percent } from './format.js';
import { kindVariable, swatch } from './theme.js';
import { kindName } from './timeline-tip.js';
import { OverTime } from './charts.js';
import { INSIDE } from './data.js';

const lineColours = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'];

// A number with a bar under it that shows its share.
function withBar(text, share) {
  return make('span.bar', { style: `--share: ${(100 * share).toFixed(1)}%` }, text);
}

// ---- waits ----
export function drawWaits(state) {
  const { data } = state;
  const { waits } = data;
  const whole = waits.reduce((total, row) => total + row[4], 0);
  const most = waits.reduce((max, row) => Math.max(max, row[4]), 1);
  drawKinds(data, waits, whole);
  const columns = [
    { title: 'Kind', value: (row) => data.kinds[row[0]], node: (row) =>
      make('span', null, swatch(data, row[0]), data.kinds[row[0]]) },
    { title: 'Waits for', value: (row) => data.text(row[1]), node: (row) =>
      kindName(data, row[0], data.text(row[1])) },
    { title: 'Place', value: (row) => placeText(data, row[2]), node: (row) =>
      placeNode(data, row[2]) },
    { title: 'Count', number: true, value: (row) => row[3], node: (row) => count(row[3]) },
    { title: 'Total', number: true, value: (row) => row[4], node: (row) =>
      withBar(time(row[4]), row[4] / most) },
    { title: 'Share', number: true, value: (row) => row[4], node: (row) =>
      percent(row[4], whole) },
    { title: 'Median', number: true, value: (row) => row[6], node: (row) => time(row[6]) },
    { title: 'Longest', number: true, value: (row) => row[5], node: (row) => time(row[5]) },
  ];
  return new SortedTable(byId('waits-table'), columns, waits, {
    caption: 'Waits by kind and place', glossary: data.glossary,
    pickTitle: 'Show these waits in the timeline',
    pick: (row) => markWaits(state, row),
  });
}

function drawKinds(data, waits, whole) {
  const totals = new Map();
  for (const [kind, , , , total] of waits)
    totals.set(kind, (totals.get(kind) || 0) + total);
  const kinds = [...totals].sort((x, y) => y[1] - x[1]);
  const parts = kinds.filter(([, total]) => total > 0).map(([kind, total]) => make('i', {
    title: `${data.kinds[kind]}: ${time(total)}`,
    style: `flex: ${total / whole}; background: var(${kindVariable(data.kinds, kind)})`,
  }));
  const keys = kinds.map(([kind, total]) => make('li', { 'data-kind': data.kinds[kind] },
    swatch(data, kind), data.kinds[kind], make('span.faint', null,
      ` ${time(total)} (${percent(total, whole)})`)));
  byId('waits-kinds').replaceChildren(make('div.stack.tall', { 'aria-hidden': 'true' }, ...parts),
    make('ul.key', null, ...keys));
}

function markWaits(state, [kind, what, place]) {
  const { data } = state;
  const { turns } = data;
  const found = [];
  for (let i = 0; i < turns.count; i++)
    if (turns.kind[i] === kind && turns.place[i] === place && turns.wait[i] === what)
      found.push(i);
  state.mark(found, `waits for ${kindName(data, kind, data.text(what))} at ` +
    placeText(data, place));
}

// ---- queues ----
function highest(values) {
  return values.reduce((max, n) => Math.max(max, n), 0);
}

export function drawQueues(data) {
  const place = byId('queues');
  const ready = (data.ready || []).filter(([, times]) => times.length)
    .sort((x, y) => highest(y[2]) - highest(x[2]));
  const objects = (data.queues || []).filter(([, , times]) => times.length)
    .sort((x, y) => highest(y[3]) - highest(x[3]));
  if (!ready.length && !objects.length) {
    place.replaceChildren(make('p.empty', null, 'No queue lengths were recorded.'));
    return;
  }
  place.replaceChildren();
  drawLines(data, place, 'Ready activities', ready.map(([domain, times, values]) =>
    [`domain ${data.domains[domain] ? data.domains[domain].number : domain}`, times, values]),
  'ready', 'Activities that could run and waited for their turn: a queue that grows means the ' +
    'domain has more work than time.');
  drawLines(data, place, 'Channels, semaphores and other objects', objects.map(
    ([name, at, times, values]) => [`${data.text(name)} (${placeText(data, at)})`, times, values]),
  'objects', 'Values or activities in the queue of an object: a full channel stops its senders, ' +
    'an empty one its receivers.');
}

function drawLines(data, place, title, lines, id, meaning) {
  if (!lines.length)
    return;
  const shown = lines.slice(0, lineColours.length);
  const left = lines.length - shown.length;
  const box = make('div');
  const text = shown.map(([name, , values]) => `${name}: at most ${count(highest(values))}`);
  place.append(make('article.card', { id: `queues-${id}` }, make('h3', null, title),
    make('p.meaning', null, meaning), box,
    make('p.reading', null, text.join('; ') + (left ? `; ${left} with shorter queues are not drawn`
      : '') + '.')));
  return new OverTime(box, shown, data.duration, lineColours, `${title}. ${text.join('; ')}`);
}

// ---- the longest turns ----
export function drawLongest(state) {
  const { data } = state;
  const most = data.longest.reduce((max, row) => Math.max(max, row[3]), 1);
  const columns = [
    { title: 'Length', number: true, value: (row) => row[3], node: (row) =>
      withBar(time(row[3]), row[3] / most) },
    { title: 'Activity', value: (row) => data.titleOf(row[1]), node: (row) =>
      data.titleOf(row[1]) },
    { title: 'From', value: (row) => placeText(data, row[4]), node: (row) =>
      (row[4] < 0 ? make('span.faint', null, 'its beginning') : placeNode(data, row[4])) },
    { title: 'Until', value: (row) => placeText(data, row[5]), node: (row) =>
      untilNode(data, row[5]) },
    { title: 'Began at', number: true, first: 'up', value: (row) => row[2], node: (row) =>
      moment(row[2], 1000) },
  ];
  return new SortedTable(byId('longest-table'), columns, data.longest, {
    caption: 'The longest turns', most: 10, pickTitle: 'Show this turn in the timeline',
    pick: ([turn, activity, begin, length]) => state.show(activity, turn, begin, begin + length),
  });
}

// ---- risky gaps ----
export function drawRisky(state) {
  const { data } = state;
  const written = data.risky.some((row) => row[4] >= 0);
  const names = (row) => row[8].map((i) => data.text(i)).join(', ');
  const columns = [
    { title: 'Before the gap', value: (row) => placeText(data, row[0]), node: (row) =>
      placeNode(data, row[0]) },
    { title: 'After it', help: 'where the turn after the gap ends', value: (row) =>
      placeText(data, row[1]), node: (row) => untilNode(data, row[1]) },
    { title: 'Gaps', number: true, value: (row) => row[2], node: (row) => count(row[2]) },
    { title: 'Interrupted', number: true, value: (row) => row[3], node: (row) =>
      withBar(count(row[3]), row[3] / Math.max(1, row[2])) },
    { title: 'Of them', number: true, value: (row) => row[3] / Math.max(1, row[2]), node: (row) =>
      percent(row[3], row[2]) },
    { title: 'Written', number: true, help: 'interrupted by an activity that wrote what this one ' +
      'uses; known in programs built with -fsanitize=atomicity', value: (row) => row[4],
    node: (row) => (row[4] < 0 ? make('span.faint', null, '–')
      : make(row[4] ? 'strong.alert' : 'span', null, count(row[4]))) },
    { title: 'Shortest', number: true, first: 'up', value: (row) => row[5], node: (row) =>
      time(row[5]) },
    { title: 'Median', number: true, value: (row) => row[6], node: (row) => time(row[6]) },
    { title: 'Longest', number: true, value: (row) => row[7], node: (row) => time(row[7]) },
    { title: 'Interrupted by', wrap: true, value: names, node: (row) => names(row) || '–' },
  ];
  byId('risky-note').textContent = written ? 'In a written gap another activity wrote what ' +
    'this one uses.' : 'Which gaps were written is known in ' +
    'programs that are built with -fsanitize=atomicity.';
  return new SortedTable(byId('risky-table'), columns, data.risky, {
    caption: 'Risky gaps by source line', glossary: data.glossary,
    pickTitle: 'Show these gaps in the timeline',
    pick: (row) => markGaps(state, row),
  });
}

function markGaps(state, [before, after]) {
  const { data } = state;
  const { turns } = data;
  const found = [];
  const all = [];
  for (let i = 0; i < turns.count; i++) {
    if (turns.place[i] !== before)
      continue;
    const next = data.beside(i, 1);
    if (next < 0 || turns.place[next] !== after)
      continue;
    all.push(i);
    if (interrupted(data, i, next))
      found.push(i);
  }
  const end = after < 0 ? 'the end' : placeText(data, after);
  const label = `gaps from ${placeText(data, before)} to ${end}`;
  state.mark(found.length ? found : all, found.length ? `interrupted ${label}` : label);
}

// Another activity of the same domain ran between the two turns; that of the outer turn goes on
// after a turn inside it.
function interrupted(data, turn, next) {
  const { domain } = data.activities;
  const { activity, flags } = data.turns;
  if (flags[turn] & INSIDE)
    return true;
  const here = domain[activity[turn]];
  for (let i = turn + 1; i < next; i++)
    if (domain[activity[i]] === here && activity[i] !== activity[turn])
      return true;
  return false;
}
