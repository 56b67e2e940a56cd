// The innermost try whose catch fits takes the error; catches are tried in order; a catch is outside of its own try.
#include "parts/async.h"

struct a { int v; };
struct b { int v; };
struct c { int v; };
static async void fail(int n) throws(struct a, struct b, struct c) {
  yield;
  if (n == 0) throw (struct a){1};
  if (n == 1) throw (struct b){2};
  throw (struct c){3};
}
async int main(void) {
  for (int n = 0; n < 3; n++) {
    try {
      try {
        try { fail(n); }
        catch (struct a e) { printf("1a%d ", e.v); throw (struct b){e.v + 10}; }
        finally { printf("f1 "); }
      }
      catch (struct c e) { printf("2c%d ", e.v); fail(0); }
      catch (struct b e) { printf("2b%d ", e.v); }
      finally { printf("f2 "); }
      printf("on ");
    }
    catch (struct a e) { printf("3a%d ", e.v); }
    catch (fm_error *e) { printf("3%s ", fm_error_name(e)); }
    puts("");
  }
  // expect: 1a1 f1 2b11 f2 on 
  // expect: f1 2b2 f2 on 
  // expect: f1 2c3 f2 3a1 
}
