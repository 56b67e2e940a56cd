// prelude.h: what the programs of a batch share. Each program runs in a process of its own, so they
// share their variables. `batch` reads lines `PROGRAM SCHED TICK`, and prints for each
// `PROGRAM SCHED TICK STATUS place:value...`.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct e0 {
  int code;
};
struct e1 {
  int code;
};
typedef fm_chan(int) int_chan;

enum { MAX_TOKENS = 1000, SECONDS = 10 };
static struct {
  int count;
  struct {
    int place, value;
  } token[MAX_TOKENS];
} *trace;

static int g[3];
static task(int) throws(fm_error) t[4];
static bool h[4];
static fm_activity id[4];
static job(int) throws(fm_error) j[2];
static int has_job[2]; // its function; a function uses jobs of later ones only
static int_chan c[3];
static fm_sem s[2];

// Noipa: fmcc and the C compiler know nothing of it.
__attribute__((noinline)) void put(int place, int value);
void put(int place, int value) {
  if (trace->count < MAX_TOKENS) {
    trace->token[trace->count].place = place;
    trace->token[trace->count].value = value;
    trace->count++;
  }
}

static void put_job(int k, int function, job(int) throws(fm_error) it) {
  if (has_job[k])
    fm_job_free(j[k]);
  has_job[k] = function;
  j[k] = it;
}

static inline int wrap(int v) {
  return v % 1000;
}

// As an arm of a race it is one wait; as a statement it has the automatic yields around its call.
#pragma fermata auto_yield off
static inline async void sleep_for(int ms) {
  if (ms < 0)
    ms = 0;
  fm_sleep((uint64_t)ms);
}
#pragma fermata auto_yield calls

// A time that has come already is met at one of the next turns, not at a certain one.
static void cancel_after(fm_activity a, int ms) {
  fm_cancel_after(a, ms < 1 ? 1 : (uint64_t)ms);
}

static int now(void) {
  return (int)(fm_now() / 1000000);
}

static int code(const fm_error *e) {
  const char *name = fm_error_name(e);
  if (!strcmp(name, "e0"))
    return ((const struct e0 *)fm_error_value(e))->code;
  if (!strcmp(name, "e1"))
    return ((const struct e1 *)fm_error_value(e))->code;
  return !strcmp(name, "fm_closed") ? 97 : !strcmp(name, "fm_cancelled") ? 98
         : !strcmp(name, "fm_deadlock") ? 99 : 0;
}

// The error, and how many hang on it; see codes() in machine.c.
static bool shares;
static int codes(const fm_error *e) {
  int all = code(e);
  while (!shares && (e = fm_error_next(e)))
    all += 100;
  return wrap(all);
}

static void unwanted(const fm_error *e, fm_activity a, void *arg) {
  (void)a;
  (void)arg;
  put(903, codes(e));
}

// ---- completions: those that wait, first come, first served; those of 1 can be cancelled ----
enum { MAX_WAITING = 32 };
static fm_completion(int) *waiting[2][MAX_WAITING];
static int waits[2];

static fm_completion(int) *first_of(int k) {
  fm_completion(int) *first = waiting[k][0];
  if (!waits[k])
    return NULL;
  waits[k]--;
  memmove(&waiting[k][0], &waiting[k][1], sizeof waiting[k][0] * (size_t)waits[k]);
  return first;
}

static void forget(void *arg) {
  int i = 0;
  while (waiting[1][i] != arg)
    i++;
  waits[1]--;
  memmove(&waiting[1][i], &waiting[1][i + 1], sizeof waiting[1][0] * (size_t)(waits[1] - i));
}

asyncdirect static int direct0(fm_completion(int) *k) throws(struct e0) {
  waiting[0][waits[0]++] = k;
}

asyncdirect static int direct1(fm_completion(int) *k) throws(struct e0) {
  waiting[1][waits[1]++] = k;
  fm_on_cancel(k, forget, k);
}

