// A cancel cannot be caught, by no kind of catch; finally and defer run, the innermost first.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static void fails(int n) throws(struct bad) {
  yield;
  if (n) throw (struct bad){n};
}

async static void worker(void) {
  defer printf("1\n");
  try {
    try {
      fails(0);
      fm_sleep(100);
    } catch (struct bad) {
      printf("no: bad\n");
    } catch (fm_error *e) {
      printf("no: %s\n", fm_error_name(e));
    } finally {
      printf("3\n");
    }
  } catch (struct fm_cancelled) {
    printf("no: cancelled\n");
  } catch (fm_error *) {
    printf("no\n");
  } finally {
    printf("2\n");
  }
  printf("not reached\n");
}

async int main(void) {
  auto t = spawn worker();
  fm_sleep(5);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));              // expect: 3
  printf("end\n");                // expect: 2
  fm_detach(t);                   // expect: 1
                                  // expect: end
}
