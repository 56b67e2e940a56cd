// runs.c: runs of the program under one schedule. In: a schedule and a slot. Out: how the run
// ended, its output, and what the program has written into the slot's file.
//
// Each run is a process of its own, without address randomization, so that the same schedule gives
// the same run. The slot's file has no name: the program opens it by its descriptor here.
#include "explore.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- slots ----
// The program and what it has started. A replay belongs to the terminal's group, as this process.
static void end_processes(const Explore *x, const Slot *s) {
  kill(x->replay ? s->process : -s->process, SIGKILL);
}

static bool slot_open(Slot *s) {
  s->fd = memfd_create("fermata-explore", MFD_CLOEXEC);
  s->out = memfd_create("stdout", MFD_CLOEXEC);
  s->err = memfd_create("stderr", MFD_CLOEXEC);
  if (s->fd < 0 || s->out < 0 || s->err < 0 ||
      ftruncate(s->fd, sizeof *s->file) != 0)
    return false;
  s->file =
      mmap(NULL, sizeof *s->file, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
  return s->file != MAP_FAILED;
}

bool slots_open(Explore *x) {
  x->slots = arena_alloc(&x->arena, x->jobs * sizeof *x->slots);
  for (size_t i = 0; i < x->jobs; i++)
    if (!slot_open(&x->slots[i])) {
      complain("explore: no memory to share with the program: %s",
               strerror(errno));
      return false;
    }
  return true;
}

void slots_close(Explore *x) {
  for (size_t i = 0; x->slots && i < x->jobs; i++) {
    Slot *s = &x->slots[i];
    if (s->process) {
      end_processes(x, s);
      waitpid(s->process, NULL, 0);
    }
    munmap(s->file, sizeof *s->file);
    close(s->fd);
    close(s->out);
    close(s->err);
  }
}

// ---- a run ----
static void clear(Slot *s, const Explore *x, bool told) {
  fm__x_file *f = s->file;
  memset(f, 0, offsetof(fm__x_file, given));
  memcpy(f->magic, FM__EXPLORE_MAGIC, sizeof f->magic);
  f->how = s->schedule.how;
  f->seed = s->schedule.seed;
  f->told = told;
  f->timeless = x->real_time;
  f->patience = x->patience;
  f->given_count = (uint32_t)s->schedule.count;
  if (s->schedule.count)
    memcpy(f->given,
           s->schedule.given,
           s->schedule.count * sizeof *s->schedule.given);
}

static void empty(int fd) {
  if (ftruncate(fd, 0) == 0)
    lseek(fd, 0, SEEK_SET);
}

// In the child.
static _Noreturn void become(const Explore *x, const Slot *s, pid_t tool) {
  char path[64];
  sigset_t none;
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)tool, s->fd);
  setenv("FERMATA_EXPLORE", path, 1);
  setenv("FERMATA_TICK", "always", 1);
  if (!x->real_time)
    setenv("FERMATA_DRIVER", "virtual", 1);
  unsetenv("FERMATA_SCHED");
  personality(ADDR_NO_RANDOMIZE);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (!x->replay) {
    setpgid(0, 0);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(s->out, 1);
    dup2(s->err, 2);
  }
  execvp(x->program[0], x->program);
  fprintf(stderr,
          "fermata: cannot run %s: %s\n",
          x->program[0],
          strerror(errno));
  _exit(127);
}

void run_start(Explore *x, Slot *s, Schedule schedule, bool told) {
  pid_t tool = getpid();
  s->schedule = schedule;
  s->late = false;
  clear(s, x, told);
  empty(s->out);
  empty(s->err);
  fflush(NULL);
  s->ends = now_ns() + (uint64_t)(x->timeout * 1e9);
  s->process = fork();
  if (s->process == 0)
    become(x, s, tool);
  if (!x->replay && s->process > 0)
    setpgid(s->process, s->process); // whichever comes first
  if (s->process < 0) {
    complain("explore: cannot make a process: %s", strerror(errno));
    exit(2);
  }
}

static void end_late_ones(Explore *x) {
  uint64_t now = now_ns();
  for (size_t i = 0; i < x->jobs; i++) {
    Slot *s = &x->slots[i];
    if (s->process && !s->late && now > s->ends) {
      s->late = true;
      end_processes(x, s);
    }
  }
}

static Slot *slot_of(Explore *x, pid_t process) {
  for (size_t i = 0; i < x->jobs; i++)
    if (x->slots[i].process == process)
      return &x->slots[i];
  return NULL;
}

