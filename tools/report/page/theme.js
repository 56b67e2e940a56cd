// theme.js: colours. The style sheet has them, for light and dark; canvases ask here. The button
// goes from the system's choice to the other one and back.

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

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : system.matches;
}

// A printed page is light; the canvases are drawn again for it.
export function startTheme(state) {
  const button = byId('theme');
  const changed = () => {
    cache = new Map();
    button.setAttribute('aria-pressed', String(isDark()));
    state.tell('theme');
  };
  button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    changed();
  });
  system.addEventListener('change', changed);
  let before;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    state.printing = true;
    changed();
  });
  addEventListener('afterprint', () => {
    if (before)
      document.documentElement.dataset.theme = before;
    else
      delete document.documentElement.dataset.theme;
    state.printing = false;
    changed();
  });
}
