// overview.js: the whole run as a small chart above the timeline, with the visible part as a
// frame. Dragging the frame moves the view, dragging an edge of it or beside it chooses another.

import { byId } from './dom.js';
import { INSIDE } from './data.js';
import { colour } from './theme.js';

const EDGE = 7;
const CELLS = 1600;

export class Overview {
  constructor(timeline, state) {
    this.timeline = timeline;
    this.state = state;
    this.data = state.data;
    this.canvas = byId('overview');
    this.context = this.canvas.getContext('2d');
    this.busy = this.sums();
    timeline.viewListeners.push(() => this.redraw());
    state.on('theme', () => this.draw());
    state.on('marked', () => this.redraw());
    state.on('select', () => this.redraw());
    new ResizeObserver(() => this.measure()).observe(this.canvas);
    this.canvas.addEventListener('pointerdown', (event) => this.down(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', () => this.up());
    this.canvas.addEventListener('dblclick', () => timeline.fit());
    this.measure();
  }

  // How busy each cell of the run was, compared with the busiest one.
  sums() {
    const { turns, duration } = this.data;
    const cells = new Float32Array(CELLS);
    const scale = CELLS / duration;
    for (let i = 0; i < turns.count; i++) {
      if (turns.flags[i] & INSIDE)
        continue;
      const from = turns.begin[i] * scale;
      const to = from + turns.length[i] * scale;
      for (let x = Math.floor(from); x <= to && x < CELLS; x++)
        cells[x] += Math.min(to, x + 1) - Math.max(from, x);
    }
    const most = cells.reduce((max, cell) => Math.max(max, cell), 0) || 1;
    return cells.map((cell) => cell / most);
  }

  measure() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.ratio = ratio;
    this.draw();
  }

  x(t) {
    return (t / this.data.duration) * this.width;
  }

  timeAt(x) {
    return (x / this.width) * this.data.duration;
  }

  redraw() {
    if (!this.frame)
      this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    const { context, width, height, ratio } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colour('--sunken');
    context.fillRect(0, 0, width, height);
    this.drawBusy();
    this.drawTicks();
    this.drawFrame();
  }

  drawBusy() {
    const { context, width, height, busy } = this;
    context.fillStyle = colour('--turn');
    context.globalAlpha = 0.75;
    const columns = Math.max(1, Math.floor(width));
    for (let x = 0; x < columns; x++) {
      const from = Math.floor((x / columns) * CELLS);
      const to = Math.max(from + 1, Math.floor(((x + 1) / columns) * CELLS));
      let share = 0;
      for (let cell = from; cell < to; cell++)
        share = Math.max(share, busy[cell]);
      const tall = share > 0 ? Math.max(1, share * (height - 6)) : 0;
      context.fillRect(x, height - tall, 1, tall);
    }
    context.globalAlpha = 1;
  }

  // The marked turns; otherwise the life of the chosen activity.
  drawTicks() {
    const { context, state, data } = this;
    const { marked, activity } = state;
    if (marked) {
      context.fillStyle = colour('--alert');
      const seen = new Set();
      for (const turn of marked.turns) {
        const x = Math.floor(this.x(data.turns.begin[turn]));
        if (!seen.has(x))
          context.fillRect(x, 0, 1, 6);
        seen.add(x);
      }
    } else if (activity >= 0) {
      const from = this.x(data.activities.begin[activity]);
      context.fillStyle = colour('--arrow-chosen');
      context.fillRect(from, 0, Math.max(2, this.x(data.endOf(activity)) - from), 3);
    }
  }

  drawFrame() {
    const { context, width, height } = this;
    const { from, to } = this.timeline.view;
    const x0 = this.x(from);
    const x1 = Math.max(x0 + 2, this.x(to));
    context.fillStyle = colour('--shade');
    context.fillRect(0, 0, x0, height);
    context.fillRect(x1, 0, width - x1, height);
    context.strokeStyle = colour('--accent');
    context.lineWidth = 2;
    context.strokeRect(x0 + 1, 1, Math.max(1, x1 - x0 - 2), height - 2);
  }

  // ---- pointer ----
  part(x) {
    const x0 = this.x(this.timeline.view.from);
    const x1 = this.x(this.timeline.view.to);
    if (Math.abs(x - x0) < EDGE)
      return 'from';
    if (Math.abs(x - x1) < EDGE)
      return 'to';
    return x > x0 && x < x1 && x1 - x0 < this.width - 4 ? 'all' : 'new';
  }

  down(event) {
    const { from, to } = this.timeline.view;
    const x = event.offsetX;
    this.drag = { part: this.part(x), x, from, to };
    this.timeline.history.push([from, to]);
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    const x = event.offsetX;
    if (!this.drag) {
      const cursors = { from: 'ew-resize', to: 'ew-resize', all: 'grab', new: 'crosshair' };
      this.canvas.style.cursor = cursors[this.part(x)];
      return;
    }
    const { part, from, to } = this.drag;
    const by = this.timeAt(x) - this.timeAt(this.drag.x);
    const set = (a, b) => this.timeline.setView(Math.min(a, b), Math.max(a, b));
    if (part === 'all')
      set(from + by, to + by);
    else if (part === 'from')
      set(from + by, to);
    else if (part === 'to')
      set(from, to + by);
    else if (Math.abs(x - this.drag.x) > 3)
      set(this.timeAt(this.drag.x), this.timeAt(x));
  }

  up() {
    this.drag = null;
  }
}
