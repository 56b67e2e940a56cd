// stress: asking an agent, against the model of model.h: messages come in order and none is lost, whatever becomes of the agent; an answer
// goes to who still waits for it; without one the time limit ends the wait at its very time. The agent throws and is started again, is
// cancelled and started anew, is paused; answers come at once, later, from others, too late, never. What it has received when it throws,
// and all when it ends, is gone at once; so is what is asked before it is started anew.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/agent.h>

typedef fm_reply(uint64_t) reply;
struct request { uint64_t number; int way; reply *reply; };
typedef fm_agent(struct request) server;
struct bad { uint64_t number; };
enum { AT_ONCE, SOON, BY_OTHERS, NEVER, THEN_THROWS, WAYS, NOTE }; // what the agent does; NOTE: there is no reply

static server agent;
static uint64_t posted, received;                 // numbers of the last one
static unsigned thrown;                           // how often it was
static int never;                                 // how many were not answered: their memory is kept
static uint64_t failed;                           // up to that number no answer counts
static bool over_there;                           // the agent has ended
enum { GONE = 0 };                                // in place of an answer

// ---- the model: who waits for the answer to which number ----
static Line waiting;
static uint64_t answer_to(uint64_t number) { return number * 7 + 1; }

static void answer(struct request r) {
  settle();
  for (Wait *w = waiting.first; w; w = w->next)
    if (w->value == r.number) {
      serve(w, answer_to(r.number));
      break;
    }
  CHECK(fm_answer(r.reply, answer_to(r.number)) == (r.number > failed), "fm_answer: whether it counts");
}

static void fail_up_to(uint64_t number) {
  settle();
  for (Wait *w = waiting.first, *next; w; w = next) {
    next = w->next;
    if (w->value <= number)
      serve(w, GONE);
  }
  if (failed < number)
    failed = number;
}

// ---- those that others answer, first come, first served ----
enum { KEPT = 64 };
static struct request kept[KEPT];
static unsigned first_kept, end_kept;

static void answer_kept(void) {
  if (first_kept != end_kept)
    answer(kept[first_kept++ % KEPT]);
}

static void keep(struct request r) {
  if (end_kept - first_kept == KEPT)
    answer_kept();
  kept[end_kept++ % KEPT] = r;
}

// ---- the agent ----
static async void serve_all(void *self, void *arg) throws(struct bad) {
  bool throws = false;
  (void)arg;
  defer if (throws) fail_up_to(received);
  for (server *s = self;;) {
    struct request r = fm_receive(s);
    CHECK(r.number == ++received, "a message is lost, or comes twice, or out of order");
    bool answered = r.way == NEVER || r.way == NOTE;
    defer if (!answered) answer(r);               // so that no memory is kept, also when it is cancelled
    if (r.way == SOON)
      rest();
    if (r.way == BY_OTHERS) {
      keep(r);
      answered = true;
    }
    if (r.way == THEN_THROWS || (r.way == NOTE && !draw(4))) {
      thrown++;
      throws = true;
      throw (struct bad){ r.number };
    }
  }
}

static fm_activity runs;
static bool agent_paused;

static async void run_agent(void) {
  over_there = false;
  defer {
    over_there = true;
    fail_up_to(posted);
  }
  try {
    fm_agent_run(&agent, serve_all, NULL, FM_ALWAYS);
  } catch (fm_error *e) {
    (void)e;
    CHECK(false, "it throws, and is not started again");
  }
}

static void start_agent(void) {
  auto t = spawn detached run_agent();
  runs = fm_id(t);
  agent_paused = false;
  fm_detach(t);
}

static void disturb_agent(void) {
  CHECK(fm_agent_restarts(&agent) <= thrown, "how often it was started again");
  if (!fm_alive(runs))
    start_agent();
  else if (!draw(8))
    fm_cancel(runs);
  else if ((agent_paused = !agent_paused))
    fm_pause(runs);
  else
    fm_resume(runs);
}

// ---- actors ----
static void begin_ask(Actor *a, int way, unsigned ms) {
  begin(a);
  a->alarm = ms ? timer_in(ms, &a->alarm_set) : FOREVER;
  wait_in(a, 0, &waiting, ++posted);
  never += way == NEVER;
}

static async void ask_no_one(void) {
  try {
    fm_ask(&agent, (struct request){ 0 }, reply, draw(2) ? 1 : FM_NO_LIMIT);
    CHECK(false, "an answer of no one");
  } catch (struct fm_gone e) {
    CHECK(!e.error || thrown, "what it has thrown last");
  } catch (struct fm_timeout e) {
    CHECK(!e.ms, "it is told at once");
  }
}

static async void ask(Actor *a) {
  int way = (int)draw(WAYS);
  unsigned ms = draw(4);
  uint64_t v;
  if (way == NEVER && never >= 500)
    way = BY_OTHERS;
  if (over_there) {
    ask_no_one();
    return;
  }
  defer over(a);
  begin_ask(a, way, ms);
  try {
    v = fm_ask(&agent, ((struct request){ .number = posted, .way = way }), reply, ms ? ms : FM_NO_LIMIT);
    ended(a, 0, v);
  } catch (struct fm_timeout e) {
    CHECK(e.ms == ms, "another limit");
    ended(a, ALARM, 0);
  } catch (struct fm_gone e) {
    CHECK(!e.error || thrown, "what it has thrown last");
    ended(a, 0, GONE);
  }
}

static async void step(Actor *a) {
  switch (draw(6)) {
  case 0: case 1: case 2: ask(a); break;
  case 3: settle(); fm_post(&agent, ((struct request){ .number = ++posted, .way = NOTE })); break;
  case 4: answer_kept(); break;
  default: disturb_agent(); break;
  }
}

static async void play(void) {
  fm_agent_init(&agent);
  start_agent();
  drive();
  while (first_kept != end_kept)
    answer_kept();
  fm_cancel(runs);
  fm_join(runs);                                  // a message that it has been given is the next one
  start_agent();
  fm_sleep(1000);
  CHECK(received == posted && !waiting.first, "what is left");
  while (first_kept != end_kept)
    answer_kept();
  fm_cancel(runs);
  fm_sleep(1);
  CHECK(fm_agent_restarts(&agent) > 0 && !fm_alive(runs), "how it ends");
  fm_agent_free(&agent);
}
