// figures.js: the figures of the study of continuations, for this program: lengths of turns,
// branching, gaps, atomic sections and bursts. Each has a sentence that says what it means, one
// that reads it, a chart as histogram or cumulated, and its numbers as a table.

import { make, byId, choice } from './dom.js';
import { count, counted, time, percent } from './format.js';
import { Histogram, views, timeBins, countBins, sum, cumulated } from './charts.js';

// The edge below which at least half of all lie.
function halfBelow(edges, values) {
  const shares = cumulated(values);
  const at = shares.findIndex((share) => share >= 50);
  return edges[at + 1] === undefined ? null : edges[at + 1];
}

// How many lie at or above a time that is an edge.
function above(edges, values, limit) {
  return values.reduce((total, n, i) => (edges[i] >= limit ? total + n : total), 0);
}

function lengthReading(figure, values, noun) {
  const all = sum(values);
  const half = halfBelow(figure.edges, values);
  const long = above(figure.edges, values, 1e6);
  const median = half === null ? '' : `At least half of the ${counted(all, noun)} are shorter ` +
    `than ${time(half)}; `;
  return `${median}${count(long)} (${percent(long, all)}) take 1 ms or longer.`;
}

// A figure: id, title, what it means, series over bins, and how it reads.
function figureList(figures) {
  return [turnsFigure(figures.turns), branchingFigure(figures.branching),
    gapsFigure(figures.gaps),
    ...batchFigures('atomic', 'Figure 5a', figures.atomic),
    ...batchFigures('bursts', 'Figure 5b', figures.bursts)].filter(Boolean);
}

function turnsFigure(figure) {
  const bins = timeBins(figure.edges, [figure.all]);
  return {
    id: 'turns', number: 'Figure 2', title: 'How long turns last',
    meaning: 'During a turn no other activity of its domain runs: short turns keep the program ' +
      'responsive, the tail on the right delays everyone.',
    empty: bins.empty ? 'This run had no turns.' : null,
    bins,
    series: [
      { name: 'all turns', values: figure.all, colour: '--line-1', fill: '--area' },
      { name: 'without recurring', values: figure.once, colour: '--line-2', dash: true,
        help: 'without turns that were resumed from the same place of a loop before' },
    ],
    reading: lengthReading(figure, figure.all, 'turn') + ' ' +
      `${percent(sum(figure.all) - sum(figure.once), sum(figure.all))} are recurring.`,
  };
}

function branchingFigure(figure) {
  const all = sum(figure.turns);
  const several = above(figure.values, figure.turns, 2);
  const brothers = above(figure.values, figure.parents, 2);
  return {
    id: 'branching', number: 'Figure 3', title: 'How turns branch',
    meaning: 'The children of a turn are the next turn of its activity and the first turns of ' +
      'activities that it spawned: one child is a sequence, several are concurrency.',
    empty: all ? null : 'This run had no turns.',
    bins: countBins(figure.values, [figure.turns, figure.parents]),
    series: [
      { name: 'children of a turn', values: figure.turns, colour: '--line-1', fill: '--area' },
      { name: 'children of its parent', values: figure.parents, colour: '--line-2', dash: true,
        help: 'for each turn with a parent: how many children that parent has' },
    ],
    reading: `${percent(figure.turns[1] || 0, all)} of the turns have one child, ` +
      `${percent(several, all)} have more; ${percent(brothers, sum(figure.parents))} of the ` +
      'turns that have a parent share it with others.',
  };
}

function gapsFigure(figure) {
  const { edges, uninterrupted, interrupted, written, once } = figure;
  const all = sum(uninterrupted) + sum(interrupted);
  const short = above(edges, uninterrupted, 0) - above(edges, uninterrupted, 1e5);
  const shortBroken = above(edges, interrupted, 0) - above(edges, interrupted, 1e5);
  const series = [
    { name: 'uninterrupted', values: uninterrupted, colour: '--line-1', fill: '--area' },
    { name: 'interrupted', values: interrupted, colour: '--line-2',
      help: 'another activity of the domain ran in the gap' },
    { name: 'without recurring', values: once, colour: '--line-4', dash: true },
  ];
  if (written)
    series.push({ name: 'interrupted and written', values: written, colour: '--line-3',
      help: 'an activity ran in the gap and wrote what this one uses' });
  return {
    id: 'gaps', number: 'Figure 4', title: 'Gaps between turns',
    meaning: 'What an activity checked before a gap between its turns may be different after it ' +
      'if others ran in it: short gaps, which are rarely interrupted, hide such bugs from tests.',
    empty: all ? null : 'This run had no gaps: each activity had one turn at most.',
    bins: timeBins(edges, [uninterrupted, interrupted]),
    series,
    reading: `${percent(sum(interrupted), all)} of ${counted(all, 'gap')} were interrupted` +
      (written ? `, ${count(sum(written))} by an activity that wrote what this one uses. `
        : ' (built with -fsanitize=atomicity the program also says which of them were written). ') +
      `Of the gaps below 100 µs ${count(short)} were not interrupted, ${count(shortBroken)} were.`,
  };
}

