#include <fermata.h>
struct some { int x; };
static int some_is_completed(struct some *s) { return s->x; }
struct odd { int x; };
static bool odd_is_completed(struct odd *o) { return o->x; }
static void odd_on_completed(struct odd *o, int a) { (void)o; (void)a; } // error: 6:13: `odd_on_completed` has to take the awaited object and a `fm_action *`
static int odd_get_result(struct odd *o) { return o->x; }
async int main(void) {
  struct some s = { 0 };
  struct odd o = { 0 };
  await &s; // error: 11:3: not all of `some_is_completed`, `some_on_completed` and `some_get_result` are declared
            // note: 11:3: `some_on_completed` is not declared
            // note: 11:3: `some_get_result` is not declared
  await &o;
  await o;  // error: 15:3: `odd_is_completed` has to take the awaited `struct odd`
            // note: 5:13: it is declared here
  await 5;  // error: 17:3: a value of type `int` cannot be awaited
  return 0;
}
