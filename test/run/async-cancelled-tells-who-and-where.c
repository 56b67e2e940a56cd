// Awaiting a cancelled task throws struct fm_cancelled with who cancelled it and where; each waiter gets it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

#include <string.h>

async static void forever(void) { for (;;) fm_sleep(100); }

async static void killer(fm_activity a) { fm_cancel(a); }

async static void reader(task(void) t, fm_activity by) {
  try {
    await t;
  } catch (struct fm_cancelled c) {
    printf("%d line %d %s\n", c.by.node == by.node && c.by.generation == by.generation, c.line, strrchr(c.file, 0x2f) ? strrchr(c.file, 0x2f) + 1 : c.file);
  }
}

async int main(void) {
  auto t = spawn forever();
  yield;
  auto k = spawn killer(fm_id(t));
  auto a = spawn reader(fm_share(t), fm_id(k));
  auto b = spawn reader(t, fm_id(k)); // expect: 1 line 11 async-cancelled-tells-who-and-where.c
  await a, await b;               // expect: 1 line 11 async-cancelled-tells-who-and-where.c
  await k;
  auto u = spawn forever();
  fm_activity id = fm_id(u);
  fm_cancel_after(id, 5);
  try {
    await u;
  } catch (fm_error *e) {
    printf("%s %d\n", fm_error_name(e), fm_alive(id)); // expect: fm_cancelled 0
  }
}
