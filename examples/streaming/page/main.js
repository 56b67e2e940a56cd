// main.js: what the program calls, as window.streaming (view.c).
const cards = [];
let latest = null;

function showSource(state) {
  const box = document.getElementById('source-state');
  const menu = document.getElementById('source');
  const live = state.cards.filter(card => card.runs && card.state === 'live').length;
  const waiting = state.cards.some(card => card.runs && card.state === 'waiting');
  const kind = !state.use ? 'page' : waiting ? 'lost' : live ? 'live' : 'idle';
  box.dataset.kind = kind;
  put(box.querySelector('span'), { page: 'generated in the page', lost: 'reconnecting',
    live: `server: ${live} ${live === 1 ? 'stream' : 'streams'}`, idle: 'server' }[kind]);
  setFlag(menu.options[0], 'disabled', !state.server);
  if (menu !== document.activeElement)
    menu.value = state.use ? 'server' : 'page';
}

function showToolbar(state) {
  const running = state.cards.filter(card => card.runs).length;
  const off = { start: running === cards.length, stop: !running, pause: state.paused || !running,
    resume: !state.paused };
  for (const [verb, disabled] of Object.entries(off))
    setFlag(document.getElementById(`${verb}-all`), 'disabled', Boolean(disabled));
}

window.streaming = {
  cards,
  get state() {
    return latest;
  },

  begin(instruments) {
    instruments.forEach((instrument, i) => cards.push(new Card(i, instrument)));
  },

  draw(index, data, seconds) {
    cards[index].chart.show(data, seconds);
  },

  event(index, kind, text) {
    cards[index].event(kind, text);
  },

  update(state) {
    latest = state;
    state.cards.forEach((card, i) => cards[i].update(card, state.queue));
    showSource(state);
    showToolbar(state);
    showTree(state.tree);
  },
};

onTheme.push(() => cards.forEach(card => card.chart.build()));
prefersDark.addEventListener('change', applyTheme);
document.getElementById('theme').addEventListener('click', nextTheme);
applyTheme();
