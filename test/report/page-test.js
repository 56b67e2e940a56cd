// page-test.js TEMPLATE [JSON…]: tries the page of `fermata report` in Chromium without a window,
// with objects of make-data.js, and with those of real runs in the files. The numbers that it shows are compared with what is computed here, from
// the object; figures have to be drawn; wheel, drag, keys and clicks have to do what they say.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const assert = require('assert');
const { Browser, found, fill } = require('./browser.js');
const { makeObject } = require('./make-data.js');
const analyse = require('./analyse.js');

const [template, ...files] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fermata-report-'));

// ---- what the page writes, read again ----
const units = { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 };

// "12.3 µs" → nanoseconds
function nanoseconds(text) {
  const parts = text.match(/[\d.]+ (?:ns|µs|ms|min|s)\b/g) || [];
  return parts.reduce((sum, part) => {
    const [n, unit] = part.split(' ');
    return sum + Number(n) * (unit === 'min' ? 60e9 : units[unit]);
  }, 0);
}

const integer = (text) => Number(text.replace(/,/g, ''));

// Three digits are shown.
function close(text, expected, what) {
  const shown = nanoseconds(text);
  assert.ok(Math.abs(shown - expected) <= Math.max(0.006 * expected, 0.51),
    `${what}: ${text} is shown, ${expected} ns expected`);
}

function placeOf(data, i) {
  if (i < 0)
    return 'its end';
  const [file, line] = data.places[i];
  return `${path.basename(data.strings[file])}:${line}`;
}

// Rows of a table as lists of texts; all of them are asked for first.
function rowsOf(page, selector) {
  return page.value(`(() => {
    const box = document.querySelector('${selector}');
    for (let more; (more = box.querySelector('button.more:not([hidden])')); ) more.click();
    return [...box.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent.trim()));
  })()`);
}

const textOf = (page, selector) =>
  page.value(`document.querySelector('${selector}').textContent.trim()`);

// In the page: a copy of a canvas, whose pixels can be read without the browser's advice.
const copied = `(canvas) => {
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return context;
}`;

// How many colours a canvas has; 1: it is empty.
const colours = (page, selector) => page.value(`(() => {
  const canvas = document.querySelector('${selector}');
  const { data } = (${copied})(canvas).getImageData(0, 0, canvas.width, canvas.height);
  const words = new Uint32Array(data.buffer);
  return new Set(words).size;
})()`);

// ---- figures ----
const figures = {
  turns: (f) => [f.turns.all, f.turns.once],
  branching: (f) => [f.branching.turns, f.branching.parents],
  gaps: (f) => [f.gaps.uninterrupted, f.gaps.interrupted, f.gaps.once]
    .concat(f.gaps.written ? [f.gaps.written] : []),
  'atomic-length': (f) => [f.atomic.length],
  'atomic-count': (f) => [f.atomic.activities],
  'bursts-length': (f) => [f.bursts.length],
  'bursts-count': (f) => [f.bursts.turns],
};
const total = (list) => list.reduce((sum, n) => sum + n, 0);

async function checkFigure(page, data, id) {
  const lists = figures[id](data.figures);
  const rows = await page.value(`[...document.querySelectorAll('#figure-${id} .numbers tbody tr')]
    .map((row) => [row.dataset.bin || 'all',
      ...[...row.querySelectorAll('td')].map((cell) => cell.textContent)])`);
  const expected = [];
  lists[0].forEach((_, i) => {
    if (lists.some((list) => list[i]))
      expected.push([String(i), ...lists.map((list) => list[i])]);
  });
  expected.push(['all', ...lists.map(total)]);
  assert.deepStrictEqual(rows.map(([bin, ...cells]) => [bin, ...cells.map(integer)]), expected,
    `the numbers of ${id}`);
  for (const view of ['log', 'cumulative', 'histogram']) {
    await page.value(`[...document.querySelectorAll('#figure-${id} .choice button')]
      .find((button) => button.textContent === '${view}').click()`);
    assert.ok(await colours(page, `#figure-${id} canvas`) > 3, `${id} as ${view} is drawn`);
  }
}

