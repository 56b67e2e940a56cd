'use strict';
// A click while it counts starts again; after the end, too. The bar has no value at the end.
play(async () => {
  await until(() => text('#left').endsWith(' s') && at('#bar').value > 3);
  const before = at('#bar').value;
  click('#again');
  await until(() => at('#bar').value < before, 'began again');
  same(text('#count'), '0');
  await until(() => text('#left') === 'time is over');
  same(at('#left').className, 'over');
  same(at('#bar').hasAttribute('value'), false);
  await until(() => text('#count') === '1');
  same(localStorage.getItem('countdowns'), '1');
  click('#again');
  await until(() => text('#left').endsWith(' s'));
  same(at('#left').className, '');
  await until(() => text('#count') === '2');
});
