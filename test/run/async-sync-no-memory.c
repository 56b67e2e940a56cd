// Whichever allocation fails in a program that uses all of sync.h and agent.h, races, scopes, deadlines: it ends with status 1 and says of what
// it had no memory.
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
// flags: -pthread
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- the heap ----
static _Atomic int calls;
static int fail_at;                               // the number of the call that fails; 0: none

static void *counting(void *unused, void *p, size_t n) {
  (void)unused;
  if (n && ++calls == fail_at)
    return NULL;
  if (n)
    return realloc(p, n);
  free(p);
  return NULL;
}

// ---- what allocates ----
typedef struct { uint64_t n[40]; } large;
typedef fm_chan(large) large_chan;
typedef fm_chan(int) int_chan;
typedef fm_mvar(int) int_var;
typedef fm_event(int) int_event;
typedef fm_mailbox(large) large_box;
typedef fm_reply(large) large_reply;
struct request { int n; large_reply *reply; };
typedef fm_agent(struct request) server;
struct bad { int n; };

static fm_sem sem;
static fm_mutex mutex;
static fm_cond cond;
static fm_wait_group group;
static fm_once once;
static int_var var;
static int_event event;
static large_box box;
static int_chan numbers;

static async void set_up(void *unused) {
  (void)unused;
  yield;
}

static async void wait_for_all(int i) {
  switch (i) {
  case 0: fm_sem_wait(&sem); break;
  case 1: fm_lock(&mutex), fm_cond_wait(&cond, &mutex), fm_unlock(&mutex); break;
  case 2: fm_wait_group_wait(&group); break;
  case 3: case 4: fm_call_once(&once, set_up, NULL); break;
  case 5: fm_take(&var); break;
  case 6: fm_next(&event); break;
  }
}

static async void waits(void) {
  enum { N = 7 };
  task(void) t[N];
  fm_wait_group_add(&group, 1);
  for (int i = 0; i < N; i++)
    t[i] = spawn wait_for_all(i);
  yield;
  yield;
  fm_sem_post(&sem);
  fm_cond_signal(&cond);
  fm_wait_group_done(&group);
  fm_put(&var, 1);
  fm_emit(&event, 1);
  fm_all(t, N);
  for (int i = 0; i < N; i++)
    await t[i];
}

static async void recv_one(void) throws(struct fm_closed) { fm_recv(&numbers); }

static async void channels(void) throws(struct fm_closed) {
  large_chan c;
  size_t sent;
  int some[3] = { 1, 2, 3 }, v;
  fm_chan_init(&c, FM_UNBOUNDED);
  for (int i = 0; i < 20; i++)
    fm_send(&c, (large){ { 0 } });
  fm_recv(&c);
  fm_chan_free(&c);
  fm_chan_init(&numbers, 1);
  auto t = spawn recv_one();
  auto u = spawn recv_one();
  yield;
  fm_send_n(&numbers, some, 3, &sent);
  await t;
  await u;
  race {
  case v = fm_recv(&numbers): (void)v;
  case fm_sleep(1): break;
  }
  scope(s) {
    fm_cancel_after(s, 1);
    fm_recv(&numbers);
  }
  auto w = spawn recv_one();
  yield;
  fm_pause(fm_id(w));
  fm_chan_close(&numbers);
  fm_resume(fm_id(w));
  try {
    await w;
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static void *post(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++)
    fm_post(&box, (large){ { 0 } });
  return NULL;
}

static async void serve(void *self, void *unused) throws(struct bad) {
  (void)unused;
  for (server *s = self;;) {
    struct request r = fm_receive(s);
    if (r.n == 0)
      return;
    if (r.n > 0)
      fm_answer(r.reply, (large){ { (uint64_t)r.n } });
    else if (r.n == -1)
      throw (struct bad){ 0 };
  }
}

static async void agents(void) throws(fm_error) {
  server s;
  pthread_t t;
  fm_mailbox_init(&box);
  if (pthread_create(&t, NULL, post, NULL))
    abort();
  for (int i = 0; i < 3; i++)
    fm_receive(&box);
  pthread_join(t, NULL);
  fm_mailbox_free(&box);
  fm_agent_init(&s);
  auto a = fm_agent_start(&s, serve, NULL, 1);
  fm_post(&s, ((struct request){ .n = -1 }));
  fm_ask(&s, ((struct request){ .n = 3 }), reply, FM_NO_LIMIT);
  fm_ask(&s, ((struct request){ .n = 3 }), reply, 5);
  try {
    fm_ask(&s, ((struct request){ .n = -2 }), reply, 5);
  } catch (struct fm_timeout e) {
    (void)e;
  } catch (struct fm_gone e) {
    (void)e;
  }
  fm_post(&s, ((struct request){ .n = 0 }));
  await a;
  fm_agent_free(&s);
}

static async void everything(void) {
  fm_sem_init(&sem, 0);
  fm_mvar_init(&var);
  fm_event_init(&event);
  waits();
  try {
    channels();
    agents();
  } catch (fm_error *e) {
    fm_error_print(e, stderr);
  }
}

static void heard(const fm_error *e, fm_activity a, void *unused) { // the error that restarts the agent
  (void)e, (void)a, (void)unused;
}

// All that comes until the other end is closed.
static void read_all(int fd, char *to, size_t size) {
  size_t have = 0;
  ssize_t n;
  while (have < size - 1 && (n = read(fd, to + have, size - 1 - have)) > 0)
    have += (size_t)n;
  to[have] = 0;
}

// ---- one failure after the other, each in a process of its own ----
static int attempt(int at, int *made, char *err, size_t size) {
  int words[2], numbers_[2], status;
  if (pipe(words) || pipe(numbers_))
    abort();
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(words[1], STDERR_FILENO);
    fail_at = at;
    fm_on_error(heard, NULL);
    run everything();
    int c = calls;
    if (write(numbers_[1], &c, sizeof c) < 0)
      abort();
    exit(0);
  }
  close(words[1]);
  close(numbers_[1]);
  read_all(words[0], err, size);
  if (read(numbers_[0], made, sizeof *made) != sizeof *made)
    *made = 0;
  waitpid(child, &status, 0);
  close(words[0]);
  close(numbers_[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void) {
  char err[4096];
  int made = 0, now, wrong = 0;
  fm_set_allocator(counting, NULL);
  printf("%d", attempt(0, &made, err, sizeof err));
  printf(" %s %s\n", err, made > 15 ? "many" : "few");     // expect: 0  many
  for (int i = 1; i <= made; i++) {
    int status = attempt(i, &now, err, sizeof err);
    if (status == 1 && strncmp(err, "fermata: ", 9) == 0 && strstr(err, "out of memory"))
      continue;
    if (status == 0 && now < i)                   // the other thread was quicker, or slower
      continue;
    printf("%d: status %d, %s\n", i, status, err);
    wrong++;
  }
  printf("wrong: %d\n", wrong);                           // expect: wrong: 0
  return 0;
}