// What a chart plots is what the object has, in every view.
async function checkPlotted(page, data) {
  const plotted = async (view) => {
    await page.value(`[...document.querySelectorAll('#figure-turns .choice button')]
      .find((button) => button.textContent === '${view}').click()`);
    return page.value('fermata.charts[0].plot.data[1]');
  };
  const { all } = data.figures.turns;
  const histogram = await plotted('histogram');
  assert.strictEqual(total(histogram.slice(0, -1)), total(all));
  const cumulative = await plotted('cumulative');
  assert.ok(Math.abs(cumulative[cumulative.length - 1] - 100) < 1e-9);
  let before = 0;
  const first = all.findIndex(Boolean) - 1;
  histogram.slice(0, -1).forEach((n, i) => {
    before += all[first + i];
    assert.strictEqual(n, all[first + i]);
    assert.ok(Math.abs(cumulative[i] - (100 * before) / total(all)) < 1e-9);
  });
}

async function checkReadings(page, data) {
  const { turns, branching, gaps } = data.figures;
  const one = branching.turns[1];
  assert.ok((await textOf(page, '#figure-branching .reading'))
    .startsWith(`${share(one, total(branching.turns))} of the turns have one child`));
  const all = total(gaps.uninterrupted) + total(gaps.interrupted);
  assert.ok((await textOf(page, '#figure-gaps .reading')).startsWith(
    `${share(total(gaps.interrupted), all)} of ${all.toLocaleString('en-US')} gaps were`));
  let half = 0;
  for (let sum = turns.all[0]; 2 * sum < total(turns.all); sum += turns.all[half])
    half++;
  const reading = await textOf(page, '#figure-turns .reading');
  close(/shorter than ([^;]+);/.exec(reading)[1], turns.edges[half + 1], reading);
}

function share(part, whole) {
  const p = (100 * part) / whole;
  if (p > 0 && p < 0.1)
    return '< 0.1 %';
  if (p > 99.9 && p < 100)
    return '> 99.9 %';
  return `${p.toFixed((p < 10 && p > 0) || (p > 99 && p < 100) ? 1 : 0)} %`;
}

// ---- tables ----
async function checkTables(page, data) {
  const waits = await rowsOf(page, '#waits-table');
  assert.strictEqual(waits.length, data.waits.length);
  waits.forEach((cells, i) => {
    const [kind, , place, count, sum, longest, median] = data.waits[i];
    assert.strictEqual(cells[0], data.kinds[kind]);
    assert.ok(cells[2].startsWith(place < 0 ? '–' : placeOf(data, place)));
    assert.strictEqual(integer(cells[3]), count);
    close(cells[4], sum, 'total');
    close(cells[6], median, 'median');
    close(cells[7], longest, 'longest');
  });
  const longest = await rowsOf(page, '#longest-table');
  assert.strictEqual(longest.length, data.longest.length);
  longest.forEach((cells, i) => {
    const [, , begin, length, , place] = data.longest[i];
    close(cells[0], length, 'length');
    assert.ok(cells[3].startsWith(placeOf(data, place)));
    close(cells[4], begin, 'begin');
  });
  const risky = await rowsOf(page, '#risky-table');
  assert.strictEqual(risky.length, data.risky.length);
  risky.forEach((cells, i) => {
    const [before, after, gaps, interrupted, written, shortest] = data.risky[i];
    assert.ok(cells[0].startsWith(placeOf(data, before)) && cells[1].startsWith(
      placeOf(data, after)));
    assert.deepStrictEqual(cells.slice(2, 4).map(integer), [gaps, interrupted]);
    assert.strictEqual(cells[5], written < 0 ? '–' : written.toLocaleString('en-US'));
    close(cells[6], shortest, 'shortest');
  });
}

async function checkSorting(page, data) {
  const click = (title) => page.value(`[...document.querySelectorAll('#risky-table th button')]
    .find((button) => button.textContent === '${title}').click()`);
  const column = async (k) => (await rowsOf(page, '#risky-table')).map((cells) => cells[k]);
  const gaps = data.risky.map((row) => row[2]);
  await click('Gaps');
  assert.deepStrictEqual((await column(2)).map(integer), gaps.sort((x, y) => y - x));
  await click('Gaps');
  assert.deepStrictEqual((await column(2)).map(integer), gaps.sort((x, y) => x - y));
  await click('Interrupted');
}

