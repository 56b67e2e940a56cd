// fm_ask throws struct fm_gone as soon as no answer can come, and not before.
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>

typedef fm_reply(int) int_reply;
struct request { int n; int_reply *reply; };
typedef fm_agent(struct request) server;
struct crash { int n; };
enum { CRASH = -1, END = -2, KEEP = -3, CHILD = -4, SLOW = -5 };

static struct request kept;

static async void answers_later(struct request r) {
  fm_sleep(10);
  fm_answer(r.reply, 7);
}

static async void serve(void *self, void *arg) throws(struct crash) {
  (void)arg;
  for (server *s = self;;) {
    struct request r = fm_receive(s);
    switch (r.n) {
    case CRASH: throw (struct crash){ 1 };
    case END: return;
    case KEEP: kept = r; break;
    case CHILD: spawn answers_later(r); break;
    case SLOW: fm_sleep(50); break;
    default: fm_answer(r.reply, r.n);
    }
  }
}

static void quiet(const fm_error *e, fm_activity a, void *arg) {
  ++*(int *)arg;
  printf("handler: %s, alive: %d\n", fm_error_name(e), fm_alive(a));
}

static async void ask(server *s, const char *who, int n) {
  try {
    printf("%s: %d\n", who, fm_ask(s, (struct request){ .n = n }, reply, FM_NO_LIMIT));
  } catch (struct fm_gone e) {
    printf("%s: gone (%s)\n", who, e.error ? e.error : "ended");
  } catch (struct fm_timeout e) {
    (void)e;
    printf("%s: too late\n", who);
  }
}

static async void run_quietly(server *s, unsigned restarts) {
  try {
    fm_agent_run(s, serve, NULL, restarts);
    printf("the agent returned\n");
  } catch (fm_error *e) {
    printf("the agent threw %s\n", fm_error_name(e));
  }
}

static async void crashes(void) {
  server s;
  fm_agent_init(&s);
  scope(all) {
    spawn ask(&s, "early", 3);                    // before it has begun
    yield;
    spawn run_quietly(&s, 1);
    yield;
    yield;                                        // expect: early: 3
    spawn ask(&s, "kept", KEEP);
    spawn ask(&s, "first", CRASH);
    spawn ask(&s, "second", 4);                   // it lies unread, and waits for the restart
    fm_sleep(1);
    // expect: handler: crash, alive: 1
    // expect: kept: gone (crash)
    // expect: first: gone (crash)
    // expect: second: 4
    printf("late: %d\n", fm_answer(kept.reply, 1)); // expect: late: 0
    spawn ask(&s, "child", CHILD);
    fm_sleep(20);                                 // expect: child: 7
    spawn ask(&s, "child", CHILD);
    spawn ask(&s, "third", CRASH);                // no more restarts
    spawn ask(&s, "unread", 5);
    fm_sleep(1);
    // expect: the agent threw crash
    // expect: child: gone (crash)
    // expect: third: gone (crash)
    // expect: unread: gone (crash)
    ask(&s, "afterwards", 6);                     // expect: afterwards: gone (crash)
  }
  fm_agent_free(&s);
}

static async void ends(void) {
  server s;
  fm_agent_init(&s);
  scope(all) {
    spawn run_quietly(&s, 0);
    yield;
    spawn ask(&s, "kept", KEEP);
    spawn ask(&s, "end", END);
    spawn ask(&s, "unread", 1);
    fm_sleep(1);
    // expect: the agent returned
    // expect: kept: gone (ended)
    // expect: end: gone (ended)
    // expect: unread: gone (ended)
    ask(&s, "afterwards", 6);                     // expect: afterwards: gone (ended)
    auto t = spawn run_quietly(&s, 0);            // it begins with what lies there
    yield;
    ask(&s, "again", 8);                          // expect: again: 8
    spawn ask(&s, "slow", SLOW);
    spawn ask(&s, "unread", 2);
    fm_sleep(1);
    fm_cancel(fm_id(t));
    fm_join(fm_id(t));
    fm_detach(t);
    yield;
    // expect: slow: gone (ended)
    // expect: unread: gone (ended)
  }
  fm_agent_free(&s);
}

// Two agents on one mailbox: what one of them has received the failure of the other does not touch.
static async void two(void) {
  server s;
  fm_agent_init(&s);
  scope(all) {
    spawn run_quietly(&s, 0);
    spawn run_quietly(&s, 0);
    yield;
    spawn ask(&s, "by a child", CHILD);
    spawn ask(&s, "crash", CRASH);
    fm_sleep(20);
    // expect: the agent threw crash
    // expect: crash: gone (crash)
    // expect: by a child: 7
    ask(&s, "the other", 9);                      // expect: the other: 9
    ask(&s, "end", END);
    // expect: the agent returned
    // expect: end: gone (ended)
  }
  fm_agent_free(&s);
}

// A mailbox that is freed with a question in it, and one of which someone may still answer.
static async void freed(void) {
  server s;
  fm_agent_init(&s);
  scope(all) {
    spawn ask(&s, "received", 1);
    spawn ask(&s, "not received", 2);
    yield;
    struct request r = fm_receive(&s);
    fm_agent_free(&s);
    fm_sleep(1);                                  // expect: not received: gone (ended)
    printf("%d\n", fm_answer(r.reply, 5));        // expect: 1
  }                                               // expect: received: 5
}

// Whoever gave up is not waited for; the answer finds no one.
static async void gives_up(void) {
  server s;
  fm_agent_init(&s);
  scope(all) {
    auto t = spawn run_quietly(&s, 0);
    try {
      fm_ask(&s, (struct request){ .n = KEEP }, reply, 5);
    } catch (struct fm_timeout e) {
      printf("after %d ms\n", (int)e.ms);         // expect: after 5 ms
    } catch (struct fm_gone e) {
      (void)e;
    }
    fm_cancel(fm_id(t));
    fm_join(fm_id(t));
    fm_detach(t);
  }
  printf("%d\n", fm_answer(kept.reply, 1));       // expect: 0
  fm_agent_free(&s);
}

async int main(void) {
  int handled = 0;
  fm_on_error(quiet, &handled);
  crashes();
  ends();
  two();
  freed();
  gives_up();
  printf("%d\n", handled);                        // expect: 1
  return 0;
}
