// The value that is sent, put, posted, emitted or answered is written as an initialiser: commas in braces need no parentheses.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>

struct point { int x, y; };
typedef fm_chan(struct point) points;
typedef fm_mvar(struct point) place;
typedef fm_event(struct point) clicks;
typedef fm_mailbox(struct point) box;
typedef fm_reply(struct point) answer;

static clicks e;
static async void click(void) {
  struct point p = fm_next(&e);
  printf("%d %d\n", p.x, p.y);
}

static async void use(void) throws(struct fm_closed) {
  points c;
  place m;
  box b;
  answer a;
  struct point p, *q = &p;
  fm_chan_init(&c, 4);
  fm_send(&c, (struct point){ 1, 2 });
  fm_send(&c, { 3, .y = 4 });
  printf("%d\n", fm_try_send(&c, { .x = 5, .y = 6 }));   // expect: 1
  fm_recv(&c);
  p = fm_recv(&c);
  printf("%d %d\n", p.x, p.y);                           // expect: 3 4
  fm_try_recv(&c, q);             // and what is not looked at draws no warning
  printf("%d %d\n", p.x, p.y);                           // expect: 5 6
  fm_send(&c, *q = (struct point){ 7, 8 });
  printf("%d %d\n", p.x, fm_recv(&c).y);                 // expect: 7 8
  fm_mvar_init(&m);
  fm_put(&m, { 9, 10 });
  printf("%d\n", fm_try_put(&m, { 0, 0 }));            // expect: 0
  printf("%d\n", fm_take(&m).y);                       // expect: 10
  fm_mailbox_init(&b);
  fm_post(&b, { 11, 12 });
  printf("%d\n", fm_receive(&b).x);                      // expect: 11
  fm_reply_init(&a);
  fm_answer(&a, { 13, 14 });
  printf("%d\n", fm_reply_wait(&a).y);                   // expect: 14
  fm_event_init(&e);
  spawn click();
  yield;
  fm_emit(&e, { 15, 16 });
  yield;                                                 // expect: 15 16
  fm_send_n(&c, q, 1, NULL);
  fm_try_send(&c, { 17, 18 });
  fm_try_put(&m, { 19, 20 });
  fm_try_take(&m, q);
  fm_try_receive(&b, q);
  printf("%d\n", p.y);                                  // expect: 20
  fm_mailbox_free(&b);
  fm_chan_free(&c);
}

async int main(void) {
  try {
    use();
  } catch (struct fm_closed closed) {
    (void)closed;
  }
  return 0;
}
