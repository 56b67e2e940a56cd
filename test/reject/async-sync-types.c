#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>

struct point { int x, y; };
typedef fm_chan(int) int_chan;
typedef fm_chan(const char *) text_chan;
typedef fm_mvar(struct point) point_var;
typedef fm_event(struct point) point_event;
typedef fm_mailbox(int *) box;
typedef fm_reply(struct point) point_reply;

async void f(int_chan *c, text_chan *t, point_var *m, point_event *e, box *b, point_reply *r) throws(struct fm_closed) {
  struct point p = { 1, 2 };
  fm_send(c, p);
  fm_send(t, p);
  p = fm_recv(c);
  fm_put(m, 5);
  fm_take(c);
  fm_send(m, p);
  fm_emit(e, 3);
  fm_post(b, p);
  fm_answer(r, 1);
  int n = fm_reply_wait(r);
  (void)n;
}

async void g(int_chan *c) {
  fm_send(c, 1);
}

void plain(int_chan *c) {
  fm_recv(c);
}
// error: 15:14: a value of type `struct point` is given where `int` is expected
// error: 16:14: a value of type `struct point` is given where `const char *` is expected
// error: 17:14: a value of type `int` is given where `struct point` is expected
// error: 18:13: a value of type `int` is given where `struct point` is expected
// error: 19:3: an MVar or a reply is expected here, not a value of type `int_chan`
// error: 20:3: a channel, event, mailbox or agent is expected here, not a value of type `point_var`
// error: 21:14: a value of type `int` is given where `struct point` is expected
// error: 22:14: a value of type `struct point` is given where `int *` is expected
// error: 23:16: a value of type `int` is given where `struct point` is expected
// error: 24:24: a value of type `struct point` is given where `int` is expected
// error: 29:3: `struct fm_closed` may be thrown here and is neither caught nor declared
// error: 33:3: only async code can call an async function like this
// error: 33:3: `struct fm_closed` may be thrown here and is neither caught nor declared
