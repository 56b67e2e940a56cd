// agent.c: an agent that adds numbers, and can be switched off and on: the state machine of "The F# Asynchronous Programming Model"
// (paper 001, §4.2).
//
// Each state is a function, and the agent is in the state whose function runs. Going to the next state is `return next(…)`, which takes
// no space however often it is done. Whoever wants the number asks for it, and waits for the answer.
//   fmcc -O2 -o agent agent.c && ./agent
#include <fermata.h>
#include <fermata/agent.h>

typedef fm_reply(int) int_reply;
typedef struct Message {
  enum { TOGGLE, ADD, GET, STOP } what;
  int n;                                          // of ADD
  int_reply *reply;                               // of GET
} Message;
typedef fm_agent(Message) Adder;

static async void inactive(Adder *self, int n);

static async void active(Adder *self, int n) {
  printf("active %d\n", n);
  Message m = fm_receive(self);
  switch (m.what) {
  case TOGGLE: return inactive(self, n);
  case ADD: return active(self, n + m.n);
  case GET: fm_answer(m.reply, n); return active(self, n);
  case STOP: return;
  }
}

static async void inactive(Adder *self, int n) {
  printf("inactive %d\n", n);
  Message m = fm_receive(self);
  switch (m.what) {
  case TOGGLE: return active(self, n);
  case ADD: return inactive(self, n);
  case GET: fm_answer(m.reply, n); return inactive(self, n);
  case STOP: return;
  }
}

static async void begin(void *self, void *unused) {
  (void)unused;
  return active(self, 0);
}

async int main(void) {
  Adder adder;
  fm_agent_init(&adder);
  auto t = fm_agent_start(&adder, begin, NULL, 0);
  fm_post(&adder, (Message){ .what = ADD, .n = 10 });
  fm_post(&adder, (Message){ .what = TOGGLE });
  fm_post(&adder, (Message){ .what = ADD, .n = 20 }); // ignored: it is inactive
  fm_post(&adder, (Message){ .what = TOGGLE });
  fm_post(&adder, (Message){ .what = ADD, .n = 30 });
  try {
    printf("got %d\n", fm_ask(&adder, (Message){ .what = GET }, reply, 1000));
    fm_post(&adder, (Message){ .what = STOP });
    await t;
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  fm_agent_free(&adder);
  return 0;
}
// output: active 0
// output: active 10
// output: inactive 10
// output: inactive 10
// output: active 10
// output: active 40
// output: active 40
// output: got 40