static bool is_busy(const Explore *x) {
  for (size_t i = 0; i < x->jobs; i++)
    if (x->slots[i].process)
      return true;
  return false;
}

// SIGCHLD is blocked: sigtimedwait wakes at once when a run ends, or when one may be late.
Slot *run_wait(Explore *x) {
  struct timespec soon = { 0, 50000000 };
  sigset_t child;
  int status;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  while (is_busy(x)) {
    pid_t p = waitpid(-1, &status, WNOHANG);
    Slot *s = p > 0 ? slot_of(x, p) : NULL;
    if (s) {
      end_processes(x, s); // what it has left behind
      s->process = 0;
      s->status = status;
      return s;
    }
    end_late_ones(x);
    sigtimedwait(&child, NULL, &soon);
  }
  return NULL;
}

// ---- how it ended ----
void output_read(int fd, Buf *to) {
  buf_add(to, "", 0);
  if (lseek(fd, 0, SEEK_SET) == 0 && buf_read_fd(to, fd))
    return;
  complain("explore: the output of the program is lost: %s", strerror(errno));
  exit(2);
}

bool same_failure(Failure a, Failure b) {
  return a.kind == b.kind && a.code == b.code;
}

static bool is_expected(Explore *x, const Slot *s) {
  Buf out = { 0 };
  if (!x->expect)
    return true;
  output_read(s->out, &out);
  bool same = out.len == x->expected.len &&
              memcmp(out.data, x->expected.data, out.len) == 0;
  buf_free(&out);
  return same;
}

Failure run_failure(Explore *x, Slot *s) {
  if (s->late || s->file->hangs)
    return (Failure){ HANGS, 0 };
  if (WIFSIGNALED(s->status))
    return (Failure){ SIGNAL, WTERMSIG(s->status) };
  if (WEXITSTATUS(s->status))
    return (Failure){ STATUS, WEXITSTATUS(s->status) };
  if (!x->replay && !is_expected(x, s))
    return (Failure){ OUTPUT, 0 };
  return (Failure){ FINE, 0 };
}

Failure run_whole(Explore *x, Slot *s, Schedule schedule, bool told) {
  run_start(x, s, schedule, told);
  while (run_wait(x) != s)
    continue;
  return run_failure(x, s);
}

// ---- in words ----
// The first line in which it differs.
static void describe_output(Explore *x, const Slot *s, Buf *to) {
  Buf out = { 0 };
  size_t line = 1;
  output_read(s->out, &out);
  const char *a = out.data;
  const char *b = x->expected.data;
  while (*a && *a == *b) {
    line += *a == '\n';
    a++;
    b++;
  }
  while (a > out.data && a[-1] != '\n') {
    a--;
    b--;
  }
  buf_printf(to,
             "its output differs from %s in line %zu: \"%.*s\" instead of "
             "\"%.*s\"",
             x->expect,
             line,
             (int)strcspn(a, "\n"),
             a,
             (int)strcspn(b, "\n"),
             b);
  buf_free(&out);
}

// What the program has said before it ended; "": nothing that is known.
static const char *reason(const Slot *s) {
  static const struct {
    const char *text, *means;
  } known[] = {
    { "fermata: atomicity: ", ": -fsanitize=atomicity reports something" },
    { "ERROR: AddressSanitizer", ": AddressSanitizer reports something" },
    { "ERROR: LeakSanitizer", ": LeakSanitizer reports something" },
    { "WARNING: ThreadSanitizer", ": ThreadSanitizer reports something" },
    { "WARNING: MemorySanitizer", ": MemorySanitizer reports something" },
    { "runtime error: ", ": UndefinedBehaviorSanitizer reports something" },
    { "fermata: deadlock", ": a deadlock" },
  };
  Buf err = { 0 };
  const char *means = "";
  output_read(s->err, &err);
  for (size_t i = 0; !*means && i < sizeof known / sizeof *known; i++)
    if (strstr(err.data, known[i].text))
      means = known[i].means;
  buf_free(&err);
  return means;
}

void run_describe(Explore *x, Slot *s, Failure f, Buf *to) {
  switch (f.kind) {
  case FINE:
    buf_puts(to, "it ends well");
    break;
  case STATUS:
    buf_printf(to, "it ends with status %d%s", f.code, reason(s));
    break;
  case SIGNAL:
    buf_printf(
        to, "signal %d ends it (%s)%s", f.code, strsignal(f.code), reason(s));
    break;
  case HANGS:
    buf_puts(to, "it does not end");
    break;
  case OUTPUT:
    describe_output(x, s, to);
    break;
  }
}
