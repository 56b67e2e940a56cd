'use strict';
play(async () => {
  await until(() => text('#size') === '10000');
  same(text('#status'), '200');
  await until(() => text('#answer') === 'POST text/plain hello');
  await until(() => text('#error') !== '');
  await until(() => text('#slow') === 'gave up after 200 ms');
  await until(async () => await (await fetch('/data/aborted')).text() === '1', 'aborted');
});
