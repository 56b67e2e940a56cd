// An activity that joins the scope in which it stands waits in vain. The deadlock is thrown there,
// where the activity blocked last, not in the one that awaits it.
// env: FERMATA_TICK=off
#include <fermata.h>

static async int joins(void) {
  int v = 0;
  scope (s) {
    try {
      fm_join(s);
    } catch (struct fm_deadlock e) {
      (void)e;
      v = 1;
    }
  }
  return v;
}

async int main(void) {
  auto t = spawn joins();
  printf("%d\n", await t); // expect: 1
}
