// format.js: numbers, times and names as the page writes them.

const digits = new Intl.NumberFormat('en-US');

export function count(n) {
  return digits.format(n);
}

// "1 turn", "12 turns"
export function counted(n, noun) {
  const plural = noun.endsWith('ch') ? noun + 'es' : noun + 's';
  return `${count(n)} ${n === 1 ? noun : plural}`;
}

// Large counts where room is short: 1.24 M
export function brief(n) {
  if (n < 10000)
    return count(n);
  const [unit, by] = n < 999500 ? ['k', 1e3] : n < 999.5e6 ? ['M', 1e6] : ['G', 1e9];
  return `${significant(n / by)} ${unit}`;
}

function significant(x) {
  if (x === 0)
    return '0';
  const places = x < 10 ? 2 : x < 100 ? 1 : 0;
  return places ? x.toFixed(places).replace(/\.?0+$/, '') : x.toFixed(0);
}

const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

// A length of time, in three digits: 12.3 µs
export function time(ns) {
  if (ns < 0)
    return '−' + time(-ns);
  if (ns >= 60e9)
    return minutes(ns);
  for (const [size, unit] of units)
    if (ns >= size * 0.9995)
      return `${significant(ns / size)} ${unit}`;
  return '0 ns';
}

function minutes(ns) {
  const seconds = Math.round(ns / 1e9);
  const rest = seconds % 60;
  const whole = Math.floor(seconds / 60);
  if (whole >= 60)
    return `${Math.floor(whole / 60)} h ${whole % 60} min`;
  return rest ? `${whole} min ${rest} s` : `${whole} min`;
}

// A moment, exactly enough to tell neighbours of the view apart.
export function moment(ns, step) {
  const size = ns >= 1e9 ? 1e9 : ns >= 1e6 ? 1e6 : ns >= 1e3 ? 1e3 : 1;
  const unit = units.find((pair) => pair[0] === size)[1];
  const places = Math.max(0, Math.min(9, Math.ceil(-Math.log10(Math.max(step, 1) / size))));
  return `${(ns / size).toFixed(places)} ${unit}`;
}

// Nothing and everything are said only of nothing and everything.
export function percent(part, whole) {
  if (!whole)
    return '–';
  const p = (100 * part) / whole;
  if (p > 0 && p < 0.1)
    return '< 0.1 %';
  if (p > 99.9 && p < 100)
    return '> 99.9 %';
  const exact = (p > 0 && p < 10) || (p > 99 && p < 100);
  return `${p.toFixed(exact ? 1 : 0)} %`;
}

// Lengths are kept in 32 bits: the greatest one means "at least".
export function turnLength(ns) {
  return ns >= 4294967295 ? `≥ ${time(ns)}` : time(ns);
}

export function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
