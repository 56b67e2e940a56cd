// A scope in an atomic of the same function is cancelled as elsewhere: by itself, by its deadline, by who runs beside it. Today what waits
// in it is not interrupted: the body of an atomic is plain C, which nothing unwinds.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>

static async void cancel(fm_activity s) {
  fm_sleep(1);
  fm_cancel(s);
}

async int main(void) {
  atomic {
    scope (s) {
      fm_cancel(s);
      fm_checkpoint();
      printf("not here\n");
    } else printf("1\n");         // expect: 1
    scope (s) {
      fm_cancel_after(s, 5);
      fm_sleep(1000);
      printf("not here\n");
    } else printf("2\n");         // expect: 2
    scope (s) {
      spawn contained cancel(s);
      fm_sleep(1000);
      printf("not here\n");
    } else printf("3\n");         // expect: 3
  }
}
