// header.js: the top of the page: which run it was, the summary in words, and the six numbers that
// are looked at first.

import { make, byId, placeText } from './dom.js';
import { count, counted, brief, time, percent } from './format.js';
import { sum } from './charts.js';

function runLine(data) {
  const words = [];
  if (data.recorded) {
    const date = new Date(data.recorded);
    const known = !Number.isNaN(date.getTime());
    words.push(known ? date.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' })
      : data.recorded);
  }
  if (data.pid)
    words.push(`process ${data.pid}`);
  words.push(`${count(data.events)} events`);
  if (data.virtual)
    words.push('ran in virtual time; the times here are real');
  return words.join(' · ');
}

function command(data) {
  const program = data.program || 'a program';
  const quoted = (data.arguments || []).map((word) =>
    (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`));
  return [program, ...quoted].join(' ');
}

// word: the word of the glossary that explains it
function tile(data, word, id, name, value, note, alert) {
  const title = (data.glossary || {})[word] || null;
  return make(alert ? 'li.tile.warn' : 'li.tile', { id: `tile-${id}`, title },
    make('span.tile-name', null, name), make('strong', null, value),
    make('span.faint', null, note || ''));
}

// Where the longest turn ended, or else began; whose it was if it was a whole life.
function longestPlace(data, [, activity, , , from, until]) {
  const place = until < 0 ? from : until;
  return place < 0 ? data.nameOf(activity) : placeText(data, place);
}

function tiles(data) {
  const busy = data.domains.reduce((total, domain) => total + domain.busy, 0);
  const whole = data.duration * Math.max(1, data.domains.length);
  const longest = data.longest[0];
  const wait = data.waits[0];
  const interrupted = sum(data.figures.gaps.interrupted);
  const written = sum(data.figures.gaps.written || []);
  const domains = data.domains.length;
  return [
    tile(data, '', 'duration', 'Duration', time(data.duration), ''),
    tile(data, 'activity', 'activities', 'Activities', brief(data.activities.count),
      domains > 1 ? `in ${domains} domains` : ''),
    tile(data, 'turn', 'turns', 'Turns', brief(data.turns.count), `${time(data.turns.count ?
      busy / data.turns.count : 0)} each`),
    tile(data, 'turn', 'busy', 'Busy', percent(busy, whole), time(busy)),
    tile(data, 'slice', 'longest', 'Longest turn', longest ? time(longest[3]) : '–',
      longest ? longestPlace(data, longest) : '',
      longest && longest[3] >= 10e6),
    wait ? tile(data, 'wait', 'wait', 'Waited most for', data.kinds[wait[0]],
      `${time(wait[4])} at ${placeText(data, wait[2])}`) : null,
    tile(data, 'interrupted', 'risky', 'Interrupted gaps', brief(interrupted),
      written ? `${count(written)} written` : counted(data.risky.length, 'place'), written > 0),
  ].filter(Boolean);
}

function warnings(data) {
  const list = [];
  if (data.lost)
    list.push(`The ring buffer overwrote ${count(data.lost)} older events: the page shows the ` +
      'last part of the run.');
  if (!data.complete && !data.lost)
    list.push('The trace was not closed: the process ended early, and its last events may be ' +
      'missing.');
  if (!data.turns.count)
    list.push('The trace has no turns: was the program built with Fermata, and did it run an ' +
      'activity?');
  return list.map((text) => make('p.warning', { role: 'note' }, text));
}

export function drawHeader(data) {
  document.title = `${command(data)} – Fermata report`;
  byId('command').textContent = command(data);
  byId('run').textContent = runLine(data);
  byId('warnings').replaceChildren(...warnings(data));
  byId('summary').replaceChildren(...data.summary.map((text) => make('li', null, text)));
  byId('tiles').replaceChildren(...tiles(data));
}

export function drawGlossary(data) {
  const words = Object.entries(data.glossary || {});
  byId('glossary').hidden = !words.length;
  byId('words').replaceChildren(...words.flatMap(([word, text]) =>
    [make('dt', null, word), make('dd', null, text)]));
}
