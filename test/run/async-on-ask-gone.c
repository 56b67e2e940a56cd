// struct fm_gone across domains: the agent fails or ends, or the domain of who would receive does.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>
#include <fermata/time.h>

typedef fm_reply(int) int_reply;
struct request { int n; int_reply *reply; };
typedef fm_agent(struct request) server;
typedef fm_mailbox(struct request) box;
struct crash { int n; };

static async void serve(void *self, void *arg) throws(struct crash) {
  (void)arg;
  for (server *s = self;;) {
    struct request r = fm_receive(s);
    if (r.n == -1) throw (struct crash){ 1 };
    if (r.n == -2) return;
    fm_answer(r.reply, r.n);
  }
}

static int restarts;
static void counts(const fm_error *e, fm_activity a, void *arg) {
  (void)e, (void)a, (void)arg;
  restarts++;
}

static async int ask(server *s, int n) {           // -1: gone, by an error; -2: gone otherwise
  try {
    return fm_ask(s, (struct request){ .n = n }, reply, FM_NO_LIMIT);
  } catch (struct fm_gone e) {
    return e.error ? -1 : -2;
  } catch (struct fm_timeout e) {
    (void)e;
  }
  return -3;
}

// ---- many askers elsewhere, an agent here that crashes now and then ----
enum { ASKERS = 8, EACH = 200 };

static async int asks(server *s, int id) {
  int wrong = 0;
  for (int i = 0; i < EACH; i++) {
    int n = i % 10 == id ? -1 : i, v = ask(s, n);
    wrong += v != n;
  }
  return wrong;
}

static async void from_elsewhere(fm_pool *p) {
  server s;
  int wrong = 0;
  fm_agent_init(&s);
  try {
    auto t = fm_agent_start(&s, serve, NULL, FM_ALWAYS);
    task(int) a[ASKERS];
    for (int i = 0; i < ASKERS; i++)
      a[i] = spawn on(p) asks(&s, i);
    for (int i = 0; i < ASKERS; i++)
      wrong += await a[i];
    printf("wrong: %d\n", wrong);                 // expect: wrong: 0
    printf("%d restarts\n", restarts);            // expect: 160 restarts
    auto end = spawn on(p) ask(&s, -2);
    printf("%d\n", await end);                    // expect: -2
    await t;
    auto late = spawn on(p) ask(&s, 1);
    printf("%d\n", await late);                   // expect: -2
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  fm_agent_free(&s);
}

// ---- a domain that receives, does not answer, and ends ----
static box m;
static async void receives(void) {
  fm_receive(&m);
}

static async int ask_box(int n) {
  try {
    return fm_ask(&m, (struct request){ .n = n }, reply, FM_NO_LIMIT);
  } catch (struct fm_gone e) {
    return -2;
  } catch (struct fm_timeout e) {
    (void)e;
  }
  return -3;
}

static async void its_end(void) {
  fm_pool *p = fm_pool_new(1);
  fm_mailbox_init(&m);
  auto r = spawn on(p) receives();
  auto first = spawn ask_box(1);
  auto second = spawn ask_box(2);
  await r;
  fm_pool_free(p);
  printf("%d %d\n", await first, await second);   // expect: -2 -2
  printf("%d\n", ask_box(3));                     // expect: -2
}

// ---- an agent elsewhere ----
static server away;
static async void serve_away(void) throws(fm_error) {
  fm_on_error(counts, NULL);
  fm_agent_run(&away, serve, NULL, 1);
  fm_on_error(NULL, NULL);
}

static async void elsewhere(fm_pool *p) {
  fm_agent_init(&away);
  auto t = spawn on(p) serve_away();
  printf("%d %d\n", ask(&away, 5), ask(&away, -1)); // expect: 5 -1
  auto last = spawn ask(&away, -1);
  try {
    await t;
  } catch (fm_error *e) {
    printf("%s\n", fm_error_name(e));             // expect: crash
  }
  printf("%d %d\n", await last, ask(&away, 6));   // expect: -1 -1
}

async int main(void) {
  fm_pool *p = fm_pool_new(2);
  fm_on_error(counts, NULL);
  from_elsewhere(p);
  its_end();
  elsewhere(p);
  fm_pool_free(p);
  return 0;
}
