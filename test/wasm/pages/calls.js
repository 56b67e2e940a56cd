'use strict';
play(async () => {
  await until(() => text('#refused') === 'refused');
  same(text('#sum'), '3');
  same(text('#later'), 'later');
  same(text('#visits'), '1');
  same(localStorage.getItem('visits'), '1');
  await until(() => Module.fmWeb.ports.has('square'));
  const all = await Promise.all([1, 2, 3, 40].map(n => Module.fermata.call('square', n)));
  same(all.join(' '), '1 4 9 1600');
  const failed = await Module.fermata.call('square', -1).catch(e => e.message);
  same(failed, 'negative');
  same(await Module.fermata.call('cube', 1).catch(e => e.message), 'no port is called cube');
});
