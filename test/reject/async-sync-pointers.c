#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>

struct point { int x, y; };
typedef fm_chan(struct point *) point_chan;
typedef fm_chan(int) int_chan;
typedef fm_mvar(const char *) text_var;
typedef fm_event(void *) any_event;
typedef fm_mailbox(long *) box;

async void f(point_chan *c, int_chan *n, text_var *t, any_event *e, box *b) throws(struct fm_closed) {
  int i = 1;
  char text[] = "text";
  struct point p = { 1, 2 };
  fm_send(c, &p);
  fm_send(c, NULL);
  fm_send(c, &i);
  fm_send(c, i);
  fm_send(n, &p);
  fm_put(t, text);
  fm_put(t, &i);
  fm_emit(e, &p);
  fm_post(b, &i);
  char *s = fm_recv(c);
  struct point *q = fm_recv(c);
  void *any = fm_recv(c);
  i = fm_recv(c);
  q = fm_take(t);
  fm_try_recv(n, &p);
  (void)s, (void)any, (void)q;
}

void plain(point_chan *c, box *b, int i, long n) {
  fm_try_send(c, &i);
  fm_post(b, &n);
  fm_post(b, &i);
}
// error: 18:14: a value of type `int *` is given where `struct point *` is expected
// error: 19:14: a value of type `int` is given where `struct point *` is expected
// error: 20:14: a value of type `struct point *` is given where `int` is expected
// error: 22:13: a value of type `int *` is given where `const char *` is expected
// error: 24:14: a value of type `int *` is given where `long *` is expected
// error: 25:20: a value of type `struct point *` is given where `char *` is expected
// error: 28:14: a value of type `struct point *` is given where `int` is expected
// error: 29:14: a value of type `const char *` is given where `struct point *` is expected
// error: 30:18: a value of type `struct point *` is given where `int *` is expected
// error: 35:18: a value of type `int *` is given where `struct point *` is expected
// error: 37:14: a value of type `int *` is given where `long *` is expected
