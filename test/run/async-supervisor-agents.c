// Agents under a supervisor, after OTP's gen_server cases: a call to a server that crashes fails at
// once with its error, a call while it is down waits for its restart, a call to one that has ended
// for good fails at once; a significant child ends the supervisor; delays.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>

typedef fm_reply(int) int_reply;
struct request { int n; int_reply *reply; };
typedef fm_agent(struct request) server;
struct crash { int n; };
static server one, two;
static fm_supervisor s;
static int heard;

static void hear(const fm_error *e, void *arg) {
  (void)e, (void)arg;
  heard++;
}

static async void serve(void *self, void *arg) throws(struct crash) {
  for (server *me = self;;) {
    struct request r = fm_receive(me);
    if (r.n < 0)
      throw (struct crash){ r.n };
    if (r.n == 0)
      return;
    fm_answer(r.reply, r.n * *(int *)arg);
  }
}

static async void ask(server *who, int n) {
  uint64_t start = fm_now();
  try {
    printf("%d", fm_ask(who, (struct request){ .n = n }, reply, 1000));
  } catch (struct fm_gone e) {
    printf("gone: %s", e.error ? e.error : "-");
  } catch (struct fm_timeout e) {
    printf("timeout");
  }
  printf(" after %u\n", (unsigned)((fm_now() - start) / 1000000));
}

static async void idle(void *arg) {
  fm_sleep(*(uint64_t *)arg);
}

static async void serve_and_ask(void) throws(struct fm_gave_up) {
  int ten = 10, hundred = 100;
  fm_child first = fm_agent_child(&one, serve, &ten);
  first.name = "one";
  fm_child second = fm_agent_child(&two, serve, &hundred);
  second.name = "two";
  second.keep = FM_TRANSIENT;
  fm_supervisor_init(&s, FM_ONE_FOR_ONE,
                     (struct fm_restart){ .times = 2, .delay_ms = 20, .on_error = hear });
  fm_supervisor_add(&s, first);
  fm_supervisor_add(&s, second);
  auto t = spawn fm_supervisor_run(&s);
  ask(&one, 3);  // expect: 30 after 0
  ask(&one, -1); // expect: gone: crash after 0
  ask(&one, 4);  // expect: 40 after 20
  ask(&two, 5);  // expect: 500 after 0
  ask(&two, 0);  // expect: gone: - after 0
  ask(&two, 6);  // expect: gone: - after 0
  fm_post(&one, (struct request){ .n = -1 });
  ask(&one, 7); // expect: 70 after 20
  fm_post(&one, (struct request){ .n = -1 }); // one too many
  try {
    await t;
  } catch (struct fm_gave_up e) {
    printf("gave up on %s, %d errors\n", e.child, heard); // expect: gave up on one, 3 errors
  }
  ask(&one, 8); // expect: gone: crash after 0
  fm_supervisor_free(&s);
}

static async void significant(void) throws(struct fm_gave_up) {
  uint64_t shorter = 50, longer = 5000, start = fm_now();
  fm_supervisor_init(&s, FM_ONE_FOR_ONE, (struct fm_restart){ .times = 2 });
  fm_supervisor_add(&s, (fm_child){ .name = "x", .body = idle, .arg = &longer });
  fm_supervisor_add(&s, (fm_child){
    .name = "y", .body = idle, .arg = &shorter, .keep = FM_TRANSIENT, .significant = true });
  fm_supervisor_run(&s);
  printf("ended at %u\n", (unsigned)((fm_now() - start) / 1000000)); // expect: ended at 50
  fm_supervisor_free(&s);
}

static async void stays(void) throws(struct fm_gave_up) {
  uint64_t ms = 5;
  fm_supervisor_init(&s, FM_ONE_FOR_ONE, (struct fm_restart){ 0 });
  fm_supervisor_stays(&s, true);
  auto t = spawn now fm_supervisor_run(&s);
  fm_sleep(10);
  fm_supervisor_add(&s, (fm_child){ .name = "z", .body = idle, .arg = &ms, .keep = FM_TEMPORARY });
  printf("%zu\n", fm_supervisor_count(&s)); // expect: 1
  fm_sleep(10);
  printf("%zu\n", fm_supervisor_count(&s)); // expect: 0
  fm_supervisor_stays(&s, false);
  await t;
  fm_supervisor_free(&s);
}

async int main(void) {
  fm_agent_init(&one);
  fm_agent_init(&two);
  try {
    serve_and_ask();
    significant();
    stays();
  } catch (struct fm_gave_up e) {
    printf("no: %s\n", e.child);
  }
  fm_agent_free(&one);
  fm_agent_free(&two);
  return 0;
}
