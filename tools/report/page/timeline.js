// timeline.js: the timeline: lanes of activities over time, on one canvas. It holds the view (from
// which moment to which), draws a frame when something changed, and finds what is at a point.
// timeline-input.js moves the view; lane-draw.js and arrows.js draw.

import { byId, announce } from './dom.js';
import { firstAbove, INSIDE } from './data.js';
import { moment, time, counted, percent } from './format.js';
import { colour } from './theme.js';
import { Lanes, nodeName } from './lanes.js';
import { LaneDrawing } from './lane-draw.js';
import { visibleWakes, drawWakes } from './arrows.js';

export const RULER = 24;
export const ROW = 20;
const BAR = 13;
const SHORTEST = 20;

export class Timeline {
  constructor(state) {
    this.state = state;
    this.data = state.data;
    this.canvas = byId('lanes-canvas');
    this.scroller = byId('lanes');
    this.context = this.canvas.getContext('2d');
    this.lanes = new Lanes(this.data);
    this.view = { from: 0, to: this.data.duration, left: 0, width: 1 };
    this.drawing = new LaneDrawing(this.data, this.view);
    this.history = [];
    this.arrows = 'all';
    this.hover = null;
    this.selecting = null;
    this.viewListeners = [];
    this.frame = 0;
    this.measure();
    this.rowsChanged();
    this.listen();
  }

  listen() {
    const { state } = this;
    state.on('select', (from) => this.selected(from));
    state.on('filter', () => {
      this.lanes.setFilter(state.found);
      this.rowsChanged();
    });
    state.on('marked', () => this.redraw());
    state.on('theme', () => this.draw());
    state.on('show', (begin, end) => this.showStretch(begin, end));
    this.scroller.addEventListener('scroll', () => this.redraw());
    new ResizeObserver(() => {
      this.measure();
      this.draw();
    }).observe(this.scroller);
  }

  // ---- size ----
  measure() {
    const { scroller, canvas, view } = this;
    const width = scroller.clientWidth;
    const height = scroller.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    this.height = height;
    this.gutter = width < 620 ? Math.min(112, width * 0.3) : Math.min(230, width * 0.22);
    view.left = Math.round(this.gutter);
    view.width = Math.max(50, width - view.left - 1);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.ratio = ratio;
    this.redraw();
  }

  // The box has the height of its rows, as far as there is room.
  rowsChanged() {
    const height = RULER + this.lanes.rows.length * ROW + 4;
    byId('lanes-space').style.height = `${height}px`;
    this.scroller.style.setProperty('--rows', `${height}px`);
    if (this.scroller.clientHeight !== this.height)
      this.measure();
    this.redraw();
  }

  rowAt(y) {
    const row = Math.floor((y - RULER + this.scroller.scrollTop) / ROW);
    return y >= RULER && row < this.lanes.rows.length ? row : -1;
  }

  rowY(row) {
    return RULER + row * ROW - this.scroller.scrollTop;
  }

  // ---- the view ----
  setView(from, to, remember) {
    const { view, data } = this;
    const length = Math.min(data.duration, Math.max(SHORTEST, to - from));
    const first = Math.max(0, Math.min(data.duration - length, from));
    if (first === view.from && first + length === view.to)
      return;
    if (remember)
      this.history.push([view.from, view.to]);
    view.from = first;
    view.to = first + length;
    this.viewListeners.forEach((listener) => listener());
    this.redraw();
  }

  zoom(by, x) {
    const { view } = this;
    const at = x === undefined ? view.left + view.width / 2 : x;
    const t = this.drawing.timeAt(at);
    const length = Math.max(SHORTEST, (view.to - view.from) * by);
    const share = (at - view.left) / view.width;
    this.setView(t - share * length, t + (1 - share) * length);
  }

  pan(share) {
    const by = (this.view.to - this.view.from) * share;
    this.setView(this.view.from + by, this.view.to + by);
  }

  fit() {
    this.setView(0, this.data.duration, true);
  }

  back() {
    const before = this.history.pop();
    if (before)
      this.setView(before[0], before[1]);
  }