static void complete(int k, int v) {
  fm_completion(int) *first = first_of(k);
  if (first)
    fm_complete(first, v);
}

static void fail(int k, int v) {
  fm_completion(int) *first = first_of(k);
  if (first)
    fm_fail(first, (struct e0){ v });
}

// ---- the batch ----
typedef async int body(int) throws(fm_error);
typedef struct program {
  body *f;
  int cap[3], permits[2];
  bool shares;
} program;

static async void root(body *f) {
  try {
    task(int) throws(fm_error) first = spawn f(0);
    int v = await first;
    put(900, v);
  } catch (fm_error *e) {
    put(901, codes(e));
  }
}

static void run_program(const program *p, const char *sched, const char *tick) {
  setenv("FERMATA_SCHED", sched, 1);
  setenv("FERMATA_TICK", tick, 1);
  setenv("FERMATA_DRIVER", "virtual", 1);
  const char *seconds = getenv("ORACLE_SECONDS");
  alarm(seconds ? (unsigned)atoi(seconds) : SECONDS);
  shares = p->shares;
  for (int i = 0; i < 3; i++)
    fm_chan_init(&c[i], (size_t)p->cap[i]);
  for (int i = 0; i < 2; i++)
    fm_sem_init(&s[i], (unsigned)p->permits[i]);
  fm_on_error(unwanted, NULL);
  run root(p->f);
  exit(0);
}

static void report(const char *line, int status) {
  int number = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (number == 1) // the program has ended with a message
    put(902, number);
  if (number == 128 + SIGALRM)
    put(904, 0);
  printf("%s %d", line, number);
  for (int i = 0; i < trace->count; i++)
    printf(" %d:%d", trace->token[i].place, trace->token[i].value);
  printf("\n");
}

// ---- programs that wait for ever ----
// Time is virtual: a process that sleeps, and has not switched for a moment, waits for a completion
// that no activity makes. With LeakSanitizer it may sleep at its end, while memory is looked at.
#if defined __SANITIZE_ADDRESS__
enum { LOOKS = 25 };
#elif defined __has_feature
enum { LOOKS = __has_feature(address_sanitizer) ? 25 : 2 };
#else
enum { LOOKS = 2 };
#endif
static long switches_of(pid_t child) {
  char name[40], text[2000];
  long sum = 0;
  snprintf(name, sizeof name, "/proc/%d/status", (int)child);
  FILE *f = fopen(name, "r");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  text[n] = 0;
  if (f)
    fclose(f);
  if (!strstr(text, "State:\tS"))
    return -1;
  for (char *at = text; (at = strstr(at, "voluntary_ctxt_switches:")); at++)
    sum += atol(strchr(at, ':') + 1);
  return sum;
}

// Ends the child as its alarm would, but at once.
static int wait_for(pid_t child) {
  enum { LOOK_MS = 20 };
  const struct timespec soon = { 0, LOOK_MS * 1000000 };
  long before = -1;
  int looks = 0;
  int status = 0;
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (sigtimedwait(&ended, NULL, &soon) >= 0)
      continue;
    long now = switches_of(child);
    looks = now >= 0 && now == before ? looks + 1 : 0;
    if (looks == LOOKS)
      kill(child, SIGALRM);
    before = now;
  }
  return status;
}

// All lines are read first: a child that exits would move the parent's place in the file.
static int batch(const program *programs) {
  enum { SIZE = 1 << 20 };
  static char all[SIZE];
  trace = mmap(NULL, sizeof *trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  all[fread(all, 1, SIZE - 1, stdin)] = 0;
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, NULL);
  for (char *line = strtok(all, "\n"); line; line = strtok(NULL, "\n")) {
    int number;
    char sched[60], tick[60];
    if (sscanf(line, "%d %59s %59s", &number, sched, tick) != 3)
      return 2;
    trace->count = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
      sigprocmask(SIG_UNBLOCK, &ended, NULL);
      run_program(&programs[number], sched, tick);
    }
    report(line, wait_for(child));
  }
  return 0;
}
