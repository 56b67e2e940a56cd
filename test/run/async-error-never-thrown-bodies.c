// Activities, arms and jobs in a catch of what is never thrown: left out with it.
#include <fermata.h>
#include <fermata/time.h>

struct bad { int v; };

static async void one(void) { yield; }

async int main(void) {
  int x = 1;
  try {
    x++;
  } catch (struct bad e) {
    activate { x += e.v; }
    race {
    case one(): x = 3;
    case fm_sleep(1): activate { yield; }
    }
    job(int) j = job (x) { return x; };
    x = await j;
    fm_job_free(j);
  }
  printf("%d\n", x);              // expect: 2
  return 0;
}
