'use strict';
play(async () => {
  await until(() => text('#closed') === '4000 good bye');
  same(text('#messages'), '100 in order');
  same(text('#bytes'), '3 bytes: 1 2 3');
  await until(() => text('#error').startsWith('cannot connect'));
});
