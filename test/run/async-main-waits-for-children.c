// Nobody's work is lost: async main, and `run`, end when the children have.
#include <fermata.h>

static async void slow(int n) {
  for (int i = 0; i < n; i++) yield;
  printf("%d\n", n);
}

static async int f(void) {
  spawn slow(7);
  return 3;
}

static async void m(void) {
  spawn slow(1);
  task(void) t = spawn slow(5);
  (void)t;
}

int main(void) {
  printf("%d\n", run f());        // expect: 7
                                  // expect: 3
  run m();                        // expect: 1
                                  // expect: 5
  printf("end\n");                // expect: end
}
