// arrows.js: who woke whom, as curves from the turn that woke to the turn that was woken. All of
// them are drawn while there are few in sight; otherwise those of the chosen activity.

import { colour } from './theme.js';

const FEW = 250;
const MOST = 400;

// The pairs [waker, woken] to draw.
export function visibleWakes(data, view, rowOf, state, mode) {
  if (mode === 'off')
    return [];
  const [low, high] = data.range(view.from, view.to);
  const chosen = state.activity;
  const all = mode === 'all' && high - low <= 20000 ? betweenRows(data, rowOf, low, high) : null;
  if (all && all.length <= FEW)
    return all;
  return chosen < 0 ? [] : ofActivity(data, view, chosen);
}

function betweenRows(data, rowOf, low, high) {
  const { waker, activity } = data.turns;
  const pairs = [];
  for (let i = low; i < high && pairs.length <= FEW; i++) {
    const from = waker[i];
    if (from >= 0 && rowOf[activity[from]] !== rowOf[activity[i]])
      pairs.push([from, i]);
  }
  return pairs;
}

function ofActivity(data, view, a) {
  const { start, list, begin } = data.own;
  const { waker } = data.turns;
  const pairs = [];
  for (let i = start[a]; i < start[a + 1] && pairs.length < MOST; i++) {
    const turn = list[i];
    if (begin[i] > view.to)
      break;
    if (waker[turn] >= 0 && begin[i] >= view.from)
      pairs.push([waker[turn], turn]);
    if (data.own.end[i] >= view.from)
      for (const woken of data.woken(turn).subarray(0, MOST))
        pairs.push([turn, woken]);
  }
  return pairs;
}

export function drawWakes(context, pairs, drawing, rowY, rowOf, state) {
  const { data } = drawing;
  const { activity, begin, length } = data.turns;
  context.lineWidth = 1;
  for (const [from, to] of pairs) {
    const rowFrom = rowOf[activity[from]];
    const rowTo = rowOf[activity[to]];
    if (rowFrom < 0 || rowTo < 0 || rowFrom === rowTo)
      continue;
    const chosen = activity[from] === state.activity || activity[to] === state.activity;
    context.strokeStyle = colour(chosen ? '--arrow-chosen' : '--arrow');
    context.fillStyle = context.strokeStyle;
    const left = Math.min(begin[from] + length[from], begin[to]);
    curve(context, drawing.clampedX(left), rowY(rowFrom), drawing.clampedX(begin[to]), rowY(rowTo));
  }
}

function curve(context, x0, y0, x1, y1) {
  const bend = Math.max(6, Math.min(60, Math.abs(x1 - x0) / 2));
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1 + 0.5, y1);
  context.lineTo(x1 - 5, y1 - 3);
  context.lineTo(x1 - 5, y1 + 3);
  context.fill();
}
