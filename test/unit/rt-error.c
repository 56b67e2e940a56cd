// Errors: through frames and activities, to those that await, to the scope, to the parent, to the handler; and their reports.
#include "play.h"

// ---- through frames ----
FRAME(thrower, int, int yields;)
static void thrower__fm_resume(fm_domain *c, fm_frame *h) {
  F(thrower);
  switch (h->state) { case 1: goto L1; }
  if (thrower->yields) {
    fm__yield(c);
    WAIT(1);
  }
  throw_bad('t');
  fm__passes(h->code, h->state);
  fm__unwind(c);
}
DESCRIBE(thrower, 10, 11)

// Calls the next one; it has nothing to do when that throws.
FRAME(middle, int, int depth; int yields;)
static void middle__fm_resume(fm_domain *c, fm_frame *h) {
  F(middle);
  switch (h->state) { case 1: goto L1; }
  c->top = middle->depth > 1 ? START(middle, .depth = middle->depth - 1, .yields = middle->yields) : START(thrower, .yields = middle->yields);
  fm__pause_current(fm__runtime_of(c), FM__SPILLED);
  WAIT(1);
  fm__done(c);
}
DESCRIBE(middle, 20, 21)

FRAME(catcher, int, int depth; int yields; fm_error *e;)
static void catcher__fm_resume(fm_domain *c, fm_frame *h) {
  F(catcher);
  if (fm__unwinds(c)) {
    assert(h->state == 1);
    catcher->e = fm__caught(c);
    assert(!fm__stopped(c) && !fm__throws());
    say_error("caught ", catcher->e, " ");
    fm__error_drop(catcher->e);
    catcher->result = 7;
    return;
  }
  switch (h->state) { case 1: goto L1; }
  c->top = START(middle, .depth = catcher->depth, .yields = catcher->yields);
  fm__pause_current(fm__runtime_of(c), FM__SPILLED);
  WAIT(1);
  fm__done(c);
}
LANDS(catcher, 30, 31)

static void through_frames(void) {
  int v = 0;
  rt_run(START(catcher, .depth = 1), &v);
  assert(v == 7);
  rt_run(START(catcher, .depth = 1000, .yields = 1), &v);
  said("caught t caught t ");
  fm__run(START(middle, .depth = 3, .yields = 1), &v);
  assert(fm__throws());
  fm_error *e = fm__caught(NULL);
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  fm_error_print(e, f);
  fclose(f);
  assert(strcmp(text, "bad, thrown at test.c:1\n    at test.c:11 in thrower\n    at test.c:21 in middle\n"
                      "    at test.c:21 in middle\n    at test.c:21 in middle\n") == 0);
  free(text);
  assert(strcmp(fm_error_name(e), "bad") == 0 && fm_error_line(e) == 1 && !fm_error_next(e));
  assert(fm__is(e, NULL, 0) && fm__is(e, "bad", sizeof(struct bad)) && !fm__is(e, "bad", 99) && !fm__is(e, "worse", sizeof(struct bad)));
  fm__error_drop(e);
}

static void replacing(void) {
  throw_bad('2');
  fm_error *carried = fm__replaced(FM_CANCELLING, fm__caught(NULL)); // a cancel goes on, and carries it
  assert(fm__cancels(carried) && !fm__is(carried, NULL, 0) && fm__is(fm__carried(carried), "bad", sizeof(struct bad)));
  fm__error_drop(carried);
  throw_bad('1');
  fm_error *old = fm__caught(NULL);
  throw_bad('2');
  fm_error *e = fm__replaced(old, fm__caught(NULL));
  assert(*(const char *)fm_error_value(e) == '2');
  fm__error_drop(e);
  fm__error_drop(NULL);
  fm__error_drop(FM_CANCELLING);
}

// ---- activities ----
static void awaited(void) {
  PLAY("=0{@0x}y", "!a");                         // before it ends
  said("(a)y");
  PLAY("=0..{@0x}y", "!a");                       // after it has ended
  said("(a)y");
  PLAY("*0+2{@0}", "..!a", "", "{@1}");   // several are thrown the same
  said("(a)(a)");
  PLAY("=0@0", "=1@1", ".!a");                    // from activity to activity
  said(" threw a");
  PLAY("&0x", "$1");
  said("x");
}

static void unawaited(void) {
  PLAY("=0x", "!a");                              // kept, awaited by no one: the parent fails when it ends
  said("x threw a");
  PLAY("=0.=1.x", "!a", "!b");
  said("x threw ab");
  PLAY("=0!x", "!a");                             // the parent's own error comes first
  said(" threw xa");
  PLAY("+0x?0y", "!a");                           // a dropped one outside a scope: likewise
  said("xy threw a");
  PLAY("=0?0x", "=1", "..!b");                    // it ends after its parent's body
  said("x threw b");
  PLAY("*0{@0}x", "!a");                          // one handle awaited, one not: someone has seen it
  said("(a)x");
}

static void on_error(const fm_error *e, fm_activity a, void *arg) {
  assert(a.node);
  say_error(arg, e, "] ");
}

static void detached(void) {
  fm_on_error(on_error, "[handled ");
  PLAY("~0..x", "!a");
  said("[handled a] x");
  fm_task t = fm__spawn(fm__here(), play_script("!k"), FM_SPAWN_DETACHED, (fm_activity){ 0 });
  fm__run(play_script(".."), NULL);
  said("");
  fm__detach(t);
  said("[handled k] ");
  fm_on_error(NULL, NULL);
}

// ---- ends of the program ----
static void abort_detached(void) { PLAY("~0..", "!a"); }
static void unhandled(void) {
  throw_bad('u');
  fm__unhandled();
}
static fm_frame *main_start(fm_domain *c) {
  (void)c;
  script[0] = "!m";
  return play_script("=0@0");
}
static void main_fails(void) {
  static const fm_fn f = { .start = (void (*)(void))main_start, .code = &play__fm_code };
  exit(fm__main(&f, 0, NULL, NULL, 0));
}

static void reports(void) {
  char err[4096];
  assert(rt_child(abort_detached, err, sizeof err) == -SIGABRT);
  assert(strstr(err, "unhandled error bad, thrown at test.c:1\n    at test.c:1 in play\n") && strstr(err, "in the detached activity #"));
  assert(rt_child(unhandled, err, sizeof err) == 1 && strstr(err, "unhandled error bad"));
  assert(rt_child(main_fails, err, sizeof err) == 1 && strstr(err, "at test.c:1 in play\n    at test.c:3 in play\n"));
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  through_frames();
  replacing();
  awaited();
  unawaited();
  detached();
  reports();
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
