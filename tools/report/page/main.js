// main.js: reads the data and starts every view. When all is drawn, data-ready of the document says
// how many milliseconds after the page was opened.

import { make, byId, announce } from './dom.js';
import { readData } from './data.js';
import { State } from './state.js';
import { startTheme, kindVariable } from './theme.js';
import { drawHeader, drawGlossary } from './header.js';
import { Timeline } from './timeline.js';
import { TimelineInput } from './timeline-input.js';
import { Overview } from './overview.js';
import { Details } from './details.js';
import { Tree } from './tree.js';
import { charts, redrawCharts } from './charts.js';
import { drawFigures } from './figures.js';
import { drawWaits, drawQueues, drawLongest, drawRisky } from './tables.js';
import { count, counted } from './format.js';

function startFilter(state) {
  const input = byId('filter');
  let timer = 0;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => state.setFilter(input.value), 120);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape')
      return;
    input.value = '';
    state.setFilter('');
    byId('lanes').focus();
  });
  state.on('filter', () => {
    const matches = state.found ? state.found.reduce((n, x) => n + (x === 1), 0) : 0;
    byId('found').textContent = state.found ? counted(matches, 'match') : '';
    if (state.found)
      announce(`${count(matches)} activities match`);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
      return;
    event.preventDefault();
    input.focus();
  });
}

// The bar with which marked turns are stepped through.
function startMarked(state, timeline) {
  const bar = byId('marked');
  const text = byId('marked-text');
  const step = (by) => {
    const { marked } = state;
    const { turns } = marked;
    marked.at = marked.at < 0 && by < 0 ? turns.length - 1
      : (marked.at + by + turns.length) % turns.length;
    const turn = turns[marked.at];
    const { begin, length } = state.data.turns;
    const wait = state.data.waitAfter(turn);
    const end = wait ? wait.until : begin[turn] + length[turn];
    state.select(state.data.turns.activity[turn], turn, 'marked');
    const room = Math.max(200, end - begin[turn]);
    timeline.setView(begin[turn] - room / 2, end + room / 2, true);
    say();
  };
  const say = () => {
    const { marked } = state;
    text.textContent = `${marked.label}: ${count(marked.at + 1)} of ${count(marked.turns.length)}`;
    announce(text.textContent);
  };
  byId('marked-next').addEventListener('click', () => step(1));
  byId('marked-before').addEventListener('click', () => step(-1));
  byId('marked-close').addEventListener('click', () => state.mark(null, ''));
  state.on('marked', () => {
    bar.hidden = !state.marked;
    if (!state.marked)
      return;
    step(1);
    byId('timeline').scrollIntoView({ block: 'start' });
  });
}

function drawLegend(data) {
  const used = new Set(data.waits.map((row) => row[0]));
  const words = data.glossary || {};
  const item = (style, text) => make('li', { title: words[text.split(',')[0]] || null },
    make('i.swatch', { style }), text);
  byId('legend').replaceChildren(item('background: var(--turn)', 'turn'),
    ...data.kinds.map((kind, i) => (used.has(i) ? item(
      `background: var(${kindVariable(data.kinds, i)})`,
      kind === 'ready' ? 'ready, waits for its turn' : `waits: ${kind}`) : null)).filter(Boolean),
    data.marks.length ? item('background: var(--mark); transform: rotate(45deg) scale(.8)', 'mark')
      : '');
}

function start() {
  const data = readData();
  const state = new State(data);
  startTheme(state);
  drawHeader(data);
  drawLegend(data);
  byId('content').hidden = false;
  const timeline = new Timeline(state);
  const input = new TimelineInput(timeline, state);
  const overview = new Overview(timeline, state);
  const details = new Details(state, timeline);
  const tree = new Tree(state);
  drawFigures(data);
  const tables = [drawWaits(state), drawLongest(state), drawRisky(state)];
  drawQueues(data);
  drawGlossary(data);
  startFilter(state);
  startMarked(state, timeline);
  state.on('theme', () => redrawCharts(state.printing));
  timeline.draw();
  window.fermata = { data, state, timeline, input, overview, details, tree, tables, charts };
}

function ready() {
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

try {
  start();
  requestAnimationFrame(() => requestAnimationFrame(ready));
} catch (error) {
  byId('failure').hidden = false;
  byId('failure').textContent = `The page cannot show this report: ${error.message}`;
  document.documentElement.dataset.failed = error.message;
  throw error;
}
