// theme.js: colours: as the system has it, light or dark. The choice is kept.
const themes = ['system', 'light', 'dark'];
const themeIcons = {
  system: 'M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13v-1.2a5.3 5.3 0 0 0 0-10.6z',
  light: 'M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM7.3 1h1.4v2H7.3zM7.3 13h1.4v2H7.3z' +
    'M1 7.3h2v1.4H1zM13 7.3h2v1.4h-2zM2.6 3.5l1-1 1.4 1.4-1 1zM11 12.1l1-1 1.4 1.4-1 1z' +
    'M2.6 12.5l1.4-1.4 1 1-1.4 1.4zM11 3.9l1.4-1.4 1 1L12 4.9z',
  dark: 'M13.8 10A6.3 6.3 0 0 1 6 2.2a6.3 6.3 0 1 0 7.8 7.8z',
};
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const onTheme = [];

function storedTheme() {
  try {
    return localStorage.getItem('streaming-theme');
  } catch (e) {
    return null; // a page without storage, as some files are
  }
}
let theme = themes.includes(storedTheme()) ? storedTheme() : 'system';

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function applyTheme() {
  const dark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
  const button = document.getElementById('theme');
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  button.innerHTML = '<svg viewBox="0 0 16 16" aria-hidden="true">' +
    `<path d="${themeIcons[theme]}"/></svg>`;
  button.setAttribute('aria-label', `Colours: ${theme === 'system' ? 'as the system' : theme}`);
  button.title = button.getAttribute('aria-label');
  onTheme.forEach(fn => fn());
}

function nextTheme() {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  try {
    localStorage.setItem('streaming-theme', theme);
  } catch (e) {
    // it is not kept
  }
  applyTheme();
}