async function checkHeader(page, data) {
  const shown = await page.value(
    '[...document.querySelectorAll("#summary li")].map((item) => item.textContent)');
  assert.deepStrictEqual(shown, data.summary);
  assert.strictEqual(await textOf(page, '#command'), "./server -p 8080 '<>&\"'");
  assert.ok((await textOf(page, '#run')).includes(data.events.toLocaleString('en-US')));
  close(await textOf(page, '#tile-duration strong'), data.duration, 'duration');
  close(await textOf(page, '#tile-longest strong'), data.longest[0][3], 'longest turn');
  assert.strictEqual(await textOf(page, '#tile-busy strong'),
    share(data.domains[0].busy, data.duration));
}

async function checkQueues(page, data) {
  for (const [id, series] of [['ready', data.ready[0][2]], ['objects', data.queues[0][3]]]) {
    const most = series.reduce((max, n) => Math.max(max, n), 0);
    assert.ok((await textOf(page, `#queues-${id} .reading`)).includes(`at most ${most}`));
    assert.ok(await colours(page, `#queues-${id} canvas`) > 3, `queue ${id} is drawn`);
  }
}

// ---- the timeline ----
function sumsWithin(t, from, to) {
  let turns = 0;
  let busy = 0;
  for (let i = 0; i < t.count; i++) {
    const part = Math.min(to, t.begin[i] + t.length[i]) - Math.max(from, t.begin[i]);
    if (part <= 0)
      continue;
    turns++;
    if (!(t.flags[i] & 2))
      busy += part;
  }
  return { turns, busy };
}

async function checkTimeline(page, data, t) {
  assert.ok(await colours(page, '#lanes-canvas') > 8, 'the timeline is drawn');
  assert.ok(await colours(page, '#overview') > 1, 'the overview is drawn');
  const lanes = await page.value('fermata.timeline.lanes.rows.map((row) => row.node.key)');
  assert.strictEqual(new Set(lanes).size, lanes.length, 'no lane stands there twice');
  const [from, to] = [data.duration * 0.3, data.duration * 0.42];
  await page.value(`fermata.timeline.setView(${from}, ${to}); fermata.timeline.draw()`);
  const sums = sumsWithin(t, from, to);
  const visible = await page.value('fermata.timeline.visible');
  assert.strictEqual(visible.turns, sums.turns);
  assert.ok(Math.abs(visible.busy - sums.busy) < 1 + sums.busy * 1e-9);
  const text = await textOf(page, '#visible');
  assert.ok(text.includes(`: ${sums.turns.toLocaleString('en-US')} turn`), text);
  const whole = (to - from) * data.domains.length;
  assert.ok(text.includes(`busy ${share(sums.busy, whole)}`), text);
}

// A turn that fills the view fills its lane with the colour of turns, and no other lane.
async function checkPixels(page, data, t) {
  const [turn, activity, begin, length] = data.longest[0];
  assert.strictEqual(t.activity[turn], activity);
  const pixel = await page.value(`(() => {
    const { timeline, state } = fermata;
    state.show(${activity}, ${turn}, ${begin}, ${begin + length});
    timeline.setView(${begin} + ${length} * 0.1, ${begin} + ${length} * 0.9);
    timeline.draw();
    const row = timeline.lanes.rowOf[${activity}];
    const x = timeline.view.left + timeline.view.width / 2;
    const copy = (${copied})(timeline.canvas);
    const at = (y) => [...copy.getImageData(x, y, 1, 1).data.slice(0, 3)];
    const probe = document.createElement('i');
    probe.style.color = 'var(--turn)';
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    probe.remove();
    return { here: at(timeline.rowY(row) + 10), wanted, above: at(timeline.rowY(row) - 10) };
  })()`);
  assert.deepStrictEqual(pixel.here, pixel.wanted);
  assert.notDeepStrictEqual(pixel.above, pixel.wanted);
}

async function view(page) {
  return page.value('(({ from, to }) => ({ from, to }))(fermata.timeline.view)');
}

