// Functions of the library that are macros, with too few, too many or wrong arguments.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/stream.h>
#include <fermata/sync.h>
typedef fm_chan(int) chan;
typedef fm_mvar(int) mvar;
typedef fm_stream(int) ints;
struct pair { int a, b; };
static int wrong(char *p) { return *p; }
static char *wrong_result(int n) { return n ? "x" : NULL; }
async void f1(chan *c) throws(fm_error) {
  fm_send(c); // error: 13:13: too few arguments to `fm_send`: its declaration is `async void fm_send(fm_chan(T) *c, T v)
}
async void f2(chan *c, int x) throws(fm_error) {
  fm_send(c, 1, x); // error: 16:17: too many arguments to `fm_send`
}
async int f3(void) throws(fm_error) {
  return fm_recv(); // error: 19:18: a value is missing in the call of `fm_recv`: its declaration is `async T fm_recv(fm_chan(T) *c)
}
async void f4(mvar *m) {
  fm_put(m); // error: 22:12: too few arguments to `fm_put`: its declaration is `async void fm_put(fm_mvar(T) *m, T v)`
}
int f5(chan *c) {
  return fm_try_send(c); // error: 25:24: too few arguments to `fm_try_send`
}
async int f6(int n) throws(fm_error) {
  return fm_within(n); // error: 28:10: a value is missing in the call of `fm_within`
}
async bool f7(chan *c, double *d) {
  return fm_recv_or_closed(c, d); // error: 31:31: a value of type `double *` is given where `int *` is expected
}
async void f8(int n) {
  fm_chan_init(&n, 1); // error: 34:3: a channel is expected here, not a value of type `int *`
}
async void f9(int n) {
  fm_agent_init(&n); // error: 37:3: an agent is expected here, not a value of type `int *`
}
void g1(int n, fm_completion(int) *k) {
  fm_complete(k, n, n); // error: 40:21: too many arguments: `fm_complete` takes the completion and one value
}
ints g2(ints s, int n) {
  return fm_stream_merge(s, n); // error: 43:29: a value of type `int` is given where `ints` is expected
}
ints g3(struct pair p) {
  return fm_stream_of(ints, 1, p); // error: 46:32: a value of type `struct pair` is given where `int` is expected
}
ints g4(int n) {
  return fm_stream_take(n, 3); // error: 49:10: a stream is expected here, not a value of type `int`
}
ints g5(struct pair *p) {
  return fm_stream_from_array(ints, p, 3); // error: 52:37: a value of type `struct pair *` is given where `const int *` is expected
}
ints g6(ints s) {
  return fm_stream_map(ints, s, wrong); // error: 55:10: a value of type `const int` is given where `char *` is expected
}
ints g7(ints s) {
  return fm_stream_map(ints, s, wrong_result); // error: 58:10: a value of type `char *` is given where `int` is expected
}
ints g8(ints s) {
  return fm_stream_filter(s, wrong); // error: 61:10: a value of type `const int` is given where `char *` is expected
}
