'use strict';
// 20 clicks at once, while each takes the program 20 ms: none is lost.
play(async () => {
  await until(() => typeof Module === 'object' && Module.fmWeb && Module.fmWeb.objects.size >= 3);
  for (let i = 0; i < 20; i++)
    click('#add');
  await until(() => text('#count') === '20');
  at('#name').value = 'Ada';
  click('#greet');
  await until(() => text('#greeting') === 'Hello, Ada!');
  same(at('#greeting').className, '');
  at('#name').value = 'Margaret';
  click('#greet');
  await until(() => text('#greeting') === 'Hello, Margaret!' && at('#greeting').className === 'loud');
  click('#stop');
  await until(() => text('#state') === 'stopped');
  await until(() => Module.fmWeb.objects.size === 0);
  click('#add');
  await sleep(50);
  same(text('#count'), '20');
});
