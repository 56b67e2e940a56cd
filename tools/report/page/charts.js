// charts.js: charts by uPlot: histograms over times or counts, and values over time. A chart has a
// legend of buttons, a line that says what is under the pointer, and its numbers as a table.

import { make } from './dom.js';
import { colour } from './theme.js';
import { count, time, brief, percent } from './format.js';

/* global uPlot */

export const charts = [];

let paper = false;

// On paper all charts have one size, whatever the window had.
export function redrawCharts(printing) {
  paper = printing;
  charts.forEach((chart) => chart.draw());
}

export function sum(values) {
  return values.reduce((total, x) => total + x, 0);
}

// The share of the values up to each one, in percent.
export function cumulated(values) {
  const whole = sum(values);
  let before = 0;
  return values.map((x) => {
    before += x;
    return whole ? (100 * before) / whole : 0;
  });
}

function axis(more) {
  return {
    stroke: () => colour('--faint'),
    grid: { stroke: () => colour('--grid'), width: 1 },
    ticks: { stroke: () => colour('--grid'), width: 1, size: 4 },
    font: `11px ${colour('--font')}`,
    ...more,
  };
}

// series: [{ name, values, colour, dash, fill, help }]
class Chart {
  // label: what the chart shows, for those who do not see it
  constructor(element, series, label) {
    this.series = series;
    this.hidden = series.map(() => false);
    this.box = make('div.chart', { role: 'img', 'aria-label': label });
    this.readout = make('p.readout', { 'aria-hidden': 'true' });
    this.legend = make('div.legend', { role: 'group', 'aria-label': 'Lines shown' },
      ...series.map((one, i) => this.legendButton(one, i)));
    element.append(this.legend, this.box, this.readout);
    charts.push(this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.box);
  }

  legendButton(one, i) {
    const sample = make(one.dash ? 'i.sample.dashed' : 'i.sample',
      { style: `color: var(${one.colour})` });
    const button = make('button', { type: 'button', title: one.help || null,
      'aria-pressed': 'true', onclick: () => {
        this.hidden[i] = !this.hidden[i];
        button.setAttribute('aria-pressed', String(!this.hidden[i]));
        this.plot.setSeries(i + 1, { show: !this.hidden[i] });
      } }, sample, one.name);
    return button;
  }

  size() {
    if (paper)
      return { width: 300, height: 150 };
    return { width: Math.max(200, this.box.clientWidth), height: this.height || 200 };
  }

  resize() {
    if (this.plot && this.plot.width !== this.size().width)
      this.plot.setSize(this.size());
  }

  draw() {
    if (this.plot)
      this.plot.destroy();
    this.plot = new uPlot({ ...this.size(), ...this.options() }, this.values(), this.box);
  }

  plotSeries(one, i, more) {
    return {
      label: one.name,
      show: !this.hidden[i],
      stroke: colour(one.colour),
      width: one.dash ? 1.5 : 2,
      dash: one.dash ? [5, 4] : undefined,
      fill: one.fill ? colour(one.fill) : undefined,
      points: { show: false },
      ...more,
    };
  }

  cursor() {
    return { drag: { x: true, y: false }, points: { size: 6 }, y: false };
  }

  hooks() {
    return { setCursor: [(plot) => {
      this.readout.textContent = plot.cursor.idx === null || plot.cursor.idx === undefined
        ? '' : this.say(plot.cursor.idx);
    }] };
  }
}

export const views = ['histogram', 'log', 'cumulative'];

// A scale on which one is visible beside a million, and nothing is zero.
function logarithm(n) {
  return Math.log10(1 + n);
}

// ---- histograms: the bins are equally wide, whatever they stand for ----
// bins: { labels: of each bin, ticks: [[position, text]], … } from timeBins or countBins
export class Histogram extends Chart {
  constructor(element, bins, series, label) {
    super(element, series, label);
    this.bins = bins;
    this.view = 'histogram';
    this.draw();
  }

  // view: one of views
  show(view) {
    this.view = view;
    this.draw();
  }

  get cumulative() {
    return this.view === 'cumulative';
  }

  shown(values) {
    if (this.view === 'log')
      return values.map(logarithm);
    return this.cumulative ? cumulated(values) : values;
  }

  // A step is drawn from the lower edge of its bin to the upper one.
  values() {
    const { first, last } = this.bins;
    const xs = [];
    for (let i = first; i <= last + 1; i++)
      xs.push(i);
    const lines = this.series.map((one) => {
      const part = this.shown(one.values).slice(first, last + 1);
      return [...part, part[part.length - 1]];
    });
    return [xs, ...lines];
  }

  options() {
    const { first, last, ticks } = this.bins;
    const steps = uPlot.paths.stepped({ align: 1 });
    const positions = ticks.filter(([at]) => at >= first && at <= last + 1);
    const few = this.size().width < 420 ? 2 : 1;
    const used = positions.filter((_, i) => i % few === 0);
    const names = new Map(used);
    return {
      scales: {
        x: { time: false, range: [first, last + 1] },
        y: { range: (_, low, high) => [0, this.cumulative ? 100 : Math.max(0.5, high * 1.05)] },
      },
      series: [{}, ...this.series.map((one, i) => this.plotSeries(one, i, { paths: steps }))],
      axes: [
        axis({ splits: () => used.map(([at]) => at), values: (_, list) =>
          list.map((at) => names.get(at)), size: 28 }),
        this.valueAxis(),
      ],
      legend: { show: false },
      cursor: this.cursor(),
      hooks: this.hooks(),
    };
  }

