// bundle.js NODE_MODULES PROGRAM OUTPUT: makes one HTML file of page.html, the style sheet and the
// scripts of this folder, uPlot, and the program (PROGRAM: emscripten's script, with the
// WebAssembly in it). The file needs nothing else, and works from a disk.
'use strict';

const fs = require('fs');
const path = require('path');

const [packages, program, output] = process.argv.slice(2);
const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8');
const own = name => read(__dirname, name);

// A page's parser would end a script at these words, wherever they stand.
function inScript(text) {
  if (/<\/script|<!--/i.test(text))
    throw new Error('a script may not contain </script or <!--');
  return text;
}

const icon = d => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${d}"/></svg>`;
const option = chosen => ([value, text]) =>
  `<option value="${value}"${value === chosen ? ' selected' : ''}>${text}</option>`;

const parts = {
  ICON: encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="7" fill="#2456c9"/><path d="M6 22a10 10 0 0 1 20 0" ' +
    'fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
    '<circle cx="16" cy="21" r="3" fill="#fff"/></svg>'),
  STYLE: read(packages, 'uplot/dist/uPlot.min.css') + own('page.css') + own('parts.css'),
  LICENSE: read(packages, 'uplot/LICENSE').trim(),
  UPLOT: inScript(read(packages, 'uplot/dist/uPlot.iife.min.js')),
  SCRIPT: inScript(`'use strict';\n(() => {\n${['theme.js', 'chart.js', 'card.js', 'tree.js',
    'main.js'].map(own).join('\n')}\n})();`),
  PROGRAM: inScript(read(program)),
  START: icon('M4 2.5v11l9-5.5z'),
  STOP: icon('M3.5 3.5h9v9h-9z'),
  PAUSE: icon('M4 3h3v10H4zM9 3h3v10H9z'),
  RESUME: icon('M3 3h2.5v10H3zM7 3l7 5-7 5z'),
  SPEEDS: [1, 2, 5, 10, 25, 50].map(n => [n, `${n}/s`]).map(option(10)).join(''),
  WINDOWS: [[10, '10 s'], [30, '30 s'], [60, '1 min'], [120, '2 min']].map(option(30)).join(''),
};
const names = new RegExp(`@(${Object.keys(parts).join('|')})@`, 'g');
fs.writeFileSync(output, own('page.html').replace(names, (_, name) => parts[name]));
