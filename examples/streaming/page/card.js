// card.js: the card of an instrument: its chart, figures, queues, controls and past events.
const EVENTS_MOST = 200;
const part = (element, is) => element.querySelector(`[data-is="${is}"]`);
const clock = seconds => new Date(seconds * 1000).toTimeString().slice(0, 8);
const counted = n => n.toLocaleString('en-US');

// Elements are written only when something has changed: it is cheaper, and a selection stays.
function put(element, text) {
  if (element.textContent !== text)
    element.textContent = text;
}

function setFlag(element, name, on) {
  if (element.hasAttribute(name) !== on)
    element.toggleAttribute(name, on);
}

const CARD_STATES = {
  stopped: 'stopped',
  paused: 'paused',
  held: 'paused with all',
  live: 'live',
  generated: 'generated in the page',
  connecting: 'connecting',
  waiting: 'no connection',
};

class Card {
  constructor(index, { symbol, name, unit, digits }) {
    const copy = document.getElementById('card').content.cloneNode(true);
    const root = copy.firstElementChild;
    this.root = root;
    this.digits = digits;
    this.unit = unit;
    root.id = `card-${index}`;
    root.setAttribute('aria-label', `${symbol}, ${name}`);
    put(root.querySelector('h2'), symbol);
    put(root.querySelector('.title p'), name);
    for (const button of root.querySelectorAll('[data-verb]')) {
      button.id = `${button.dataset.verb}-${index}`;
      button.setAttribute('aria-label', `${button.textContent.trim()} ${symbol}`);
    }
    for (const menu of root.querySelectorAll('[data-menu]')) {
      menu.id = `${menu.dataset.menu}-${index}`;
      menu.setAttribute('aria-label', `${menu.dataset.menu} of ${symbol}`);
    }
    document.getElementById('cards').append(copy);
    this.chart = new Chart(root.querySelector('.chart'), digits, `Price of ${symbol}, ${name}`);
    this.list = root.querySelector('.events ol');
    this.events = 0;
  }

  event(kind, text) {
    const line = document.createElement('li');
    const time = document.createElement('time');
    time.textContent = clock(Date.now() / 1000);
    line.className = kind;
    line.append(time, text);
    this.list.prepend(line);
    if (this.list.childElementCount > EVENTS_MOST)
      this.list.lastElementChild.remove();
    this.events++;
    put(this.root.querySelector('.events .count'), counted(this.events));
    const newest = this.root.querySelector('.newest');
    newest.className = `newest ${kind}`;
    put(newest, text);
  }

  state(card) {
    if (!card.runs)
      return 'stopped';
    if (card.held)
      return card.paused ? 'paused' : 'held';
    if (card.part)
      return 'part';
    return card.state;
  }

  showState(card) {
    const state = this.state(card);
    const box = this.root.querySelector('.state');
    this.root.dataset.state = state;
    let text = CARD_STATES[state] || `${card.part} is paused`;
    if (state === 'waiting')
      text += `: attempt ${card.attempt} in ${card.wait.toFixed(1)} s`;
    put(box.querySelector('span'), text);
    for (const button of this.root.querySelectorAll('[data-verb]')) {
      const useful = { start: !card.runs, stop: card.runs, pause: card.runs && !card.paused,
        resume: card.runs && card.paused }[button.dataset.verb];
      setFlag(button, 'disabled', !useful);
    }
  }

  showMenu(name, value) {
    const menu = this.root.querySelector(`[data-menu=${name}]`);
    if (menu !== document.activeElement && menu.value !== String(value))
      menu.value = String(value);
  }

  showQueue(name, length, most) {
    const queue = part(this.root, name);
    const meter = queue.querySelector('meter');
    meter.max = most;
    meter.value = length;
    queue.dataset.full = length >= most ? 'full' : length > most / 2 ? 'high' : 'low';
    put(queue.querySelector('b'), `${length}/${most}`);
  }

  showFigures(card) {
    const money = v => (card.count ? v.toFixed(this.digits) : '–');
    const change = card.count && card.first ? (card.last / card.first - 1) * 100 : 0;
    const sign = change > 0.005 ? '▲' : change < -0.005 ? '▼' : '●';
    const box = this.root.querySelector('.change');
    put(this.root.querySelector('.price b'), `${money(card.last)} ${this.unit}`);
    put(box, card.count ? `${sign} ${Math.abs(change).toFixed(2)} %` : '');
    box.dataset.sign = sign === '▲' ? 'up' : sign === '▼' ? 'down' : 'same';
    for (const name of ['low', 'high', 'mean'])
      put(part(this.root, name), money(card[name]));
    put(part(this.root, 'deviation'), card.count ? card.deviation.toFixed(this.digits + 1) : '–');
    put(part(this.root, 'received'), counted(card.received));
    put(part(this.root, 'lost'), counted(card.lost));
  }

  update(card, most) {
    this.showState(card);
    this.showFigures(card);
    this.showQueue('points', card.points, most);
    this.showQueue('samples', card.samples, most);
    this.showMenu('speed', card.rate);
    this.showMenu('window', card.window);
  }
}
