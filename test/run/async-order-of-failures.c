// Tasks that have failed, and that nobody awaits: clauses `catch each` get their errors in the order
// in which the tasks were made, or ended after the scope's statement; so are errors chained.
// A defer comes after the activities that share the variables of its block.
// env: FERMATA_TICK=off
#include <fermata.h>

struct bad {
  int n;
};

static async int fails(int n, int turns) throws(struct bad) {
  for (int i = 0; i < turns; i++)
    yield;
  throw (struct bad){ n };
  return 0;
}

static async void clauses(int turns) throws(struct bad) {
  scope (s) {
    auto a = spawn fails(1, turns);
    auto b = spawn fails(2, turns);
    auto c = spawn fails(3, 0);
    (void)a, (void)b, (void)c;
    for (int i = 0; i < 3; i++)
      yield;
  } catch each (struct bad e) {
    printf("clause %d\n", e.n);
  }
}

static async void chained(int turns) throws(struct bad) {
  scope (s) {
    auto a = spawn fails(1, turns + 1);
    auto b = spawn fails(2, turns);
    (void)a, (void)b;
    for (int i = 0; i < 3; i++)
      yield;
  }
}

static void print_chain(const fm_error *e) {
  for (; e; e = fm_error_next(e))
    printf(" %d", ((const struct bad *)fm_error_value(e))->n);
  printf("\n");
}

static async int shares(void) {
  int x = 1;
  defer printf("defer %d\n", x);
  activate () {
    yield;
    x = 2;
  }
  defer printf("second defer %d\n", x);
  return x;
}

async int main(void) {
  try {
    clauses(0); // expect: clause 1
                // expect: clause 2
                // expect: clause 3
    clauses(9); // expect: clause 3
                // expect: clause 1
                // expect: clause 2
    chained(0);
  } catch (fm_error *e) {
    print_chain(e); // expect:  1 2
  }
  try {
    chained(9);
  } catch (fm_error *e) {
    print_chain(e); // expect:  2 1
  }
  printf("%d\n", shares()); // expect: second defer 2
                            // expect: defer 2
                            // expect: 1
  return 0;
}
