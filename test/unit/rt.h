// rt.h: for the tests of the runtime (rt-*.c): async functions, translated by hand into the shape that abi.h describes, and
// a log of what they did.
//
//     FRAME(f, int, int n;)            the frame of f: its head, the result, what it saves
//     static void f__fm_resume(c, h)   the body: `F(f); switch (h->state) { case 1: goto L1; }` … `WAIT(1);` …
//     DESCRIBE(f, 10, 12)              its descriptor: the line at which it stands in each state
//     LEAF(f, 10, 12)                  likewise, of a function that waits once, in state 1, and then returns
//     LANDS(f, 10, 12)                 likewise, of a function with handlers: `if (fm__unwinds(c)) goto …` comes first
//     START(f, .n = 3)                 a frame with arguments, as f__fm_start makes one
#ifndef RT_H
#define RT_H

#include "fm.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { } nothing;                       // the result of a void function

#define FRAME(f, T, ...)                                                                                               \
  typedef struct f##_frame {                                                                                           \
    fm_frame h;                                                                                                        \
    T result;                                                                                                          \
    __VA_ARGS__                                                                                                        \
  } f##_frame;                                                                                                         \
  static void f##__fm_resume(fm_domain *c, fm_frame *h);                                                               \
  static const fm_code f##__fm_code;

#define DESCRIBE(f, ...) DESCRIBE_AS(0, NULL, f, __VA_ARGS__)
#define LEAF(f, ...) DESCRIBE_AS(0, fm__leaf_ends, f, __VA_ARGS__)
#define LANDS(f, ...) DESCRIBE_AS(1, NULL, f, __VA_ARGS__)
#define DESCRIBE_AS(lands, ends, f, ...)                                                                                     \
  static const uint32_t f##__fm_lines[] = { __VA_ARGS__ };                                                             \
  static const fm_code f##__fm_code = {                                                                                \
    f##__fm_resume, #f, "test.c", f##__fm_lines, sizeof f##__fm_lines / sizeof f##__fm_lines[0], sizeof(f##_frame),    \
    offsetof(f##_frame, result), sizeof ((f##_frame *)0)->result, lands, ends,                                         \
  };

#define START(f, ...) rt_start(&f##__fm_code, &(f##_frame){ .h = { 0 }, ##__VA_ARGS__ }.h)
static inline fm_frame *rt_start(const fm_code *code, const fm_frame *values) {
  fm_frame *f = fm__frame_new(fm__here(), code);
  memcpy(f + 1, values + 1, code->size - sizeof *f);
  return f;
}

#define F(f) f##_frame *f = (f##_frame *)h; (void)f; (void)c
// In a resume version, after a wait or a call: pause if it has paused. Goes on, then or now, at L<n>.
#define WAIT(n)                                                                                                        \
  if (fm__stopped(c) && fm__below(c)) {                                                                                \
    if (fm__unwinds(c))                                                                                                \
      return;                                                                                                          \
    h->state = (n);                                                                                                    \
    fm__paused(c, h);                                                                                                  \
    return;                                                                                                            \
  }                                                                                                                    \
  L##n:
#define ATOMIC_WAIT() (fm__stopped(c) ? fm__atomic_pump(c) : (void)0)

// ---- async functions of the library, as generated code declares them ----
void fm_sleep__fm_call(fm_domain *c, uint64_t ms);
void fm_sleep__fm_atomic(uint64_t ms);
fm_frame *fm_sleep__fm_start(fm_domain *c, uint64_t ms);
void fm_tick__fm_call(fm_domain *c, fm_timer *t);
void fm_tick__fm_atomic(fm_timer *t);
fm_frame *fm_tick__fm_start(fm_domain *c, fm_timer *t);

// ---- spawning ----
static inline fm_task rt_spawn(fm_domain *c, fm_frame *root, unsigned how) {
  return fm__spawn(c, root, how, (fm_activity){ 0 });
}

static inline int rt_int(fm_domain *c) {          // at a resume label: the value of what was waited for
  int v = *(int *)c->result;
  fm__done(c);
  return v;
}

// ---- the log ----
static char rt_log[1 << 16];

__attribute__((format(printf, 1, 2))) static inline void say(const char *format, ...) {
  size_t n = strlen(rt_log);
  va_list ap;
  va_start(ap, format);
  vsnprintf(rt_log + n, sizeof rt_log - n, format, ap);
  va_end(ap);
}

#define said(text) rt_said(__LINE__, text)
static inline void rt_said(int line, const char *text) {
  if (strcmp(rt_log, text) != 0) {
    fprintf(stderr, "line %d: said '%s'\n     expected '%s'\n", line, rt_log, text);
    abort();
  }
  rt_log[0] = '\0';
}

// Runs a root, and checks that nothing is left behind.
static inline void rt_run(fm_frame *root, void *result) {
  fm__runtime *d = fm__runtime_of(fm__here());
  fm__run(root, result);
  assert(fm__frames_live(d) == 0);
  assert(!d->base.head && !d->host.child && !d->current && d->set == &d->base);
}

// ---- a child process: its exit status, and what it wrote on standard error ----
static inline int rt_child(void (*body)(void), char *err, size_t size) {
  int fds[2], status;
  size_t n = 0;
  ssize_t got;
  assert(pipe(fds) == 0);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    dup2(fds[1], 2);
    close(fds[0]);
    close(fds[1]);
    body();
    exit(0);
  }
  close(fds[1]);
  while (n < size - 1 && (got = read(fds[0], err + n, size - 1 - n)) > 0)
    n += (size_t)got;
  err[n] = '\0';
  close(fds[0]);
  assert(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#endif
