// dom.js: elements, tables that can be sorted, and what several views share: names of places, the
// tooltip, a line that screen readers read out.

import { baseName } from './format.js';

// make('td.number', { title: '…' }, child, 'text', …)
export function make(what, properties, ...children) {
  const [tag, ...classes] = what.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length)
    element.className = classes.join(' ');
  for (const [name, value] of Object.entries(properties || {}))
    set(element, name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false)
    return;
  if (name.startsWith('on'))
    element.addEventListener(name.slice(2), value);
  else if (name in element && !name.includes('-') && name !== 'list')
    element[name] = value;
  else
    element.setAttribute(name, value === true ? '' : value);
}

export function byId(id) {
  return document.getElementById(id);
}

// file:line, short, with the whole path and the function as the title
export function placeText(data, i) {
  const place = data.place(i);
  return place ? `${baseName(place[0])}:${place[1]}` : '–';
}

export function placeTitle(data, i) {
  const place = data.place(i);
  if (!place)
    return 'place unknown';
  return `${place[0]}:${place[1]}${place[2] ? ` in ${place[2]}` : ''}`;
}

export function placeNode(data, i) {
  const place = data.place(i);
  if (!place)
    return make('span.faint', { title: 'place unknown' }, '–');
  return make('span.place', { title: placeTitle(data, i) },
    make('code', null, placeText(data, i)),
    place[2] ? make('span.in', null, ` ${place[2]}`) : null);
}

// Where a turn ended; an activity that ended is at no place.
export function untilNode(data, i) {
  return i < 0 ? make('span.faint', null, 'its end') : placeNode(data, i);
}

export function announce(text) {
  byId('announce').textContent = text;
}

// ---- tooltip ----
export function showTip(lines, x, y) {
  const tip = byId('tip');
  tip.replaceChildren(...lines);
  tip.hidden = false;
  const { offsetWidth: w, offsetHeight: h } = tip;
  const left = x + 14 + w > innerWidth ? Math.max(4, x - w - 10) : x + 14;
  const top = y + 16 + h > innerHeight ? Math.max(4, y - h - 10) : y + 16;
  tip.style.transform = `translate(${left}px, ${top}px)`;
}

export function hideTip() {
  byId('tip').hidden = true;
}

// ---- tables ----
// A column is { title, help, value(row), node(row), number, wrap, first: 'up' | 'down' }; value is
// what sorting compares. At most `most` rows are shown; a button shows more.
export class SortedTable {
  constructor(element, columns, rows, options) {
    this.element = element;
    this.columns = columns;
    this.rows = rows.slice();
    this.options = { most: 15, ...options };
    this.shown = this.options.most;
    this.by = -1;
    this.head = make('tr');
    this.body = make('tbody');
    columns.forEach((column, i) => this.head.append(this.headCell(column, i)));
    const caption = make('caption.hidden-text', null, this.options.caption);
    if (!rows.length) {
      element.replaceChildren(make('p.empty', null, 'None in this run.'));
      return;
    }
    this.more = make('button.more', { type: 'button', onclick: () => this.showMore() });
    const table = make('table', null, caption, make('thead', null, this.head), this.body);
    element.replaceChildren(make('div.scroll', { tabIndex: 0, role: 'region',
      'aria-label': this.options.caption }, table), this.more);
    this.draw();
  }

  headCell(column, i) {
    const words = this.options.glossary || {};
    const help = column.help || words[column.title.toLowerCase()] || null;
    const button = make('button', { type: 'button', title: help,
      onclick: () => this.sort(i) }, column.title, make('span.order', { 'aria-hidden': 'true' }));
    return make(column.number ? 'th.number' : 'th', { scope: 'col' }, button);
  }

  sort(i) {
    const column = this.columns[i];
    const first = column.first || (column.number ? 'down' : 'up');
    this.up = this.by === i ? !this.up : first === 'up';
    this.by = i;
    const sign = this.up ? 1 : -1;
    const compare = (x, y) => (typeof x === 'string' ? x.localeCompare(y) : x - y);
    this.rows.sort((x, y) => sign * compare(column.value(x), column.value(y)));
    [...this.head.children].forEach((cell, k) => {
      const order = this.up ? 'ascending' : 'descending';
      cell.setAttribute('aria-sort', k === i ? order : 'none');
    });
    this.draw();
  }

  showMore() {
    this.shown += 100;
    this.draw();
  }

  draw() {
    this.body.replaceChildren(...this.rows.slice(0, this.shown).map((row) => this.rowNode(row)));
    const left = this.rows.length - this.shown;
    this.more.hidden = left <= 0;
    this.more.textContent = `${Math.max(left, 0)} more`;
  }

  rowNode(row) {
    const cells = this.columns.map((column) =>
      make(column.number ? 'td.number' : column.wrap ? 'td.wrap' : 'td', null, column.node(row)));
    const line = make('tr', null, ...cells);
    const pick = this.options.pick;
    if (!pick)
      return line;
    line.tabIndex = 0;
    line.className = 'pick';
    line.title = this.options.pickTitle;
    line.addEventListener('click', () => pick(row));
    line.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        pick(row);
      }
    });
    return line;
  }
}

// ---- choices: a row of buttons of which one is pressed ----
export function choice(label, names, chosen, choose) {
  const buttons = names.map((name) => make('button', { type: 'button', onclick: () => pick(name) },
    name));
  function pick(name) {
    buttons.forEach((button) => {
      button.setAttribute('aria-pressed', String(button.textContent === name));
    });
    choose(name);
  }
  buttons.forEach((button) => {
    button.setAttribute('aria-pressed', String(button.textContent === chosen));
  });
  return make('div.choice', { role: 'group', 'aria-label': label }, ...buttons);
}
