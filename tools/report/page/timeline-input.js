// timeline-input.js: how the timeline is moved and asked: wheel, drag, pinch, keys, tooltips.
//   wheel: zoom; with Shift or sideways: move; over the names: scroll
//   drag: choose a stretch and zoom into it; with Shift, the middle button or on the ruler: move
//   touch: one finger moves, two zoom

import { byId, hideTip, announce } from './dom.js';
import { showFound } from './timeline-tip.js';
import { RULER, ROW } from './timeline.js';

const DRAGGED = 4;

export class TimelineInput {
  constructor(timeline, state) {
    this.timeline = timeline;
    this.state = state;
    this.pointers = new Map();
    this.drag = null;
    const { canvas, scroller } = timeline;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => {
      this.pointers.delete(event.pointerId);
      this.pinch = null;
      this.cancel();
    });
    canvas.addEventListener('pointerleave', () => this.leave());
    canvas.addEventListener('dblclick', (event) => this.double(event));
    scroller.addEventListener('keydown', (event) => this.key(event));
    this.buttons();
  }

  point(event) {
    const box = this.timeline.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // ---- wheel ----
  wheel(event) {
    const { timeline } = this;
    const [x] = this.point(event);
    if (x < timeline.view.left && !event.ctrlKey)
      return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : 1;
    const dx = (event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * unit;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      timeline.pan(dx / timeline.view.width);
    else if (event.altKey)
      timeline.scroller.scrollTop += event.deltaY * unit;
    else
      timeline.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * unit * 0.002))), x);
    hideTip();
  }

  // ---- pointers ----
  down(event) {
    const { timeline } = this;
    const [x, y] = this.point(event);
    this.pointers.set(event.pointerId, [x, y]);
    if (event.button > 1)
      return;
    const moving = event.pointerType === 'touch' || event.shiftKey || event.button === 1 ||
      y < RULER;
    if (event.button === 1)
      event.preventDefault();
    this.drag = { x, y, moving, from: timeline.view.from, to: timeline.view.to, far: false };
    if (this.pointers.size === 2)
      this.startPinch();
    if (event.pointerType !== 'touch')
      timeline.canvas.setPointerCapture(event.pointerId);
    timeline.scroller.focus({ preventScroll: true });
  }

  startPinch() {
    const { timeline } = this;
    const [a, b] = [...this.pointers.values()].map(([x]) => timeline.drawing.timeAt(x));
    this.pinch = [a, b];
    this.drag = null;
  }

  move(event) {
    const [x, y] = this.point(event);
    if (this.pointers.has(event.pointerId))
      this.pointers.set(event.pointerId, [x, y]);
    if (this.pinch && this.pointers.size === 2)
      this.movePinch();
    else if (this.drag)
      this.moveDrag(x);
    else
      this.hover(event, x, y);
  }

  // The moments under the two fingers stay under them.
  movePinch() {
    const { view } = this.timeline;
    const [xa, xb] = [...this.pointers.values()].map(([x]) => x);
    const [ta, tb] = this.pinch;
    if (Math.abs(xb - xa) < 10 || ta === tb)
      return;
    const scale = Math.abs((tb - ta) / (xb - xa));
    const from = ta - (xa - view.left) * scale;
    this.timeline.setView(from, from + view.width * scale);
  }

  moveDrag(x) {
    const { timeline, drag } = this;
    const { view } = timeline;
    if (Math.abs(x - drag.x) > DRAGGED)
      drag.far = true;
    if (!drag.far || (drag.x < view.left && !drag.moving))
      return;
    hideTip();
    if (drag.moving) {
      const by = ((drag.x - x) / view.width) * (drag.to - drag.from);
      timeline.setView(drag.from + by, drag.to + by);
      return;
    }
    const end = Math.max(view.left, Math.min(view.left + view.width, x));
    timeline.selecting = [drag.x, end];
    timeline.redraw();
  }

  up(event) {
    const { timeline, drag } = this;
    const [x, y] = this.point(event);
    this.pointers.delete(event.pointerId);
    if (this.pointers.size < 2)
      this.pinch = null;
    const selecting = timeline.selecting;
    this.cancel();
    if (!drag)
      return;
    if (selecting && Math.abs(selecting[1] - selecting[0]) > DRAGGED) {
      const [a, b] = selecting.map((at) => timeline.drawing.timeAt(at)).sort((p, q) => p - q);
      timeline.setView(a, b, true);
    } else if (!drag.far) {
      this.click(x, y);
    }
  }

  cancel() {
    this.drag = null;
    this.timeline.selecting = null;
    this.timeline.redraw();
  }

  leave() {
    hideTip();
    this.timeline.hover = null;
    this.timeline.redraw();
  }

  hover(event, x, y) {
    const { timeline } = this;
    const found = timeline.find(x, y);
    const row = found ? found.row : -1;
    if ((timeline.hover ? timeline.hover.row : -1) !== row)
      timeline.redraw();
    timeline.hover = found;
    timeline.canvas.style.cursor = cursorFor(timeline, found, y);
    if (found)
      showFound(timeline, found, event.clientX, event.clientY);
    else
      hideTip();
  }

  click(x, y) {
    const { timeline, state } = this;
    const found = timeline.find(x, y);
    if (!found)
      return;
    const { node, openable, depth } = found.line;
    const step = timeline.view.left < 150 ? 7 : 12;
    const arrow = found.label && x < 18 + Math.min(depth, 8) * step;
    if (openable && (arrow || node.members))
      this.toggle(found.row);
    else if (node.activity >= 0)
      state.select(node.activity, found.turn >= 0 ? found.turn : found.wait, 'timeline');
  }

  double(event) {
    const [x, y] = this.point(event);
    const found = this.timeline.find(x, y);
    if (!found || found.turn < 0)
      return;
    const { begin, length } = this.timeline.data.turns;
    const from = begin[found.turn];
    this.timeline.setView(from - length[found.turn], from + 2 * length[found.turn], true);
  }

  toggle(row) {
    this.timeline.lanes.toggle(row);
    this.timeline.rowsChanged();
  }

  // ---- keys ----
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    const action = this.actions()[event.key];
    if (!action)
      return;
    event.preventDefault();
    action();
  }

  actions() {
    const { timeline, state } = this;
    const { turn } = state;
    return {
      ArrowLeft: () => timeline.pan(-0.15),
      ArrowRight: () => timeline.pan(0.15),
      ArrowUp: () => this.step(-1),
      ArrowDown: () => this.step(1),
      PageUp: () => { timeline.scroller.scrollTop -= timeline.height - 3 * ROW; },
      PageDown: () => { timeline.scroller.scrollTop += timeline.height - 3 * ROW; },
      '+': () => timeline.zoom(0.6),
      '=': () => timeline.zoom(0.6),
      '-': () => timeline.zoom(1 / 0.6),
      0: () => timeline.fit(),
      Home: () => timeline.fit(),
      Backspace: () => timeline.back(),
      Enter: () => this.toggleChosen(),
      n: () => timeline.selectTurn(this.beside(1)),
      p: () => timeline.selectTurn(this.beside(-1)),
      w: () => timeline.selectTurn(turn < 0 ? -1 : timeline.data.turns.waker[turn]),
      z: () => this.zoomToChosen(),
      '/': () => byId('filter').focus(),
      Escape: () => state.select(-1, -1, 'timeline'),
    };
  }

  // The next row with an activity; groups are opened with Enter.
  step(by) {
    const { timeline, state } = this;
    const { rows, rowOf } = timeline.lanes;
    if (!rows.length)
      return;
    const now = this.cursor !== undefined && rows[this.cursor] &&
      rows[this.cursor].node.members ? this.cursor : rowOf[state.activity];
    const from = now === undefined || now < 0 ? (by > 0 ? -1 : rows.length) : now;
    const row = Math.max(0, Math.min(rows.length - 1, from + by));
    this.cursor = row;
    timeline.hover = { row };
    const { node } = rows[row];
    if (node.activity >= 0) {
      state.select(node.activity, -1, 'timeline');
      announce(timeline.data.titleOf(node.activity));
    } else {
      announce(`${node.members.length} activities; Enter opens them`);
      timeline.redraw();
    }
  }

  toggleChosen() {
    const { rows, rowOf } = this.timeline.lanes;
    const row = rows[this.cursor] && rows[this.cursor].node.members
      ? this.cursor : rowOf[this.state.activity];
    if (row >= 0)
      this.toggle(row);
  }

  beside(by) {
    const { data } = this.timeline;
    const { turn, activity } = this.state;
    if (turn >= 0)
      return data.beside(turn, by);
    return activity < 0 ? -1 : data.own.list[data.own.start[activity]];
  }

  zoomToChosen() {
    const { data } = this.timeline;
    const { activity } = this.state;
    if (activity < 0)
      return;
    const from = data.activities.begin[activity];
    const to = data.endOf(activity);
    this.timeline.setView(from - (to - from) * 0.05, to + (to - from) * 0.05, true);
  }

  // ---- buttons ----
  buttons() {
    const { timeline } = this;
    const on = (id, action) => byId(id).addEventListener('click', action);
    on('zoom-in', () => timeline.zoom(0.5));
    on('zoom-out', () => timeline.zoom(2));
    on('zoom-fit', () => timeline.fit());
    on('zoom-back', () => timeline.back());
    on('open-all', () => {
      timeline.lanes.openAll();
      timeline.rowsChanged();
    });
    on('close-all', () => {
      timeline.lanes.closeAll();
      timeline.rowsChanged();
    });
    byId('arrows').addEventListener('change', (event) => {
      timeline.arrows = event.target.value;
      timeline.redraw();
    });
  }
}

function cursorFor(timeline, found, y) {
  if (y < RULER)
    return 'ew-resize';
  if (found && (found.label || found.line.node.members || found.turn >= 0))
    return 'pointer';
  return 'crosshair';
}
