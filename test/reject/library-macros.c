// Macros of broadcast.h, group.h, agent.h, supervisor.h and fm_within with missing or wrong
// arguments: each message is at the line of the call.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/group.h>
#include <fermata/io.h>
#include <fermata/sync.h>
#include <fermata/time.h>
struct pair { int a, b; };
typedef fm_chan(int) chan;
typedef fm_broadcast(int) cast;
typedef fm_subscriber(int) sub;
typedef fm_latest(int) latest;
typedef fm_oneshot(struct pair) shot;
typedef fm_starting(int) starting;
typedef fm_reply(int) reply;
struct request { int n; reply *reply; };
typedef fm_agent(struct request) agent;
async int twice(int n);
async void child(starting *s, int n);
static async void serve(void *self, void *arg) { (void)self, (void)arg; }
async void a1(cast *b) throws(fm_error) {
  fm_publish(b);
}
async void a2(cast *b, struct pair p) throws(fm_error) {
  fm_publish(b, p);
}
async void a3(chan *c) throws(fm_error) {
  fm_publish(c, 1);
}
async int a4(cast *b) throws(fm_error) {
  return fm_hear(b);
}
async bool a5(sub *s, char *to) {
  return fm_hear_or_closed(s, to);
}
void a9(int *n) {
  fm_broadcast_init(n, 3, FM_HOLD);
}
void b2(latest *l) {
  fm_latest_init(l);
}
void b3(latest *l, struct pair p) {
  fm_latest_set(l, p);
}
async int b5(latest *l, int *seen) {
  return fm_latest_next(l, seen);
}
void b6(shot *o) {
  fm_oneshot_set(o, 3);
}
void b7(shot *o) {
  fm_oneshot_set(o);
}
async int b8(shot *o) {
  return fm_oneshot_wait(o);
}
async struct pair b9(latest *l) {
  return fm_oneshot_wait(l);
}
async void c1(fm_group *g) {
  fm_group_spawn(g);
}
async void c2(fm_group *g) {
  fm_group_spawn(g, 3);
}
async void c4(char **in) {
  int out[3];
  fm_map(out, in, 3, 2, twice);
}
async void c5(int *in) {
  struct pair out[3];
  fm_map(out, in, 3, 2, twice);
}
async int c7(starting *s) throws(fm_error) {
  return fm_start(s);
}
async int c8(starting *s) throws(fm_error) {
  return fm_start(s, 3);
}
void c9(starting *s, struct pair p) {
  fm_ready(s, p);
}
async int d1(void) {
  return fm_retry((struct fm_retry){ .attempts = 3 });
}
async int d2(void) {
  return fm_retry(3, twice(1));
}
async int d4(agent *a) throws(fm_error) {
  return fm_ask(a, 3, reply, 10);
}
async int d5(agent *a) throws(fm_error) {
  return fm_ask(a, (struct request){ 0 }, nothing, 10);
}
async void d6(agent *a) {
  fm_agent_start_with(a, serve, NULL);
}
async void d7(agent *a) throws(fm_error) {
  fm_agent_run_with(a, serve, NULL, 3);
}
async void d8(agent *a) throws(fm_error) {
  fm_agent_run(a, twice, NULL, 3);
}
fm_child e1(int *a) {
  return fm_agent_child(a, serve, NULL);
}
async void e2(fm_supervisor *s) throws(fm_error) {
  fm_supervisor_add(s, 3);
}
async int e3(fm_sem *s) throws(fm_error) {
  return fm_within(3, fm_sem_wait(s));
}
async int e4(int n) throws(fm_error) {
  return fm_within("x", twice(n));
}
async void e5(fm_cond *c, fm_mutex *m) {
  fm_cond_wait_for(c, m);
}
async void e6(fm_limiter *l) {
  fm_sem_wait_n(l, 3);
}
// error: 23:16: too few arguments to `fm_publish`: its declaration is `async void fm_publish(fm_bro
// error: 26:17: a value of type `struct pair` is given where `int` is expected
// error: 29:3: a broadcast is expected here, not a value of type `chan`
// error: 32:10: a subscriber is expected here, not a value of type `cast`
// error: 35:31: a value of type `char *` is given where `int *` is expected
// error: 38:3: a broadcast is expected here, not a value of type `int *`
// error: 41:20: too few arguments to `fm_latest_init`: its declaration is `void fm_latest_init(fm_l
// error: 44:20: a value of type `struct pair` is given where `int` is expected
// error: 47:28: a value of type `int *` is given where `uint64_t *` is expected
// error: 50:21: a value of type `int` is given where `struct pair` is expected
// error: 53:20: too few arguments to `fm_oneshot_set`: its declaration is `bool fm_oneshot_set(fm_o
// error: 56:25: a value of type `struct pair` is given where `int` is expected
// error: 59:10: a one-shot is expected here, not a value of type `latest`
// error: 59:25: a value of type `int` is given where `struct pair` is expected
// error: 62:3: a call of an async function is expected in `fm_group_spawn`: its declaration is `asy
// error: 65:3: a call of an async function is expected in `fm_group_spawn`: its declaration is `asy
// error: 69:3: a value of type `char *` is given where `int` is expected
// error: 73:3: a value of type `int` is given where `struct pair` is expected
// error: 76:10: a call of an async function is expected in `fm_start`: its declaration is `async T
// error: 79:10: a call of an async function is expected in `fm_start`: its declaration is `async T
// error: 82:15: a value of type `struct pair` is given where `int` is expected
// error: 85:53: a value is missing in the call of `fm_retry`: its declaration is `async T fm_retry(
// error: 88:19: a value of type `int` is given where `struct fm_retry` is expected
// error: 91:20: a value of type `int` is given where `struct request` is expected
// error: 94:43: `struct request` has no member named `nothing`
// error: 97:37: a value is missing in the call of `fm_agent_start_with`: its declaration is `task(v
// error: 100:37: a value of type `int` is given where `struct fm_restart` is expected
// error: 103:19: a value of type `async int(int)` is given where `async void(void *, void *) *` is
// error: 106:10: a mailbox or agent is expected here, not a value of type `int *`
// error: 109:24: a value of type `int` is given where `fm_child` is expected
// error: 112:10: a value of type `void` is given where `int` is expected
// error: 115:20: a value of type `char[2]` is given where `uint64_t` is expected
// error: 118:24: too few arguments to `fm_cond_wait_for`: it takes `async _Bool(fm_cond *, fm_mutex
// error: 121:17: a value of type `fm_limiter *` is given where `fm_sem *` is expected
