// state.js: what the views share: the chosen activity and turn, the filter, the marked turns. A
// view says what it wants to hear of; whoever changes something tells all.

export class State {
  constructor(data) {
    this.data = data;
    this.activity = -1;
    this.turn = -1;
    this.filter = '';
    this.found = null;
    this.marked = null;
    this.printing = false;
    this.listeners = { select: [], filter: [], marked: [], show: [], theme: [] };
  }

  on(what, listener) {
    this.listeners[what].push(listener);
  }

  tell(what, ...more) {
    this.listeners[what].forEach((listener) => listener(...more));
  }

  // from: the view in which it was chosen; the other views bring it into sight.
  select(activity, turn, from) {
    this.activity = activity;
    this.turn = turn === undefined ? -1 : turn;
    this.tell('select', from);
  }

  // Brings a stretch of time and an activity into sight of the timeline.
  show(activity, turn, begin, end) {
    this.select(activity, turn, 'table');
    this.tell('show', begin, end);
  }

  // Turns to step through: those of a wait, of a gap. label says what they are.
  mark(turns, label) {
    this.marked = turns && turns.length ? { turns, label, at: -1 } : null;
    this.tell('marked');
  }

  // found: which activities match (1) or lie above a match (2); null without a filter.
  setFilter(text) {
    this.filter = text.trim();
    this.found = this.filter ? this.search(this.filter.toLowerCase()) : null;
    this.tell('filter');
  }

  search(text) {
    const { data } = this;
    const { count, name, function: code, number, spawned, parent } = data.activities;
    const strings = data.strings.map((string) => string.toLowerCase().includes(text));
    const places = data.places.map(([file, line]) =>
      `${data.text(file)}:${line}`.toLowerCase().includes(text));
    const digits = /^#\d+$/.test(text) ? Number(text.slice(1)) : -1;
    const found = new Uint8Array(count);
    for (let i = 0; i < count; i++)
      if (strings[name[i]] || strings[code[i]] || number[i] === digits ||
          (spawned[i] >= 0 && places[spawned[i]]))
        found[i] = 1;
    for (let i = 0; i < count; i++)
      for (let up = found[i] === 1 ? parent[i] : -1; up >= 0 && !found[up]; up = parent[up])
        found[up] = 2;
    return found;
  }
}
