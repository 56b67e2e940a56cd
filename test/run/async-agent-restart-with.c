// fm_agent_start_with: so many restarts within a period, delays that grow and begin anew, a
// callback that sees every error; questions wait during the delay.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>

typedef fm_reply(int) int_reply;
struct request { int n; int_reply *reply; };
typedef fm_agent(struct request) server;
struct crash { int n; };
static uint64_t start;
static int heard;

static unsigned now(void) {
  return (unsigned)((fm_now() - start) / 1000000);
}

static void hear(const fm_error *e, void *arg) {
  (void)arg;
  heard++;
  printf("%s %d at %u\n", fm_error_name(e), ((const struct crash *)fm_error_value(e))->n, now());
}

static async void serve(void *self, void *arg) throws(struct crash) {
  (void)arg;
  for (server *s = self;;) {
    struct request r = fm_receive(s);
    if (r.n < 0)
      throw (struct crash){ r.n };
    fm_answer(r.reply, r.n * r.n);
  }
}

static async void fail(void *self, void *arg) throws(struct crash) {
  (void)self;
  fm_sleep(*(uint64_t *)arg);
  throw (struct crash){ 1 };
}

static async void period(void) {
  server s;
  fm_agent_init(&s);
  start = fm_now();
  try {
    auto t = fm_agent_start_with(&s, serve, NULL, (struct fm_restart){
      .times = 2, .within_ms = 100, .on_error = hear });
    for (int i = 0; i < 4; i++) {
      fm_post(&s, (struct request){ .n = -1 - i });
      fm_sleep(60);
    }
    // expect: crash -1 at 0
    // expect: crash -2 at 60
    // expect: crash -3 at 120
    // expect: crash -4 at 180
    printf("%d restarts %u\n", heard, fm_agent_restarts(&s)); // expect: 4 restarts 4
    for (int i = 0; i < 3; i++)
      fm_post(&s, (struct request){ .n = -9 });
    // expect: crash -9 at 240
    // expect: crash -9 at 240
    await t; // the last one within the period is one too many
  } catch (struct crash e) {
    printf("thrown %d at %u\n", e.n, now()); // expect: thrown -9 at 240
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  try {
    fm_ask(&s, (struct request){ .n = 2 }, reply, FM_NO_LIMIT);
  } catch (struct fm_gone e) {
    printf("gone %s\n", e.error); // expect: gone crash
  } catch (struct fm_timeout e) {
    printf("late\n");
  }
  fm_agent_free(&s);
}

static async void delays(void) {
  server s;
  uint64_t life = 0;
  fm_agent_init(&s);
  start = fm_now();
  scope (all) {
    auto t = fm_agent_start_with(&s, fail, &life, (struct fm_restart){
      .times = -1, .within_ms = 1000, .delay_ms = 10, .max_delay_ms = 50, .on_error = hear });
    fm_sleep(150);
    // expect: crash 1 at 0
    // expect: crash 1 at 10
    // expect: crash 1 at 30
    // expect: crash 1 at 70
    // expect: crash 1 at 120
    life = 2000; // from the next start on
    fm_sleep(2100);
    // expect: crash 1 at 2170
    life = 0;
    fm_cancel(all);
    fm_detach(t);
  } else {
    printf("stopped at %u\n", now()); // expect: stopped at 2250
  }
  fm_agent_free(&s);
}

static async void question_waits(void) {
  server s;
  fm_agent_init(&s);
  start = fm_now();
  scope (all) {
    auto t = fm_agent_start_with(&s, serve, NULL, (struct fm_restart){
      .times = 1, .delay_ms = 30, .on_error = hear });
    fm_post(&s, (struct request){ .n = -5 });
    try {
      printf("%d at %u\n", fm_ask(&s, (struct request){ .n = 4 }, reply, 1000), now());
    } catch (fm_error *e) {
      fm_error_print(e, stdout);
    }
    // expect: crash -5 at 0
    // expect: 16 at 30
    fm_cancel(all);
    fm_detach(t);
  }
  fm_agent_free(&s);
}

async int main(void) {
  try {
    period();
    delays();
    question_waits();
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  return 0;
}
