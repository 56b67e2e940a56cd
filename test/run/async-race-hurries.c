// An arm of a race with a default runs to its first wait: the end of a slice does not stop it there,
// and meets no cancel, also if the arm has cancelled the scope around its race.
// env: FERMATA_TICK=always
#include <fermata.h>
#include <fermata/time.h>

static fm_activity around;

static async int arm(int n) {
  printf("begins\n");
  fm_cancel(around);
  printf("goes on\n");
  printf("and on\n");
  fm_sleep(1);
  printf("never\n");
  return n;
}

static async int race_in_scope(void) {
  int n = 0;
  scope (s) {
    around = s;
    race {
    case n = arm(1):
      printf("won\n");
    default:
      printf("default\n");
    }
  } else {
    n = 2;
  }
  return n;
}

async int main(void) {
  printf("%d\n", race_in_scope()); // expect: begins
                                   // expect: goes on
                                   // expect: and on
                                   // expect: 2
  return 0;
}