const batches = {
  atomic: {
    noun: 'atomic section', counted: 'activities', countTitle: 'Activities in an atomic section',
    title: 'How long atomic sections last',
    meaning: 'Nothing else of the domain runs during an outermost atomic section: a long one ' +
      'makes everyone wait.',
    countMeaning: 'Activities that are spawned in an atomic section run inside it, which is ' +
      'what makes sections long.',
  },
  bursts: {
    noun: 'burst', counted: 'turns', countTitle: 'Turns in a burst',
    title: 'How long bursts last',
    meaning: 'A burst is what a domain runs between two moments without work: new events wait ' +
      'until it ends.',
    countMeaning: 'Many turns in a burst mean that activities keep each other ready, or that ' +
      'the domain is overloaded.',
  },
};

function batchFigures(id, number, figure) {
  const words = batches[id];
  const counts = figure[words.counted];
  const bins = timeBins(figure.edges, [figure.length]);
  if (bins.empty)
    return [{ id: `${id}-length`, number, title: words.title, meaning: words.meaning,
      empty: `This run had no ${words.noun}s.` }];
  return [{
    id: `${id}-length`, number, title: words.title, meaning: words.meaning, bins,
    series: [{ name: `${words.noun}s`, values: figure.length, colour: '--line-1', fill: '--area' }],
    reading: lengthReading(figure, figure.length, words.noun),
  }, {
    id: `${id}-count`, number, title: words.countTitle, meaning: words.countMeaning,
    bins: countBins(figure.counts, [counts]),
    series: [{ name: `${words.noun}s`, values: counts, colour: '--line-2', fill: '--area-2' }],
    reading: `${percent(counts[0] || 0, sum(counts))} of ${counted(sum(counts), words.noun)} ` +
      `had one ${words.counted === 'turns' ? 'turn' : 'activity'}.`,
  }];
}

// The numbers of a figure: a row for each bin that is not empty, and the sums.
function numbers(figure) {
  const head = ['', ...figure.series.map((one) => one.name)];
  const rows = [];
  figure.bins.labels.forEach((label, i) => {
    if (!figure.series.some((one) => one.values[i]))
      return;
    rows.push(make('tr', { 'data-bin': String(i) }, make('th', { scope: 'row' }, label),
      ...figure.series.map((one) => make('td.number', null, count(one.values[i])))));
  });
  rows.push(make('tr.sum', null, make('th', { scope: 'row' }, 'all'),
    ...figure.series.map((one) => make('td.number', null, count(sum(one.values))))));
  const table = make('table', null,
    make('caption.hidden-text', null, `${figure.number}: ${figure.title}`),
    make('thead', null, make('tr', null, ...head.map((name) =>
      make('th', { scope: 'col', className: name ? 'number' : '' }, name)))),
    make('tbody', null, ...rows));
  return make('details.numbers', null, make('summary', null, 'Numbers'),
    make('div.scroll', { tabIndex: 0, role: 'region', 'aria-label': 'Numbers' }, table));
}

function card(figure) {
  const element = make('article.card', { id: `figure-${figure.id}` },
    make('header', null, make('h3', null, make('span.tag', null, figure.number), figure.title)),
    make('p.meaning', null, figure.meaning));
  if (figure.empty) {
    element.append(make('p.empty', null, figure.empty));
    return element;
  }
  const place = make('div');
  element.append(place, make('p.reading', null, figure.reading), numbers(figure));
  figure.place = place;
  return element;
}

// Charts need their places in the page before they are drawn.
export function drawFigures(data) {
  const figures = figureList(data.figures);
  byId('figures').replaceChildren(...figures.map(card));
  for (const figure of figures) {
    if (figure.empty)
      continue;
    const label = `${figure.title}. ${figure.reading}`;
    const chart = new Histogram(figure.place, figure.bins, figure.series, label);
    const header = figure.place.parentElement.querySelector('header');
    header.append(choice('View', views, views[0], (view) => chart.show(view)));
  }
}
