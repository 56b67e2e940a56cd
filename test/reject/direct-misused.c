#include <fermata.h>
struct s { int x; };
asyncdirect int a(int x) { (void)x; } // error: 3:17: the last parameter of an asyncdirect function has to be its completion: here `fm_completion(int) *k`
asyncdirect int b(fm_completion(char *) *k) { (void)k; } // error: 4:42: this function returns `int`, and its completion is of type `char *`
static void c(fm_completion(int) *k, fm_completion(void) *v, int x) {
  fm_complete(k);                     // error: 6:16: `fm_complete` needs the value, a `int`
  fm_complete(k, "text");             // error: 7:18: a value of type `char[5]` is given where `int` is expected
  fm_complete(v, 1);                  // error: 8:18: too many arguments: this completion has no value
  fm_complete(x, 1);                  // error: 9:15: `fm_complete` needs a pointer to a completion
  fm_fail(k, 5);                      // error: 10:14: only structures can be thrown
  fm_fail(k);                         // error: 11:12: `fm_fail` needs the error
  fm_complete(k, (struct s){ 1 });    // error: 12:18: a value of type `struct s` is given where `int` is expected
}
