// A cancel that a shield has held back is one cancel: what it releases at the shield's end goes on
// in the order in which it had blocked, whichever child it is. A task that had failed before its
// scope was cancelled goes on in the clause `catch each` as a cancelled activity: to its first pause.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/time.h>

struct bad {
  int n;
};

static async void sleeper(int n, int turns) {
  defer printf("%d leaves\n", n);
  for (int i = 0; i < turns; i++)
    yield;
  fm_sleep(20);
}

static async void shielded(void) {
  scope (s) {
    fm_cancel_after(s, 2);
    shield {
      spawn sleeper(1, 2);
      spawn sleeper(2, 0);
      spawn sleeper(3, 1);
      fm_sleep(5);
    }
    fm_sleep(1);
    printf("never\n");
  }
}

static async int fails(int n) throws(struct bad) {
  throw (struct bad){ n };
  return 0;
}

static async void revived(void) throws(struct bad) {
  scope (s) {
    auto t = spawn fails(7);
    (void)t;
    fm_sleep(1);
    fm_cancel(s);
  } catch each (struct bad e) {
    printf("clause %d\n", e.n);
    yield;
    printf("never\n");
  } else {
    printf("else\n");
  }
}

async int main(void) {
  shielded(); // expect: 2 leaves
              // expect: 3 leaves
              // expect: 1 leaves
  try {
    revived(); // expect: clause 7
               // expect: else
  } catch (struct bad e) {
    printf("%d\n", e.n);
  }
  return 0;
}