async function checkMoving(page, data) {
  await page.value(`fermata.timeline.fit(); fermata.state.select(-1, -1);
    document.querySelector('#timeline').scrollIntoView()`);
  const box = await page.value(`(() => {
    const box = document.querySelector('#lanes-canvas').getBoundingClientRect();
    const { left, width } = fermata.timeline.view;
    return { left: box.left + left, width, top: box.top };
  })()`);
  const middle = box.left + box.width / 2;
  await page.mouse('mouseWheel', middle, box.top + 60, { deltaX: 0, deltaY: -400, button: 'none' });
  await page.until(`fermata.timeline.view.to - fermata.timeline.view.from < ${data.duration}`);
  const zoomed = await view(page);
  assert.ok(Math.abs((zoomed.from + zoomed.to) / 2 - data.duration / 2) < data.duration * 0.01);
  await drag(page, box, 0.25, 0.5);
  const chosen = await view(page);
  const length = zoomed.to - zoomed.from;
  assert.ok(Math.abs(chosen.from - zoomed.from - 0.25 * length) < length * 0.01);
  assert.ok(Math.abs(chosen.to - zoomed.from - 0.5 * length) < length * 0.01);
  await page.value('document.querySelector("#lanes").focus()');
  await page.key('ArrowRight');
  assert.ok((await view(page)).from > chosen.from);
  await page.key('0');
  assert.deepStrictEqual(await view(page), { from: 0, to: data.duration });
}

// Two fingers that part zoom in; the moments under them stay under them.
async function checkPinch(page, data) {
  const [x, y, width] = await page.value(`(() => {
    const box = document.querySelector('#lanes-canvas').getBoundingClientRect();
    const { left, width } = fermata.timeline.view;
    return [box.left + left, box.top + 60, width];
  })()`);
  const touch = (type, ...shares) => page.send('Input.dispatchTouchEvent', { type,
    touchPoints: shares.map((share, id) => ({ x: x + width * share, y, id })) });
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  await touch('touchStart', 0.4);
  await touch('touchStart', 0.4, 0.6);
  await touch('touchMove', 0.3, 0.7);
  await touch('touchMove', 0.2, 0.8);
  await touch('touchEnd');
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  const { from, to } = await view(page);
  assert.ok(Math.abs((to - from) / data.duration - 1 / 3) < 0.01, 'three times as large');
  assert.ok(Math.abs((from + to) / data.duration - 1) < 0.01, 'in the middle');
  await page.value('fermata.timeline.fit()');
}

// A click on a lane of several activities opens it.
async function checkGroup(page) {
  const before = await page.value('fermata.timeline.lanes.rows.length');
  const at = await page.value(`(() => {
    const { timeline } = fermata;
    const row = timeline.lanes.rows.findIndex((line) => line.node.members);
    timeline.scroller.scrollTop = 0;
    const box = timeline.canvas.getBoundingClientRect();
    return { row, members: timeline.lanes.rows[row].node.members.length, x: box.left + 80,
      y: box.top + timeline.rowY(row) + 10 };
  })()`);
  await page.mouse('mousePressed', at.x, at.y, { buttons: 1 });
  await page.mouse('mouseReleased', at.x, at.y);
  assert.strictEqual(await page.value('fermata.timeline.lanes.rows.length'),
    before + at.members);
  await page.value(`fermata.input.toggle(${at.row})`);
  assert.strictEqual(await page.value('fermata.timeline.lanes.rows.length'), before);
}

async function drag(page, box, from, to) {
  const y = box.top + 60;
  await page.mouse('mousePressed', box.left + box.width * from, y, { buttons: 1 });
  for (const share of [0.3, 0.7, 1])
    await page.mouse('mouseMoved', box.left + box.width * (from + (to - from) * share), y,
      { buttons: 1 });
  await page.mouse('mouseReleased', box.left + box.width * to, y);
}

// ---- choosing ----
async function checkDetails(page, data, tables) {
  const { activities, turns } = tables;
  const a = activities.turns.indexOf(Math.max(...activities.turns.slice(7)), 7);
  await page.value(`fermata.state.select(${a}, -1, 'test')`);
  const text = await textOf(page, '#details');
  assert.ok(text.includes(`#${activities.number[a]}`));
  assert.ok(text.includes(`turns${activities.turns[a].toLocaleString('en-US')}busy`), text);
  const chain = await page.value(
    '[...document.querySelectorAll("#details .chain button")].map((link) => link.textContent)');
  const expected = [];
  for (let up = activities.parent[a]; up >= 0; up = activities.parent[up])
    expected.unshift(`${data.strings[activities.name[up]]} #${activities.number[up]}`);
  assert.deepStrictEqual(chain, expected);
  assert.strictEqual(await page.value(
    'document.querySelector("#tree tr[aria-selected=true]").dataset.key'), String(a));
  await page.value('document.querySelector("#lanes").focus()');
  await page.key('n');
  const own = [...turns.activity.keys()].filter((i) => turns.activity[i] === a);
  assert.strictEqual(await page.value('fermata.state.turn'), own[0]);
  await page.key('n');
  assert.strictEqual(await page.value('fermata.state.turn'), own[1]);
}

