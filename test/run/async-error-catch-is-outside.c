// An error lives until its catch ends: also when the handler pauses, returns, jumps, or throws another.
#include "parts/async.h"

struct bad { char text[100]; };
static async void fail(void) throws(struct bad) { yield; throw (struct bad){"text"}; }
static async int handler(int n) throws(struct bad) {
  for (int i = 0; i < 2; i++) {
    try { fail(); }
    catch (fm_error *e) {
      yield;
      const struct bad *b = fm_error_value(e);
      if (n == 0) return b->text[0];
      if (n == 1) continue;
      if (n == 2) break;
      if (n == 3) goto out;
      if (n == 4) throw (struct bad){"other"};
      try { fail(); } catch (fm_error *f) { yield; if (n == 5) throw; printf("%s %s\n", b->text, ((const struct bad *)fm_error_value(f))->text); }
      return b->text[1];
    }
  }
  return 1;
out:
  return 2;
}
async int main(void) {
  for (int n = 0; n < 7; n++) {
    try { printf("%d\n", handler(n)); } catch (struct bad e) { printf("%s\n", e.text); }
  }
  // expect: 116
  // expect: 1
  // expect: 1
  // expect: 2
  // expect: other
  // expect: text
  // expect: text text
  // expect: 101
}
