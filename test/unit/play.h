// play.h: activities that play a script, for tests of the runtime in which many of them meet. A test is a list of scripts, the
// first one is run; the others are numbered from 0. A script is a row of operations, each a sign and often a digit:
//
//     x (a letter)   says x                         .    yield
//     +0 =0 *0       spawns script 0; the handle is dropped | kept | kept by one more
//     &0 ~0          spawn now | spawn detached, the handle is dropped
//     #0 %0          spawns it as an activate with a shared variable | in the scope or activity 0 names
//     @0             awaits task 0, says its value  ?0   joins 0; ?9: waits in vain
//     ^0 ^^          cancels 0 | itself             |0 -0 pause, resume
//     -> the number names the newest activity of that script, or the scope opened with that number
//     [0 … ]         a scope; `else` says E         < … > a shield
//     { … }          try, and catch that says the error: (x)
//     /x             defer: at the end of the script it says X, yields and says x, in a shield
//     !x             throws a struct bad that holds x
//     $5             its value is 5                 ;    leaves the block of the activates
//     R012.          a race of these scripts; says which has won, and awaits that
//     :              fm_checkpoint                  ,    an automatic yield
//     A01.  Y01.     fm_all, fm_any of the kept tasks 0, 1; any says which
//     U0             cancels 0, and tells which activities are marked
#ifndef PLAY_H
#define PLAY_H

#include "rt.h"

#include <ctype.h>

struct bad { char c; };

enum { SCRIPTS = 9, FOREVER = 9, NESTED = 16 };
static const char *script[SCRIPTS];
static fm_activity id[FOREVER + 1];
static fm_task task[SCRIPTS];

typedef struct play_frame {
  fm_frame h;
  struct play_frame *up;                          // of an activate: whose group it is in
  int result;
  int n;                                          // of nest: blocks and defers that are open
  char nest[NESTED];
  const char *s;                                  // what comes next
  fm_error *e;                                    // on its way while blocks are left; NULL: they are left at the end
  fm_share_group group;
  fm_task arms[4];                                // of a race, fm_all, fm_any
  int narms;
} play_frame;
static void play__fm_resume(fm_domain *c, fm_frame *h);
static const fm_code play__fm_code;

extern const fm_fn fm_checkpoint[1], fm_all[1], fm_any[1];

static fm_frame *play_script(const char *s) {
  play_frame *f = (play_frame *)fm__frame_new(fm__here(), &play__fm_code);
  memset(&f->h + 1, 0, sizeof *f - sizeof f->h);
  f->s = s;
  return &f->h;
}

static int number(play_frame *p) {
  return *p->s++ - '0';
}

static void spawn(fm_domain *c, play_frame *p, char op) {
  int k = number(p);
  fm_frame *root = play_script(script[k]);
  unsigned how = op == '=' || op == '*' ? 0 : FM_SPAWN_DROP;
  if (op == '#') {
    ((play_frame *)root)->up = p;
    fm__activate(c, root, &p->group, &id[k], 0);
    return;
  }
  how |= op == '&' ? FM_SPAWN_NOW : op == '~' ? FM_SPAWN_DETACHED : op == '%' ? FM_SPAWN_IN : 0;
  task[k] = fm__spawn(c, root, how, op == '%' ? id[number(p)] : (fm_activity){ 0 });
  if (op == '*')
    task[(k + 1) % SCRIPTS] = fm__share(task[k]);
  id[k] = fm__id(task[k]);
}

static void tell_marked(int k) {
  fm_cancel(id[k]);
  for (int i = 0; i < SCRIPTS; i++)
    if (fm_cancelled(id[i]))
      say("%d", i);
}

static void skip_past(play_frame *p, char open, char close) {
  for (int depth = 1; depth > 0; p->s++)
    depth += *p->s == close ? -1 : *p->s == open;
}

static void throw_bad(char ch) {
  struct bad bad = { ch };
  fm__throw(&bad, sizeof bad, "bad", "test.c", 1);
}

static void say_error(const char *before, const fm_error *e, const char *after) {
  say("%s", before);
  for (; e; e = fm_error_next(e))
    if (fm__is(e, "bad", sizeof(struct bad)))
      say("%c", ((const struct bad *)fm_error_value(e))->c);
    else
      say("%s", fm_error_name(e));
  say("%s", after);
}

static void start_arms(fm_domain *c, play_frame *p) {
  fm__race_enter(c);
  p->narms = 0;
  for (; *p->s != '.'; p->s++)
    if (fm__race_open(c)) {
      int k = *p->s - '0';
      p->arms[p->narms] = fm__spawn(c, play_script(script[k]), FM_SPAWN_NOW | FM_SPAWN_ARM, (fm_activity){ 0 });
      id[k] = fm__id(p->arms[p->narms++]);
    }
  p->s++;
}

static void several(fm_domain *c, play_frame *p, const fm_fn *f) {
  for (p->narms = 0; *p->s != '.'; p->s++)
    p->arms[p->narms++] = task[*p->s - '0'];
  p->s++;
  if (f == fm_all)
    ((void (*)(fm_domain *, fm_task *, size_t))f->call)(c, p->arms, (size_t)p->narms);
  else
    p->result = (int)((size_t (*)(fm_domain *, fm_task *, size_t))f->call)(c, p->arms, (size_t)p->narms);
}

