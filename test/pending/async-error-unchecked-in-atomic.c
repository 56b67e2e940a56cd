// An unchecked error leaves functions without `throws` in atomic code as it does elsewhere. Today the atomic version of such a function
// has no way to tell its caller, reports the error and ends the program.
#include <fermata.h>

static async void forever(void) { for (;;) yield; }
static async int waits(void) { auto t = spawn forever(); fm_cancel(fm_id(t)); await t; return 1; }
async int main(void) {
  try { waits(); } catch (struct fm_cancelled e) { printf("cancelled %d\n", e.line); }        // expect: cancelled 6
  try { atomic waits(); } catch (struct fm_cancelled e) { printf("cancelled %d\n", e.line); } // expect: cancelled 6
}
