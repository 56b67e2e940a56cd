// tree.js: the tree of activities. A line that stays is changed in place, so that a button which
// the user is about to press, or has the focus, stays where it is.
const treeLines = new Map();

const TREE_VERBS = [
  ['cancel', 'Cancel', 'M4 4l8 8M12 4l-8 8'],
  ['pause', 'Pause', 'M5.5 3.5v9M10.5 3.5v9'],
  ['resume', 'Resume', 'M5 3.5v9l7-4.5z'],
];

function treeButton([verb, word, path], number) {
  const button = document.createElement('button');
  button.type = 'button';
  button.id = `${verb}-node-${number}`;
  button.title = word;
  button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
  return button;
}

function makeLine(node) {
  const line = document.createElement('li');
  line.innerHTML = '<span class="dot"></span><span class="what"><span><b></b><em></em></span>' +
    '<small></small></span><span class="acts"></span>';
  const acts = line.querySelector('.acts');
  if (node.free)
    acts.append(...TREE_VERBS.map(verb => treeButton(verb, node.number)));
  return line;
}

// "fetch.c:62 · a timer". What completes a wait in this program is the page.
function placeOf(node) {
  const wants = node.wants === 'a completion' ? 'the page' : node.wants;
  return [node.file && `${node.file}${node.line ? ':' + node.line : ''}`, wants]
    .filter(Boolean).join(' · ');
}

function showLine(line, node) {
  const name = node.name;
  const state = node.cancelled ? 'cancelled' : node.state;
  line.dataset.state = state;
  line.style.setProperty('--depth', node.depth);
  put(line.querySelector('b'), name);
  put(line.querySelector('em'), state === 'open' ? node.kind : state);
  put(line.querySelector('small'), placeOf(node));
  line.title = `#${node.number} ${name}: ${state}${node.function ? ' in ' + node.function : ''}, ` +
    placeOf(node);
  for (const button of line.querySelectorAll('button')) {
    const verb = button.id.split('-')[0];
    button.setAttribute('aria-label', `${button.title} ${name}`);
    setFlag(button, 'disabled', (verb === 'resume' && !node.paused) ||
      (verb === 'pause' && node.paused) || (verb === 'cancel' && node.cancelled));
    setFlag(button, 'hidden', (verb === 'resume' && !node.paused) ||
      (verb === 'pause' && node.paused));
  }
}

function showTree(nodes) {
  const list = document.getElementById('tree');
  const alive = new Set(nodes.map(node => node.number));
  for (const [number, line] of treeLines)
    if (!alive.has(number)) {
      line.remove();
      treeLines.delete(number);
    }
  let before = null;
  for (const node of nodes) {
    let line = treeLines.get(node.number);
    if (!line) {
      line = makeLine(node);
      treeLines.set(node.number, line);
    }
    const next = before ? before.nextElementSibling : list.firstElementChild;
    if (next !== line)
      list.insertBefore(line, next);
    showLine(line, node);
    before = line;
  }
  put(document.getElementById('tree-count'), String(nodes.length));
}
