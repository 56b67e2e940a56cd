// theme.js: colours. The style sheet has them, for light and dark; canvases ask here.

import { byId, make } from './dom.js';

const byKind = {
  ready: '--ready', channel: '--channel', sleep: '--sleep', descriptor: '--descriptor',
  activity: '--activity', lock: '--lock', semaphore: '--semaphore', other: '--other',
  message: '--spare-3', domain: '--spare-2',
};
const spare = ['--spare-1', '--spare-2', '--spare-3', '--spare-4'];
let cache = new Map();

export function colour(name) {
  if (!cache.has(name))
    cache.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return cache.get(name);
}

export function kindVariable(kinds, kind) {
  const known = byKind[kinds[kind]];
  return known || spare[kind % spare.length];
}

export function kindColour(kinds, kind) {
  return colour(kindVariable(kinds, kind));
}

export function swatch(data, kind) {
  return make('i.swatch', { style: `background: var(${kindVariable(data.kinds, kind)})` });
}

const system = matchMedia('(prefers-color-scheme: dark)');

// Follows the system until the button was used. A printed page is light; the canvases are drawn
// again for it.
export function startTheme(state) {
  const button = byId('theme');
  const root = document.documentElement;
  let chosen = null;
  const apply = () => {
    const usual = chosen || (system.matches ? 'dark' : 'light');
    root.dataset.theme = state.printing ? 'light' : usual;
    button.setAttribute('aria-pressed', String(root.dataset.theme === 'dark'));
    cache = new Map();
    state.tell('theme');
  };
  const print = (on) => {
    state.printing = on;
    apply();
  };
  button.addEventListener('click', () => {
    chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
    apply();
  });
  system.addEventListener('change', apply);
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  apply();
}
