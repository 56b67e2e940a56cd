// bundle.js NODE_MODULES OUTPUT: makes one HTML file of page.html, the style sheets and the
// modules of this folder, and uPlot. The modules are put into one module, in the order in which
// they import each other, without their imports and exports; a name that two of them declare is
// an error.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const here = __dirname;
const [packages, output] = process.argv.slice(2);
const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8');

// import { a, b } from './file.js';  may take several lines
const importing = /^import\s[^;]*?from '\.\/([a-z-]+\.js)';\n/gm;
const exporting = /^export (?=(async )?(const|let|function|class)\b)/gm;

function inOrder(file, done, result) {
  if (done.has(file))
    return;
  done.add(file);
  const text = read(here, file);
  for (const [, needed] of text.matchAll(importing))
    inOrder(needed, done, result);
  result.push(`// ---- ${file} ----\n` + text.replace(importing, '').replace(exporting, ''));
}

function modules() {
  const parts = [];
  inOrder('main.js', new Set(), parts);
  const text = parts.join('\n');
  const left = /^\s*(import|export)\b.*/m.exec(text);
  if (left)
    throw new Error(`bundle.js cannot place: ${left[0]}`);
  new vm.Script(`'use strict';{\n${text}\n}`, { filename: 'modules' });
  return text;
}

// A page's parser would end a script at these words, wherever they stand.
function inScript(text) {
  if (/<\/script|<!--/i.test(text))
    throw new Error('a script may not contain </script or <!--');
  return text;
}

const parts = {
  STYLE: read(packages, 'uplot/dist/uPlot.min.css') + read(here, 'page.css') +
    read(here, 'parts.css'),
  UPLOT: inScript(read(packages, 'uplot/dist/uPlot.iife.min.js')),
  LICENSE: read(packages, 'uplot/LICENSE').trim(),
  SCRIPT: inScript(modules()),
};
const markers = /@(STYLE|UPLOT|LICENSE|SCRIPT)@/g;
const page = read(here, 'page.html').replace(markers, (_, name) => parts[name]);
if (page.split('@FERMATA_DATA@').length !== 2)
  throw new Error('the page has to contain the marker of its data once');
fs.writeFileSync(output, page);
