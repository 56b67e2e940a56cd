// A spawn whose handle is dropped inside a scope, in each form in which C drops a value: the scope
// throws the error, and no handle stays behind. A detached one may be dropped anywhere.
#include <fermata.h>

struct failed { int n; };

static int ended;

static async int fails(int n) throws(struct failed) {
  yield;
  ended++;
  throw (struct failed){n};
}

static async int works(int n) {
  yield;
  ended++;
  return n;
}

static async void caught(int form) {
  try {
    scope {
      switch (form) {
      case 0: (void)spawn fails(0); break;
      case 1: spawn fails(1), works(0); break;
      case 2: works(0), (void)spawn fails(2); break;
      case 3: ended ? (void)spawn fails(3) : (void)0; break;
      case 4: (void)(ended ? spawn fails(4) : spawn works(0)); break;
      case 5: ended ? spawn fails(5) : spawn works(5); break;
      case 6: ({ spawn fails(6); }); break;
      case 7: (void)({ works(0); spawn fails(7); }); break;
      case 8: for (int i = 0; i < 1; i++, spawn fails(8)) works(0); break;
      case 9: for (spawn fails(9); !ended; ended++) {} break;
      case 10: (spawn fails(10)); break;
      case 11: { int x = (spawn fails(11), 5); printf("%d ", x); break; }
      }
      works(0);
    }
    puts("not caught");
  } catch (struct failed e) {
    printf("caught %d\n", e.n);
  }
}

// The value of a statement expression is not dropped.
static async int kept(void) throws(struct failed) {
  task(int) t = ({ works(0); spawn works(20); });
  auto s = (works(0), spawn works(22));
  return await t + await s;
}

async int main(void) {
  ended = 1;
  for (int i = 0; i < 12; i++) caught(i);
  (void)spawn detached works(1);
  try {
    printf("%d\n", kept());                       // expect: caught 0
  } catch (struct failed e) {                     // expect: caught 1
    (void)e;                                      // expect: caught 2
  }                                               // expect: caught 3
  return 0;                                       // expect: caught 4
}                                                 // expect: caught 5
// expect: caught 6
// expect: caught 7
// expect: caught 8
// expect: caught 9
// expect: caught 10
// expect: 5 caught 11
// expect: 42