  valueAxis() {
    if (this.view === 'log') {
      const powers = [0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
      const names = new Map(powers.map((n) => [logarithm(n), n >= 1e4 ? brief(n) : String(n)]));
      return axis({ size: 52, splits: (_, axisNumber, low, high) =>
        [...names.keys()].filter((y) => y <= high), values: (_, list) =>
        list.map((y) => names.get(y)) });
    }
    const value = (y) => (this.cumulative ? `${y} %` : brief(y));
    return axis({ values: (_, list) => list.map((y) => (y % 1 ? '' : value(y))), size: 52 });
  }

  say(index) {
    const i = Math.min(this.bins.last, this.bins.first + index);
    const parts = this.series.filter((_, k) => !this.hidden[k]).map((one) => {
      const whole = sum(one.values);
      return this.cumulative ? `${one.name} ${cumulated(one.values)[i].toFixed(1)} %`
        : `${one.name} ${count(one.values[i])} (${percent(one.values[i], whole)})`;
    });
    const range = this.cumulative ? `up to ${this.bins.upper[i]}` : this.bins.labels[i];
    return `${range}: ${parts.join(', ')}`;
  }
}

// The part of a histogram in which anything is, with a bin of air on each side.
function inhabited(lists) {
  let first = Infinity;
  let last = -1;
  for (const list of lists)
    list.forEach((n, i) => {
      if (!n)
        return;
      first = Math.min(first, i);
      last = Math.max(last, i);
    });
  const end = Math.max(...lists.map((list) => list.length)) - 1;
  return last < 0 ? { first: 0, last: end, empty: true }
    : { first: Math.max(0, first - 1), last: Math.min(end, last + 1), empty: false };
}

// Bins of times. The first one holds everything shorter, too, the last one everything longer.
export function timeBins(edges, lists) {
  const n = lists[0].length;
  const upper = [];
  const labels = [];
  const ticks = [];
  for (let i = 0; i < n; i++) {
    const last = i === n - 1;
    upper.push(last ? 'any length' : time(edges[i + 1]));
    labels.push(last ? `${time(edges[i])} or longer` : i === 0 ? `below ${time(edges[1])}`
      : `${time(edges[i])} – ${time(edges[i + 1])}`);
  }
  edges.forEach((edge, i) => {
    if (edge > 0 && Math.abs(Math.log10(edge) % 1) < 1e-9)
      ticks.push([i, time(edge)]);
  });
  return { ...inhabited(lists), upper, labels, ticks };
}

// Bins of counts: each goes up to the next one.
export function countBins(values, lists) {
  const labels = values.map((value, i) => {
    if (i === values.length - 1)
      return `${count(value)} or more`;
    const most = values[i + 1] - 1;
    return most > value ? `${count(value)} – ${count(most)}` : count(value);
  });
  const range = inhabited(lists);
  const every = Math.max(1, Math.ceil((range.last - range.first) / 12));
  const ticks = labels.map((label, i) => [i + 0.5, label.replace(/ (–|or).*/, '')])
    .filter((_, i) => i % every === 0);
  return { ...range, upper: labels, labels, ticks };
}

// ---- values over time ----
// lines: [[name, times, values]]
export class OverTime extends Chart {
  constructor(element, lines, duration, colours, label) {
    super(element, lines.map(([name], i) => ({
      name, colour: colours[i % colours.length], fill: i ? null : '--area',
    })), label);
    this.duration = duration;
    this.height = 170;
    this.joined = uPlot.join(lines.map(([, times, values]) =>
      [[...times, duration], [...values, values[values.length - 1]]]));
    this.draw();
  }

  values() {
    return this.joined;
  }

  options() {
    const steps = uPlot.paths.stepped({ align: 1 });
    const space = this.size().width < 420 ? 80 : 60;
    return {
      scales: {
        x: { time: false, range: (_, low, high) => this.stretch(low, high) },
        y: { range: (_, low, high) => [0, Math.max(1, high * 1.05)] },
      },
      series: [{}, ...this.series.map((one, i) =>
        this.plotSeries(one, i, { paths: steps, spanGaps: true, width: 1.5 }))],
      axes: [
        axis({ values: (_, list) => list.map((t) => time(t)), size: 28, space }),
        axis({ values: (_, list) => list.map((y) => (y % 1 ? '' : brief(y))), size: 52 }),
      ],
      legend: { show: false },
      cursor: this.cursor(),
      hooks: this.hooks(),
    };
  }

  // The whole run, until a part of it is chosen.
  stretch(low, high) {
    const times = this.joined[0];
    const whole = low === null || (low <= times[0] && high >= times[times.length - 1]);
    return whole ? [0, this.duration] : [low, high];
  }

  // The last value at or before a point, since a line may have none there.
  at(line, index) {
    const values = this.joined[line];
    for (let i = index; i >= 0; i--)
      if (values[i] !== null && values[i] !== undefined)
        return values[i];
    return 0;
  }

  say(index) {
    const parts = this.series.map((one, i) => [one, i]).filter(([, i]) => !this.hidden[i])
      .map(([one, i]) => `${one.name} ${count(this.at(i + 1, index))}`);
    return `${time(this.joined[0][index])}: ${parts.join(', ')}`;
  }
}
