// remote-control.c: operations of a thread on an activity or a task of another domain. The thread
// sends a message; the thread of that domain then does the operation, as if it were called there.
// If the activity has ended by then, nothing happens.
#include "fm.h"

// ---- which domain it belongs to ----
bool fm__is_remote(fm_activity a) {
  fm__runtime *d = a.node ? fm__runtime_of_node(a.node) : NULL;
  return a.node && (!d || d != fm__runtime_here());
}

// The domain's thread changes the word of a node by plain stores, which are the cheapest. An
// aligned word is read as a whole on every machine we know. Which of two values the reader gets
// does not matter.
#if defined __clang__ || __GNUC__ >= 8
__attribute__((noinline, no_sanitize("thread")))
#endif
static uint64_t
look(const volatile uint64_t *word) {
  return *word;
}

uint64_t fm__remote_word(fm_activity a) {
  uint64_t word = look(&a.node->word);
  return word >> FM__FLAGS == a.generation ? word : 0;
}

// ---- messages ----
typedef enum { CANCEL, PAUSE, RESUME, SHARE, DETACH, FORGET } action;

typedef struct command {
  fm__msg msg;
  action what;
  fm_activity whom;
  struct fm_cancelled why; // CANCEL: the activity that cancels, the place
} command;

static void forget(fm__runtime *d, fm_node *a) {
  if (a->handles && --a->handles == 0)
    fm__error_drop(fm__forget(d, a, NULL));
}

static void obey_to_task(fm__runtime *d, const command *o) {
  fm_task t = { o->whom.node, o->whom.generation };
  if (o->what == SHARE)
    fm__share(t);
  else if (o->what == FORGET && t.node->word & FM__ENDED)
    forget(d, t.node);
  else
    fm__detach(t);
}

static void obey(fm__runtime *d, fm__msg *m) {
  command o = *(command *)(void *)m;
  fm__free(m);
  if (!fm__is_valid(o.whom.node, o.whom.generation))
    return;
  if (o.what == CANCEL)
    fm__cancel_target(d, o.whom.node, o.why);
  else if (o.what == PAUSE)
    fm_pause(o.whom);
  else if (o.what == RESUME)
    fm_resume(o.whom);
  else
    obey_to_task(d, &o);
}

static void send(const command *o) {
  fm__runtime *d =
      fm__remote_word(o->whom) ? fm__hold_runtime_of(o->whom) : NULL;
  command *copy;
  if (!d)
    return;
  if (!(copy = fm__alloc(sizeof *copy)))
    fm__out_of_memory("message", "", sizeof *copy);
  *copy = *o;
  copy->msg.fn = obey;
  if (!fm__inbox_post(d, &copy->msg))
    fm__free(copy);
  fm__runtime_unref(d);
}

void fm__remote_cancel(fm_activity a, const char *file, int line) {
  send(&(command){
      .what = CANCEL, .whom = a, .why = { fm_self(), file, line } });
}

void fm__remote_pause(fm_activity a) {
  send(&(command){ .what = PAUSE, .whom = a });
}
void fm__remote_resume(fm_activity a) {
  send(&(command){ .what = RESUME, .whom = a });
}
void fm__remote_share(fm_task t) {
  send(&(command){ .what = SHARE, .whom = fm__id(t) });
}
void fm__remote_detach(fm_task t) {
  send(&(command){ .what = DETACH, .whom = fm__id(t) });
}
void fm__remote_forget(fm_task t) {
  send(&(command){ .what = FORGET, .whom = fm__id(t) });
}

// ---- waiting for its end ----
// A guest in the other domain waits for it.
fm_activity fm__remote_join(fm_domain *c, fm_activity a) {
  fm__runtime *d = fm__remote_word(a) ? fm__hold_runtime_of(a) : NULL;
  if (!d)
    return (fm_activity){ 0 };
  fm_task t = fm__spawn_on(c, fm_join__fm_start(c, a), FM_SPAWN_DROP, &d->c);
  fm__runtime_unref(d);
  return fm__id(t);
}