async function checkTip(page, data, t) {
  const [turn, activity, begin, length] = data.longest[0];
  const at = await page.value(`(() => {
    const { timeline, state } = fermata;
    state.show(${activity}, ${turn}, ${begin}, ${begin + length});
    timeline.draw();
    const box = timeline.canvas.getBoundingClientRect();
    const y = timeline.rowY(timeline.lanes.rowOf[${activity}]) + 10;
    return [box.left + timeline.drawing.x(${begin + length / 2}), box.top + y];
  })()`);
  await page.mouse('mouseMoved', at[0], at[1], { button: 'none' });
  const text = await page.until('!document.querySelector("#tip").hidden && ' +
    'document.querySelector("#tip").textContent');
  assert.ok(text.includes(placeOf(data, t.place[turn])), text);
}

async function checkFilter(page, data, tables) {
  const { activities } = tables;
  await page.value(`fermata.state.setFilter('worker')`);
  const names = [...activities.name].filter((i) => data.strings[i].includes('worker'));
  assert.strictEqual(await textOf(page, '#found'), `${names.length} matches`);
  const rows = await page.value('fermata.timeline.lanes.rows.length');
  assert.strictEqual(rows, names.length + 1, 'the workers and their parent');
  const tree = await page.value('document.querySelectorAll("#tree tbody tr").length');
  assert.strictEqual(tree, rows);
  await page.value(`fermata.state.setFilter('')`);
}

async function checkMarked(page, data, tables) {
  const { turns, activities } = tables;
  const [before, after, , interrupted] = data.risky[0];
  const gaps = analyse.gapsOf(turns, activities).filter(([from, to, , broken]) =>
    broken && turns.place[from] === before && turns.place[to] === after);
  assert.strictEqual(gaps.length, interrupted);
  await page.value('fermata.tables[2].options.pick(fermata.data.risky[0])');
  assert.ok((await textOf(page, '#marked-text')).endsWith(
    `1 of ${interrupted.toLocaleString('en-US')}`));
  const first = Math.min(...gaps.map((gap) => gap[0]));
  assert.strictEqual(await page.value('fermata.state.turn'), first);
  await page.value('document.querySelector("#marked-close").click()');
}

async function checkTree(page, tables) {
  const { activities } = tables;
  const click = (key) => page.value(
    `document.querySelector('#tree th[data-key=${key}] button').click()`);
  await page.value('fermata.state.select(-1, -1)');
  await click('busy');
  const keys = await page.value(`[...document.querySelectorAll('#tree tr[aria-level="2"]')]
    .map((row) => Number(row.dataset.key))`);
  const busy = keys.map((a) => activities.busy[a]);
  assert.ok(keys.length >= 6);
  assert.deepStrictEqual(busy, busy.slice().sort((x, y) => y - x));
  await click('begin');
}

