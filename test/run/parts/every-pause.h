// every-pause.h: programs that are cancelled, or paused and resumed, at each of their pauses, one after the other. A controlling
// activity lets the program take k turns, then interferes. Whatever happens: each cleanup that was entered has been done once,
// no frame and no activity is left, and the result is the program's own, or fm_cancelled.
#include "parts/async.h"
#include <fermata/time.h>

#include <stdlib.h>
#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))

// ---- what the programs use ----
static struct { const char *program, *mode; int k; } at;
static unsigned char cleanup[1 << 16];            // 1: entered, 2: done
static int cleanups;
static int progress;                              // steps that the program has made

static void fail(const char *what, int line) {
  printf("%s, %s at %d: line %d: %s\n", at.program, at.mode, at.k, line, what);
  fflush(stdout);
  exit(1);
}

static inline int entered(void) {
  progress++;
  cleanup[cleanups] = 1;
  return cleanups++;
}

static inline void left(int i) {
  progress++;
  CHECK(cleanup[i] == 1);
  cleanup[i] = 2;
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define OPEN int PASTE(cleanup_, __LINE__) = entered(); defer left(PASTE(cleanup_, __LINE__))  // something opened, and its defer
#define STEP ((void)progress++)

// ---- what is left ----
static int count_lines(void) {                    // of a dump: the activities that live
  char *text;
  size_t size;
  int n = 0;
  FILE *f = open_memstream(&text, &size);
  fm_dump(f);
  fclose(f);
  for (const char *p = text; *p; p++) n += *p == '#' && (p == text || p[-1] == '\n');
  free(text);
  return n;
}

// of runtime/core/core.h
struct fm__runtime *fm__runtime_here(void);
size_t fm__frames_live(struct fm__runtime *d);
static size_t count_frames(void) { return fm__frames_live(fm__runtime_here()); }

static void check_left(void) {
  for (int i = 0; i < cleanups; i++) CHECK(cleanup[i] == 2);
  cleanups = 0;
}

// ---- how they are disturbed ----
typedef async int program(void);

async static void turns(int k) {                  // virtual time moves only while no one is ready
  for (int i = 0; i < k; i++) {
    if (i % 4 == 3) fm_sleep(1);
    else yield;
  }
}

async static bool outcome(task(int) t, int value) { // true: it was cancelled
  try {
    CHECK(await t == value);
    return false;
  } catch (struct fm_cancelled) {
    return true;
  }
}

// Each returns whether the program was still there.
async static bool cancels(program *f, int value, int k) {
  auto t = spawn f();
  turns(k);
  bool was = fm_alive(fm_id(t));
  fm_cancel(fm_id(t));
  bool cancelled = outcome(t, value);
  CHECK(was || !cancelled);
  return was;
}

async static bool cancels_again(program *f, int value, int k) { // in the middle of its cleanups, too
  auto t = spawn f();
  turns(k);
  bool was = fm_alive(fm_id(t));
  fm_cancel(fm_id(t));
  for (int i = 0; i < 5; i++) {
    yield;
    fm_cancel(fm_id(t));
    fm_pause(fm_id(t));
    fm_resume(fm_id(t));
  }
  outcome(t, value);
  return was;
}

async static bool cancels_scope(program *f, int value, int k) {
  bool was = false, unwound = false;
  int v = value;
  scope (s) {
    scope (inner) {
      auto t = spawn f();
      defer unwound = true;
      turns(k);
      was = fm_alive(fm_id(t));
      fm_cancel(s);
      v = await t;
    }
    else CHECK(!"inner else");
  }
  else CHECK(unwound);
  CHECK(v == value);
  return was;
}

async static bool is_raced(program *f, int value, int k) {
  int v = 0;
  race {
    case v = f(): CHECK(v == value); return false;
    case turns(k): return true;
  }
  return false;
}

async static bool pauses(program *f, int value, int k) {
  auto t = spawn f();
  turns(k);
  bool was = fm_alive(fm_id(t));
  fm_pause(fm_id(t));
  int before = progress;
  turns(13);
  CHECK(progress == before);
  fm_resume(fm_id(t));
  CHECK(!outcome(t, value));
  return was;
}

async static bool pauses_and_cancels(program *f, int value, int k) {
  auto t = spawn f();
  turns(k);
  bool was = fm_alive(fm_id(t));
  fm_pause(fm_id(t));
  turns(5);
  fm_cancel(fm_id(t));
  bool cancelled = outcome(t, value);
  CHECK(cancelled <= was);
  return was;
}

async static bool has_deadline(program *f, int value, int k) {
  auto t = spawn f();
  fm_activity id = fm_id(t);
  fm_cancel_after(id, (uint64_t)k);
  bool cancelled = outcome(t, value);
  fm_sleep((uint64_t)k + 1);                      // until then the deadline itself is kept
  return cancelled;
}

// ---- all of them, at every k ----
async static void disturb(const char *name, program *f, int value) {
  static const struct { const char *name; async bool (*f)(program *, int, int); } modes[] = {
    {"cancel", cancels}, {"cancel again", cancels_again}, {"cancel of a scope", cancels_scope}, {"race", is_raced},
    {"pause", pauses}, {"pause and cancel", pauses_and_cancels}, {"deadline", has_deadline},
  };
  at.program = name;
  at.mode = "a plain call";
  int v = f();
  CHECK(v == value);
  check_left();
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
    bool was = true;
    int k = 0;
    at.mode = modes[m].name;
    for (; was && k < 1000; k++) {
      at.k = k;
      size_t frames = count_frames();
      int lines = count_lines();
      was = modes[m].f(f, value, k);
      yield;
      check_left();
      CHECK(count_frames() == frames);
      CHECK(count_lines() == lines);
    }
    CHECK(k > 1 && k < 1000);
  }
  printf("%s\n", name);
}
#define DISTURB(f, value) disturb(#f, f, value)