  showStretch(begin, end) {
    const length = Math.max(end - begin, 100);
    this.setView(begin - 2 * length, end + 2 * length, true);
    this.scroller.closest('section').scrollIntoView({ block: 'start' });
  }

  // ---- choosing ----
  selected(from) {
    if (from !== 'timeline' && this.state.activity >= 0)
      this.lanes.reveal(this.state.activity);
    this.rowsChanged();
    this.scrollTo(this.state.activity);
  }

  scrollTo(activity) {
    const row = activity < 0 ? -1 : this.lanes.rowOf[activity];
    if (row < 0)
      return;
    const top = this.scroller.scrollTop;
    const room = this.height - RULER - 3 * ROW;
    if (row * ROW < top + ROW || row * ROW > top + room)
      this.scroller.scrollTop = Math.max(0, row * ROW - room / 3);
  }

  // Chooses a turn and moves the view so that it is in sight.
  selectTurn(turn) {
    if (turn < 0)
      return;
    const { turns } = this.data;
    const { view } = this;
    const a = turns.activity[turn];
    const middle = turns.begin[turn] + turns.length[turn] / 2;
    this.state.select(a, turn, 'step');
    const length = view.to - view.from;
    if (middle < view.from + length * 0.05 || middle > view.to - length * 0.05)
      this.setView(middle - length / 2, middle + length / 2);
    announce(`${this.data.titleOf(a)}: turn at ${moment(turns.begin[turn], 1)}, ` +
      `${time(turns.length[turn])} long`);
  }

  // ---- what is at a point ----
  find(x, y) {
    const row = this.rowAt(y);
    if (row < 0)
      return null;
    const line = this.lanes.rows[row];
    const found = { row, line, label: x < this.view.left, turn: -1, wait: -1, merged: 0 };
    if (found.label)
      return found;
    found.time = this.drawing.timeAt(x);
    found.mark = this.findMark(row, x);
    if (!line.node.members)
      this.findTurn(found, line.node.activity, x);
    return found;
  }

  findTurn(found, a, x) {
    const { start, begin, end, list } = this.data.own;
    const last = start[a + 1];
    const near = this.drawing.timeAt(x - 1.5);
    const far = this.drawing.timeAt(x + 1.5);
    let at = firstAbove(end, near, start[a], last);
    const past = firstAbove(begin, far, at, last);
    if (past > at) {
      const exact = firstAbove(end, found.time, at, past);
      at = exact < past && begin[exact] <= found.time ? exact : at;
      found.turn = list[at];
      found.merged = past - firstAbove(end, near, start[a], last);
    } else if (at > start[a] && this.data.turns.wait[list[at - 1]] !== -1 &&
               found.time < (at < last ? begin[at] : this.data.endOf(a))) {
      found.wait = list[at - 1];
    }
  }

  findMark(row, x) {
    const near = this.drawing.timeAt(x - 4);
    const far = this.drawing.timeAt(x + 4);
    return this.data.marks.find(([t, a]) =>
      t >= near && t <= far && a >= 0 && this.lanes.rowOf[a] === row);
  }

  // ---- drawing ----
  redraw() {
    if (!this.frame)
      this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { context, canvas, ratio } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colour('--panel');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.font = `12px ${colour('--font')}`;
    context.textBaseline = 'middle';
    this.drawGrid();
    const rows = this.visibleRows();
    this.drawRows(...rows);
    this.drawOverlays();
    this.drawMarks(...rows);
    this.drawLabels(...rows);
    this.drawRuler();
    this.say();
  }

