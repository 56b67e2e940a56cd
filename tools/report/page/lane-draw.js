// lane-draw.js: draws the lanes of the timeline. Only what is visible is looked at: a lane of one
// activity jumps from pixel to pixel by binary search, and sums of busy time say how tall a pixel
// is in which several turns fall together. Lanes of several activities are summed in one pass over
// the visible turns.

import { firstAbove, INSIDE, SLICED } from './data.js';
import { colour, kindColour } from './theme.js';
import { hasBelow } from './lanes.js';

const LEVELS = 5;

// Rectangles of one row, one pixel wide or more; neighbours of the same look are drawn at once.
class Runs {
  constructor(paint) {
    this.paint = paint;
    this.look = -1;
    this.from = 0;
    this.to = 0;
  }

  add(from, to, look) {
    if (look === this.look && from - this.to < 0.6) {
      this.to = Math.max(this.to, to);
      return;
    }
    this.flush();
    this.look = look;
    this.from = from;
    this.to = to;
  }

  flush() {
    if (this.look >= 0)
      this.paint(this.from, this.to, this.look);
    this.look = -1;
  }
}

export class LaneDrawing {
  constructor(data, view) {
    this.data = data;
    this.view = view;
  }

  x(t) {
    const { view } = this;
    return view.left + ((t - view.from) / (view.to - view.from)) * view.width;
  }

  timeAt(x) {
    const { view } = this;
    return view.from + ((x - view.left) / view.width) * (view.to - view.from);
  }

  clampedX(t) {
    return Math.max(this.view.left - 2, Math.min(this.view.left + this.view.width + 2, this.x(t)));
  }

  // ---- one activity ----
  drawOwn(context, a, y, height) {
    const { data, view } = this;
    const { start, begin, end } = data.own;
    const last = start[a + 1];
    this.drawLife(context, a, y, height);
    const strip = Math.max(3, Math.round(height * 0.36));
    const stripY = y + Math.round((height - strip) / 2);
    const waits = new Runs((from, to, kind) => {
      context.fillStyle = kindColour(data.kinds, kind);
      context.fillRect(from, stripY, to - from, strip);
    });
    const turns = [];
    let at = firstAbove(end, view.from, start[a], last);
    if (at > start[a])
      this.addWait(waits, a, at - 1, at);
    while (at < last && begin[at] < view.to) {
      const next = this.addTurns(turns, at, last);
      this.addWait(waits, a, next - 1, next);
      at = next;
    }
    waits.flush();
    this.paintTurns(context, turns, y, height);
  }

  drawLife(context, a, y, height) {
    const from = this.clampedX(this.data.activities.begin[a]);
    const to = this.clampedX(this.data.endOf(a));
    context.fillStyle = colour('--life');
    context.fillRect(from, y + Math.round(height / 2) - 1, Math.max(1, to - from), 1);
  }

  // From position `at` on: one turn that is a pixel wide, or all that begin in this pixel.
  addTurns(turns, at, last) {
    const { begin, end, busy, list } = this.data.own;
    const x0 = this.x(begin[at]);
    const x1 = this.x(end[at]);
    if (x1 - x0 >= 1) {
      turns.push(Math.max(x0, this.view.left - 2), Math.min(x1, this.view.left + this.view.width),
        LEVELS, this.data.turns.flags[list[at]]);
      return at + 1;
    }
    const pixel = Math.floor(x0);
    const next = firstAbove(begin, this.timeAt(pixel + 1), at + 1, last);
    const share = (busy[next] - busy[at]) / (this.timeAt(pixel + 1) - this.timeAt(pixel));
    turns.push(pixel, pixel + 1, Math.max(1, Math.min(LEVELS, Math.ceil(share * LEVELS))), 0);
    return next;
  }

  addWait(waits, a, before, next) {
    const { data } = this;
    const { start, begin, end, list } = data.own;
    if (data.turns.wait[list[before]] === -1)
      return;
    const from = this.clampedX(end[before]);
    const to = this.clampedX(next < start[a + 1] ? begin[next] : data.endOf(a));
    waits.add(from, Math.max(to, from + 0.5), data.turns.kind[list[before]]);
  }

