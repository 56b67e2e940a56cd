// A scope that is paused by its last child, which then ends, holds its owner at its end until it is resumed or cancelled: it has ended, so that
// its `else` does not run.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static fm_activity the_scope;

async static void child(void) {
  fm_sleep(10);
  fm_pause(the_scope);
}

async static void owner(int deadline) {
  scope (s) {
    the_scope = s;
    if (deadline) fm_cancel_after(s, deadline);
    spawn child();
  } else {
    printf(" else");
  }
  printf(" out at %d", (int)(fm_now() / 1000000));
}

async static void one(const char *how, int deadline) {
  int start = (int)(fm_now() / 1000000);
  auto t = spawn owner(deadline);
  printf("%s:", how);
  fm_sleep(20);
  printf(" from %d", start);
  if (*how == 'r') fm_resume(the_scope);
  if (*how == 'c') fm_cancel(the_scope);
  if (*how == 'a') fm_cancel(fm_id(t));
  try { await t; } catch (struct fm_cancelled c) { (void)c; printf(" cancelled"); }
  printf("\n");
}

async int main(void) {
  one("resume", 0);    // expect: resume: from 0 out at 20
  one("cancel", 0);    // expect: cancel: from 20 out at 40
  one("above", 0);     // expect: above: from 40 out at 60
  one("deadline", 30); // expect: deadline: from 60 out at 90
  return 0;
}