// ---- looks ----
async function checkColours(page) {
  const ground = () => page.value('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.scheme('dark');
  await page.until('document.documentElement.dataset.theme === "dark"');
  const dark = await ground();
  assert.notStrictEqual(light, dark);
  assert.ok(await colours(page, '#lanes-canvas') > 8);
  assert.ok(await colours(page, '#figure-turns canvas') > 3);
  await page.value('document.querySelector("#theme").click()');
  assert.strictEqual(await ground(), light);
  await page.scheme('light');
}

async function checkNarrow(page) {
  await page.resize(380, 800, true);
  await page.until('innerWidth === 380');
  const wide = await page.value('document.documentElement.scrollWidth');
  assert.ok(wide <= 380, `the page is ${wide} pixels wide on a phone`);
  await page.resize(1300, 900);
}

// Every control has a name.
async function checkNames(page) {
  const nameless = await page.value(`[...document.querySelectorAll('button, input, select')]
    .filter((control) => !(control.textContent.trim() || control.getAttribute('aria-label') ||
      (control.labels && control.labels.length))).map((control) => control.outerHTML)`);
  assert.deepStrictEqual(nameless, []);
}

// ---- pages ----
async function open(page, name, json) {
  const file = path.join(folder, `${name}.html`);
  fill(template, json, file);
  page.complaints.length = 0;
  page.requests.length = 0;
  await page.open(`file://${file}`);
  return page.opened();
}

function quiet(page) {
  assert.deepStrictEqual(page.complaints, [], 'the console');
  const outside = page.requests.filter((url) => !/^(file|data):/.test(url));
  assert.deepStrictEqual(outside, [], 'the network');
  assert.strictEqual(page.requests.filter((url) => url.startsWith('file:')).length, 1);
}

async function everything(page) {
  const data = makeObject(4000, 1);
  const tables = analyse.unpack(data);
  await open(page, 'all', JSON.stringify(data));
  await checkHeader(page, data);
  for (const id of Object.keys(figures))
    await checkFigure(page, data, id);
  await checkPlotted(page, data);
  await checkReadings(page, data);
  await checkTables(page, data);
  await checkSorting(page, data);
  await checkQueues(page, data);
  await checkTimeline(page, data, tables.turns);
  await checkPixels(page, data, tables.turns);
  await checkMoving(page, data);
  await checkPinch(page, data);
  await checkGroup(page);
  await checkDetails(page, data, tables);
  await checkTip(page, data, tables.turns);
  await checkFilter(page, data, tables);
  await checkMarked(page, data, tables);
  await checkTree(page, tables);
  await checkColours(page);
  await checkNarrow(page);
  await checkNames(page);
  quiet(page);
}

// A ring that lost events, no sanitizer, no atomic section.
async function lost(page) {
  const data = makeObject(300, 52);
  data.figures.atomic.length.fill(0);
  data.figures.atomic.activities.fill(0);
  await open(page, 'lost', JSON.stringify(data));
  assert.ok((await textOf(page, '#warnings')).includes('1,234'));
  assert.ok((await textOf(page, '#figure-atomic-length')).includes('no atomic sections'));
  await checkFigure(page, data, 'gaps');
  quiet(page);
}

async function nothing(page) {
  const data = makeObject(20, 1);
  for (const table of ['activities', 'turns'])
    Object.keys(data[table]).forEach((name) => { data[table][name] = name === 'count' ? 0 : ''; });
  Object.assign(data, { duration: 0, marks: [], ready: [], queues: [], waits: [], longest: [],
    risky: [], events: 0, domains: [] });
  Object.values(data.figures).forEach((figure) => Object.keys(figure).forEach((name) => {
    if (!/edges|values|counts/.test(name) && figure[name])
      figure[name].fill(0);
  }));
  await open(page, 'nothing', JSON.stringify(data));
  assert.ok((await textOf(page, '#warnings')).includes('no turns'));
  assert.ok((await textOf(page, '#figure-turns')).includes('no turns'));
  assert.ok((await textOf(page, '#figure-gaps')).includes('no gaps'));
  quiet(page);
}

async function wrong(page) {
  const data = { ...makeObject(20, 1), version: 7 };
  await open(page, 'wrong', JSON.stringify(data));
  assert.ok((await textOf(page, '#failure')).includes('version is 7'));
  await open(page, 'unfilled', '@');
  assert.ok((await textOf(page, '#failure')).includes('fermata report'));
}

// The object of a real run: what it has is shown.
async function real(page, file) {
  const data = JSON.parse(fs.readFileSync(file, 'utf8'));
  const { turns } = analyse.unpack(data);
  await open(page, path.basename(file, '.json'), JSON.stringify(data));
  for (const id of Object.keys(figures))
    if (total(figures[id](data.figures)[0]) > 0)
      await checkFigure(page, data, id);
  await checkTables(page, data);
  await checkTimeline(page, data, turns);
  quiet(page);
  console.log(`${path.basename(file)}: ${turns.count} turns`);
}

async function million(page) {
  const data = makeObject(490000, 1);
  assert.ok(data.events >= 1e6 - 10000);
  const ms = await open(page, 'million', JSON.stringify(data));
  assert.ok(await colours(page, '#lanes-canvas') > 8);
  await checkTimeline(page, data, analyse.unpack(data).turns);
  quiet(page);
  console.log(`${data.events} events were open after ${ms} ms`);
}

async function main() {
  const program = found();
  if (!program) {
    console.log('no chromium');
    process.exit(77);
  }
  const browser = new Browser(program);
  try {
    const page = await browser.page(1300, 900);
    for (const part of [everything, lost, nothing, wrong, million])
      await part(page);
    for (const file of files)
      await real(page, file);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