  visibleRows() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW));
    const last = Math.ceil((this.scroller.scrollTop + this.height - RULER) / ROW);
    return [first, Math.min(this.lanes.rows.length, last)];
  }

  drawRows(first, last) {
    const { context, lanes, drawing } = this;
    const sums = drawing.sums(lanes.rows, first, last, lanes.rowOf);
    for (let row = first; row < last; row++) {
      const { node, open } = lanes.rows[row];
      const y = this.rowY(row) + Math.floor((ROW - BAR) / 2);
      this.drawRowGround(row, node);
      const several = node.members || (sums.slot[row] >= 0 && !open);
      if (several)
        drawing.drawSeveral(context, lanes.aliveOf(node), sums, row, y, BAR);
      if (!node.members && !several)
        drawing.drawOwn(context, node.activity, y, BAR);
    }
  }

  drawRowGround(row, node) {
    const { context, state } = this;
    const chosen = node.activity >= 0 && node.activity === state.activity;
    const hovered = this.hover && this.hover.row === row;
    if (!chosen && !hovered)
      return;
    context.fillStyle = colour(chosen ? '--chosen' : '--hover');
    context.fillRect(0, this.rowY(row), this.view.left + this.view.width + 1, ROW);
  }

  drawGrid() {
    const { context, view } = this;
    context.fillStyle = colour('--grid');
    for (const t of this.ticks())
      context.fillRect(Math.round(this.drawing.x(t)), RULER, 1, this.height);
    context.fillRect(view.left - 1, 0, 1, this.height);
  }

  // Round moments, about a hundred pixels apart.
  ticks() {
    const { view } = this;
    const rough = ((view.to - view.from) / view.width) * (view.width < 500 ? 90 : 130);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough) || rough;
    this.step = step;
    const list = [];
    for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step)
      list.push(t);
    return list;
  }

  drawRuler() {
    const { context, view } = this;
    context.fillStyle = colour('--panel');
    context.fillRect(0, 0, view.left + view.width + 2, RULER - 1);
    context.fillStyle = colour('--line');
    context.fillRect(0, RULER - 1, view.left + view.width + 2, 1);
    context.fillStyle = colour('--faint');
    context.textAlign = 'left';
    for (const t of this.ticks()) {
      const x = this.drawing.x(t);
      if (x + 60 > view.left + view.width)
        continue;
      context.fillText(moment(t, this.step), x + 4, RULER / 2);
    }
    this.drawRulerMarks();
  }

  drawOverlays() {
    const { context, lanes, drawing, state, view } = this;
    context.save();
    context.beginPath();
    context.rect(view.left, RULER, view.width, this.height);
    context.clip();
    const pairs = visibleWakes(this.data, view, lanes.rowOf, state, this.arrows);
    this.shownWakes = pairs.length;
    drawWakes(context, pairs, drawing, (row) => this.rowY(row) + ROW / 2, lanes.rowOf, state);
    this.drawMarked();
    this.drawChosenTurn();
    if (this.selecting)
      this.drawSelecting();
    context.restore();
  }

  drawMarked() {
    const { marked } = this.state;
    if (!marked)
      return;
    const { begin, length, activity } = this.data.turns;
    const { context, view } = this;
    context.strokeStyle = colour('--alert');
    context.lineWidth = 1.5;
    let drawn = 0;
    for (const turn of marked.turns) {
      const end = begin[turn] + length[turn];
      const row = this.lanes.rowOf[activity[turn]];
      const next = this.data.beside(turn, 1);
      const until = next < 0 ? end : this.data.turns.begin[next];
      if (row < 0 || until < view.from || end > view.to || drawn++ > 2000)
        continue;
      const x0 = this.drawing.clampedX(end);
      const x1 = Math.max(x0 + 2, this.drawing.clampedX(until));
      context.strokeRect(x0, this.rowY(row) + 3.5, x1 - x0, ROW - 7);
    }
  }

  drawChosenTurn() {
    const { turn } = this.state;
    if (turn < 0)
      return;
    const { begin, length, activity } = this.data.turns;
    const row = this.lanes.rowOf[activity[turn]];
    if (row < 0)
      return;
    const x0 = this.drawing.clampedX(begin[turn]);
    const x1 = Math.max(x0 + 2, this.drawing.clampedX(begin[turn] + length[turn]));
    this.context.strokeStyle = colour('--ink');
    this.context.lineWidth = 2;
    this.context.strokeRect(x0 - 1, this.rowY(row) + 2, x1 - x0 + 2, ROW - 4);
  }

  drawSelecting() {
    const { context } = this;
    const [x0, x1] = this.selecting;
    context.fillStyle = colour('--brush');
    context.fillRect(Math.min(x0, x1), RULER, Math.abs(x1 - x0), this.height);
    const length = Math.abs(this.drawing.timeAt(x1) - this.drawing.timeAt(x0));
    context.fillStyle = colour('--ink');
    context.textAlign = 'center';
    context.fillText(time(length), (x0 + x1) / 2, RULER + 10);
  }

  // Marks that would cover each other are drawn once.
  drawMarks(first, last) {
    const { rowOf } = this.lanes;
    const { view, drawing } = this;
    const right = new Map();
    for (const [t, a] of this.data.marks) {
      const row = a < 0 ? -1 : rowOf[a];
      if (t < view.from || t > view.to || row < first || row >= last)
        continue;
      const x = drawing.x(t);
      if (x - (right.get(row) || 0) < 5)
        continue;
      right.set(row, x);
      const small = this.lanes.rows[row].node.members;
      this.diamond(x, this.rowY(row) + (small ? 4 : ROW / 2), small ? 2.5 : 4);
    }
  }

  // Marks without an activity stand on the ruler.
  drawRulerMarks() {
    const { view, drawing } = this;
    let right = 0;
    for (const [t, a] of this.data.marks) {
      if (a >= 0 || t < view.from || t > view.to || drawing.x(t) - right < 4)
        continue;
      right = drawing.x(t);
      this.diamond(right, RULER - 5, 3);
    }
  }

  diamond(x, y, size) {
    const { context } = this;
    context.fillStyle = colour('--mark');
    context.strokeStyle = colour('--panel');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
    context.closePath();
    context.fill();
    context.stroke();
  }

  drawLabels(first, last) {
    const { context, lanes, view } = this;
    context.save();
    context.beginPath();
    context.rect(0, RULER, view.left - 6, this.height);
    context.clip();
    context.textAlign = 'left';
    for (let row = first; row < last; row++)
      this.drawLabel(lanes.rows[row], this.rowY(row) + ROW / 2);
    context.restore();
  }

  drawLabel({ node, depth, openable, open }, y) {
    const { context, state } = this;
    const x = 18 + Math.min(depth, 8) * (this.view.left < 150 ? 7 : 12);
    if (openable) {
      context.fillStyle = colour('--faint');
      context.beginPath();
      const corners = open ? [[-4, -2], [4, -2], [0, 3]] : [[-2, -4], [3, 0], [-2, 4]];
      corners.forEach(([dx, dy]) => context.lineTo(x - 9 + dx, y + dy));
      context.fill();
    }
    const chosen = node.activity >= 0 && node.activity === state.activity;
    const matches = state.found && node.activity >= 0 && state.found[node.activity] === 1;
    context.font = `${chosen || matches ? '600 ' : ''}12px ${colour('--font')}`;
    context.fillStyle = colour(node.members ? '--faint' : '--ink');
    const [name, number] = nodeName(this.data, node);
    const room = this.view.left - 8 - x - context.measureText(number).width;
    context.fillText(this.fitted(name, room) + number, x, y + 0.5);
  }

  // As much of a text as has room.
  fitted(text, room) {
    const { context } = this;
    if (context.measureText(text).width <= room)
      return text;
    let length = Math.max(1, Math.floor((text.length * room) / context.measureText(text).width));
    while (length > 1 && context.measureText(text.slice(0, length) + '…').width > room)
      length--;
    return text.slice(0, length) + '…';
  }

  // The line under the timeline: what the visible stretch sums up to. The time of a turn inside
  // another one is counted once.
  say() {
    const { view, data } = this;
    const [low, high] = data.range(view.from, view.to);
    const { begin, length, flags } = data.turns;
    let busy = 0;
    let turns = 0;
    for (let i = low; i < high; i++) {
      const part = Math.min(view.to, begin[i] + length[i]) - Math.max(view.from, begin[i]);
      if (part <= 0)
        continue;
      turns++;
      if (!(flags[i] & INSIDE))
        busy += part;
    }
    const shown = view.to - view.from;
    const whole = shown * Math.max(1, data.domains.length);
    this.visible = { turns, busy };
    byId('visible').textContent = `${time(shown)} shown from ${moment(view.from, shown / 100)}: ` +
      `${counted(turns, 'turn')}, busy ${percent(busy, whole)} of the time` +
      (this.shownWakes ? `, ${counted(this.shownWakes, 'wake')} drawn` : '');
  }
}
