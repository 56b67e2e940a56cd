'use strict';
play(async () => {
  await until(() => text('#longest') !== '');
  same(at('#ball').style.marginLeft, '240px');
  if (!(Number(text('#primes')) > 100))
    throw new Error('the computation did not go on: ' + text('#primes'));
});