#define PAUSE(n)                                                                                                       \
  do                                                                                                                   \
    if (fm__stopped(c) && fm__below(c)) {                                                                              \
      if (fm__unwinds(c))                                                                                              \
        goto unwind;                                                                                                   \
      h->state = (n);                                                                                                  \
      fm__paused(c, h);                                                                                                \
      return;                                                                                                          \
    }                                                                                                                  \
  while (0)

static void play__fm_resume(fm_domain *c, fm_frame *h) {
  play_frame *p = (play_frame *)h;
  char op;
  if (fm__unwinds(c))
    goto unwind;
  switch (h->state) {
  case 0: case 1: goto next;
  case 2: goto awaited;
  case 3: goto scope_ended;
  case 4: goto deferred;
  case 5: goto raced;
  case 6: goto joined;
  case 7: fm__done(c); goto next;
  case 8: say("%d first ", (int)*(size_t *)c->result); fm__done(c); goto next;
  }
next:
  switch (op = *p->s++) {
  case '\0': p->s--; p->e = NULL; goto leave;
  case '.': fm__yield(c); PAUSE(1); goto next;
  case ',':
    fm__end_slice(fm__runtime_of(c));
    if (fm__after(c) == FM_YIELDED)
      PAUSE(1);
    goto next;
  case '+': case '=': case '*': case '&': case '~': case '#': case '%': spawn(c, p, op); goto next;
  case '@': fm__await(c, task[number(p)]); PAUSE(2); goto awaited;
  case '?':
    id[FOREVER] = fm_self();
    fm__join(c, id[number(p)]);
    PAUSE(1);
    goto next;
  case '^':
    if (*p->s == '^') {
      p->s++;
      fm_cancel(fm_self());
    } else {
      fm_cancel(id[number(p)]);
    }
    goto next;
  case '|': fm_pause(id[number(p)]); goto next;
  case '-': fm_resume(id[number(p)]); goto next;
  case '[': p->nest[p->n++] = op; fm__scope_enter(c, &id[number(p)]); goto next;
  case '<': p->nest[p->n++] = op; fm__shield_enter(c); goto next;
  case '{': p->nest[p->n++] = op; goto next;
  case '/': p->nest[p->n++] = *p->s++; goto next;
  case '>': p->n--; fm__shield_leave(c); goto next;
  case '}': p->n--; goto next;
  case ']': p->n--; p->e = NULL; goto scope_end;
  case '!': throw_bad(*p->s++); goto unwind;
  case '$': p->result = number(p); goto next;
  case ';': fm__join_group(c, &p->group); PAUSE(1); goto next;
  case 'R': start_arms(c, p); fm__race_wait(c); PAUSE(5); goto raced;
  case ':': ((void (*)(fm_domain *))fm_checkpoint->call)(c); PAUSE(1); goto next;
  case 'A': several(c, p, fm_all); PAUSE(7); fm__done(c); goto next;
  case 'Y': several(c, p, fm_any); PAUSE(8); say("%d first ", p->result); goto next;
  case 'U': tell_marked(number(p)); goto next;
  default: say("%c", op); goto next;
  }
awaited:
  say("%d", rt_int(c));
  goto next;
raced:
  op = (char)fm__race_winner(c, p->arms, p->narms);
  say("%d wins ", op);
  fm__await(c, p->arms[(int)op]);
  PAUSE(2);
  goto awaited;
unwind:
  p->e = fm__caught(c);
leave:
  while (p->n > 0)
    switch (p->nest[--p->n]) {
    case '<': fm__shield_leave(c); break;
    case '[': skip_past(p, '[', ']'); goto scope_end;
    case '{':
      if (!fm__is(p->e, NULL, 0))
        break;
      say_error("(", p->e, ")");
      fm__error_drop(p->e);
      skip_past(p, '{', '}');
      goto next;
    default:
      fm__shield_enter(c);
      say("%c", toupper(p->nest[p->n]));
      fm__yield(c);
      PAUSE(4);
    deferred:
      say("%c", p->nest[p->n]);
      fm__shield_leave(c);
    }
  if (p->e)
    fm__cancel_group(c, &p->group);
  fm__join_group(c, &p->group);
  PAUSE(6);
joined:
  if (!p->e)
    return;
  fm__rethrow(p->e);
  fm__passes(&play__fm_code, h->state);
  fm__unwind(c);
  return;
scope_end:
  fm__scope_end(c, p->e);
  PAUSE(3);
scope_ended:
  if (fm__scope_leave(c, &p->e))
    say("E");
  if (p->e)
    goto leave;
  goto next;
}
LANDS(play, 1, 2, 3, 4, 5, 6, 7, 8, 9)

// Runs the first script; what it throws is said. Then nothing is left.
static void play(const char *first, ...) {
  fm__runtime *d = fm__runtime_of(fm__here());
  va_list ap;
  va_start(ap, first);
  memset(id, 0, sizeof id);
  memset(task, 0, sizeof task);
  for (int i = 0; i < SCRIPTS; i++)
    if (!(script[i] = va_arg(ap, const char *)))
      break;
  va_end(ap);
  fm__run(play_script(first), NULL);
  if (fm__throws()) {
    fm_error *e = fm__caught(NULL);
    say_error(" threw ", e, "");
    fm__error_drop(e);
  }
  assert(fm__frames_live(d) == 0);
  assert(!d->base.head && !d->host.child && !d->current && d->set == &d->base && !fm__throws());
  assert(d->stopped == 0 && !(d->host.word & FM__ANY));
}
#define PLAY(...) play(__VA_ARGS__, (char *)NULL)

#endif