  paintTurns(context, turns, y, height) {
    const runs = new Runs((from, to, level) => {
      const tall = Math.round(height * (0.45 + (0.55 * level) / LEVELS));
      context.globalAlpha = 0.6 + (0.4 * level) / LEVELS;
      context.fillRect(from, y + ((height - tall) >> 1), to - from, tall);
    });
    context.fillStyle = colour('--turn');
    for (let i = 0; i < turns.length; i += 4)
      if (turns[i + 3] & (INSIDE | SLICED)) {
        runs.flush();
        this.paintFlagged(context, turns, i, y, height);
      } else {
        runs.add(turns[i], turns[i + 1], turns[i + 2]);
      }
    runs.flush();
    context.globalAlpha = 1;
  }

  paintFlagged(context, turns, i, y, height) {
    const flags = turns[i + 3];
    context.globalAlpha = 1;
    context.fillStyle = colour(flags & INSIDE ? '--inside' : '--turn');
    context.fillRect(turns[i], y, turns[i + 1] - turns[i], height);
    if (flags & SLICED) {
      context.fillStyle = colour('--alert');
      context.fillRect(Math.max(turns[i], turns[i + 1] - 2), y, 2, height);
    }
    context.fillStyle = colour('--turn');
  }

  // ---- several activities in one lane ----
  // Sums of busy time by row and pixel, for the rows that show several activities.
  sums(rows, first, last, rowOf) {
    const { data, view } = this;
    const slot = new Int32Array(rows.length).fill(-1);
    let slots = 0;
    for (let row = first; row < last; row++)
      if (!rows[row].open && hasBelow(data, rows[row].node))
        slot[row] = slots++;
    const width = Math.max(1, Math.ceil(view.width));
    const cells = new Float32Array(slots * width);
    if (slots)
      this.addUp(cells, width, slot, rowOf);
    return { slot, cells, width };
  }

  addUp(cells, width, slot, rowOf) {
    const { turns } = this.data;
    const { activity, begin, length } = turns;
    const { from, to } = this.view;
    const scale = this.view.width / (to - from);
    const [low, high] = this.data.range(from, to);
    for (let i = low; i < high; i++) {
      const row = rowOf[activity[i]];
      const line = row < 0 ? -1 : slot[row];
      if (line < 0)
        continue;
      const x0 = (begin[i] - from) * scale;
      const x1 = x0 + length[i] * scale;
      const base = line * width;
      if (x0 >= 0 && (x0 | 0) === (x1 | 0))
        cells[base + Math.min(x0 | 0, width - 1)] += x1 - x0;
      else
        spread(cells, base, width, x0, x1);
    }
  }

  // The tallest pixel of the lane is the busiest one in sight.
  drawSeveral(context, alive, sums, row, y, height) {
    this.drawAlive(context, alive, y, height);
    const { slot, cells, width } = sums;
    if (slot[row] < 0)
      return;
    const base = slot[row] * width;
    const runs = new Runs((from, to, look) => {
      const tall = Math.max(2, Math.round((height * look) / 16));
      context.fillRect(this.view.left + from, y + height - tall, to - from, tall);
    });
    context.fillStyle = colour('--turn');
    let most = 0;
    for (let x = 0; x < width; x++)
      most = Math.max(most, cells[base + x]);
    for (let x = 0; x < width; x++)
      if (cells[base + x] > 0)
        runs.add(x, x + 1, Math.ceil((16 * cells[base + x]) / most));
      else
        runs.flush();
    runs.flush();
  }

  // How many activities of the node were alive, as a hill behind the turns.
  drawAlive(context, alive, y, height) {
    const { view } = this;
    const { begin, end, most } = alive;
    context.fillStyle = colour('--alive');
    const runs = new Runs((from, to, look) => {
      const tall = Math.max(1, (height * look) / 24);
      context.fillRect(from, y + height - tall, to - from, tall);
    });
    for (let x = 0; x < view.width; x += 2) {
      const t = this.timeAt(view.left + x + 1);
      const n = firstAbove(begin, t, 0, begin.length) - firstAbove(end, t, 0, end.length);
      if (n > 0)
        runs.add(view.left + x, view.left + x + 2, Math.max(2, Math.round((24 * n) / most)));
      else
        runs.flush();
    }
    runs.flush();
  }
}

function spread(cells, base, width, x0, x1) {
  const first = Math.max(0, Math.floor(x0));
  const last = Math.min(width - 1, Math.floor(x1));
  for (let x = first; x <= last; x++)
    cells[base + x] += Math.max(0, Math.min(x1, x + 1) - Math.max(x0, x));
}
