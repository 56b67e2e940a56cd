// stress: fm_end_of against a model. Activities return, throw, are cancelled, or throw what they
// got of a cancelled task, with or without children that live longer; others ask how they have
// ended, before and after, alone, in races and under deadlines, and are cancelled. Each knows what
// it must hear, and that it hears it at the moment of the end; the task is awaited or dropped
// meanwhile. Some of the activities run in another domain: there, an activity that has ended may
// be unknown.
//     monitor OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
// flags: -pthread
// expect: ok
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>

#include <stdlib.h>
#include <string.h>

#include "random-checks.h"

#pragma fermata auto_yield off

enum { SLOTS = 6, CALLERS = 8 };
struct bad { int n; };

typedef struct {
  task(int) throws(fm_error) task;
  fm_activity id;
  bool made, remote;
  bool held, awaited; // awaited: a caller is about to take the result
  bool has_child;
  unsigned number; // counts the activities of this slot
  // told by the activity itself; by the child, when it has ended
  int how; // FM_END_…
  const char *error;
  bool told, child_lives;
  uint64_t end;
  int cancel_line; // of the first cancel; 0: none
} Slot;
static Slot slots[SLOTS];
static fm_domain *other;
static long budget;
static long done_ops;
static long heard[4];

static bool is_over(const Slot *s) {
  return s->told && !s->child_lives;
}

// ---- the activities ----
static async void wait_a_little(unsigned way) {
  switch (way % 5) {
  case 0: fm_sleep(1 + way % 3); break;
  case 1: case 2: yield; break;
  case 3: fm_checkpoint(); break;
  }
}

static async void forever(void) {
  fm_sleep(1000000000);
}

static async void throw_of_cancelled(void) throws(fm_error) {
  auto t = spawn now forever();
  fm_activity id = fm_id(t);
  defer fm_join(id); // so that no child lives longer
  fm_cancel(id);
  await t;
}

static void tell(Slot *s, int how, const char *error) {
  s->how = how;
  s->error = error;
  s->end = fm_now();
  s->told = true;
}

static void child_over(Slot *s) {
  s->end = fm_now();
  s->child_lives = false;
}

static async void live_longer(Slot *s) {
  defer child_over(s);
  fm_sleep(1 + draw(3));
}

enum { WAYS = 4 };
static const struct { int how; const char *error; } ends[WAYS] = {
  { FM_END_ERROR, "bad" },
  { FM_END_ERROR, "fm_cancelled" },
  { FM_END_RETURNED, NULL },
  { FM_END_RETURNED, NULL },
};

static async int end_so(unsigned way) throws(fm_error) {
  if (way == 0)
    throw (struct bad){ 1 };
  if (way == 1)
    throw_of_cancelled();
  return 1;
}

static async int live(Slot *s, unsigned way) throws(fm_error) {
  int how = FM_END_CANCELLED;
  const char *error = NULL;
  defer tell(s, how, error);
  for (unsigned i = draw(7); i > 0; i--)
    wait_a_little(draw(100));
  if (s->has_child) {
    s->child_lives = true;
    spawn live_longer(s);
  }
  if (way != 1) {
    how = ends[way].how;
    error = ends[way].error;
    return end_so(way);
  }
  try {
    return end_so(way);
  } catch (fm_error *e) {
    // An activity that was cancelled itself has ended by its own cancel.
    if (!s->cancel_line) {
      how = ends[way].how;
      error = fm_error_name(e);
    }
    throw;
  }
}

static async int live_there(unsigned way, unsigned waits) throws(fm_error) {
  for (; waits > 0; waits--)
    wait_a_little(waits + way);
  return end_so(way);
}

static void make(Slot *s) {
  unsigned number = s->number + 1;
  unsigned way = draw(WAYS);
  memset(s, 0, sizeof *s);
  s->number = number;
  s->made = s->held = true;
  s->remote = !draw(8);
  s->has_child = !s->remote && !draw(4);
  if (s->remote) {
    s->how = ends[way].how;
    s->error = ends[way].error;
    s->task = spawn detached on(other) live_there(way, draw(7));
  } else {
    s->task = spawn detached live(s, way);
  }
  s->id = fm_id(s->task);
}

// ---- those who ask ----
static void compare(const Slot *s, fm_outcome o) {
  check((int)o.how == s->how, "another end", done_ops);
  check(!o.error == !s->error, "whether there is an error", done_ops);
  check(!s->error || !strcmp(o.error, s->error), "another error", done_ops);
  if (o.how == FM_END_CANCELLED)
    check(o.line == s->cancel_line, "another place of the cancel", done_ops);
  if (o.how == FM_END_ERROR)
    check(o.file && o.line > 0, "the place of the error", done_ops);
}

static async void ask(Slot *s) {
  Slot before = *s;
  uint64_t since = fm_now();
  fm_outcome o = fm_end_of(before.id);
  heard[o.how]++;
  if (s->number != before.number)
    return; // it has been made anew, after its end
  if (before.remote) {
    if (o.how == FM_END_CANCELLED)
      check(s->cancel_line, "cancelled by nobody", done_ops);
    else if (o.how != FM_END_UNKNOWN && !(s->cancel_line && s->error))
      compare(s, o);
    return;
  }
  check(is_over(s), "it has not ended", done_ops);
  if (is_over(&before) && !before.held) {
    check(o.how == FM_END_UNKNOWN, "known, though its task is gone", done_ops);
    return;
  }
  if (o.how != FM_END_UNKNOWN || !is_over(&before) || !before.awaited)
    compare(s, o);
  check(fm_now() == (is_over(&before) ? since : s->end), "not at its moment", done_ops);
}

static async void ask_somehow(Slot *s) {
  if (!s->made)
    return;
  switch (draw(4)) {
  case 0: case 1: ask(s); break;
  case 2:
    scope (limited) {
      fm_cancel_after(limited, draw(4));
      ask(s);
    } else {
      done_ops++;
    }
    break;
  default:
    race {
    case ask(s): break;
    case fm_sleep(draw(3)): break;
    }
  }
}

static async void release(Slot *s) {
  if (!s->held || s->awaited)
    return;
  unsigned number = s->number;
  auto t = s->task;
  if (draw(2)) {
    s->held = false;
    fm_detach(t);
    return;
  }
  s->awaited = true;
  defer if (s->number == number) s->held = false;
  bool taken = false;
  defer if (!taken) fm_detach(t);
  try {
    await t;
    taken = true;
  } catch (fm_error *e) {
    (void)e;
    taken = true;
  }
}

static void cancel(Slot *s) {
  if (!s->made)
    return;
  bool first = !s->cancel_line && !(s->told && !s->remote);
  fm_cancel(s->id), s->cancel_line = first ? __LINE__ : s->cancel_line;
}

static async void call(void) {
  for (;;) {
    Slot *s = &slots[draw(SLOTS)];
    done_ops++;
    switch (draw(8)) {
    case 0: case 1:
      if (!s->made || (!s->held && (s->remote || is_over(s))))
        make(s);
      break;
    case 2: release(s); break;
    case 3: cancel(s); break;
    default: ask_somehow(s); break;
    }
    wait_a_little(draw(100));
  }
}

static void ignore(const fm_error *e, fm_activity a, void *arg) {
  (void)e, (void)a, (void)arg;
}

static async void handle_there(void) {
  fm_on_error(ignore, NULL);
}

static async void end(task(void) t) {
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(t);
}

async int main(int argc, char **argv) {
  budget = argc > 1 ? atol(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2862933555777941757u + 1 : 1;
  task(void) callers[CALLERS];
  fm_on_error(ignore, NULL);
  other = fm_domain_new(NULL);
  auto there = spawn on(other) handle_there();
  await there;
  for (int i = 0; i < CALLERS; i++)
    callers[i] = spawn call();
  while (done_ops < budget) {
    fm_sleep(1 + draw(4));
    int who = (int)draw(2 * CALLERS);
    if (who < CALLERS) {
      end(callers[who]);
      callers[who] = spawn call();
    }
  }
  for (int i = 0; i < CALLERS; i++)
    end(callers[i]);
  for (Slot *s = slots; s < slots + SLOTS; s++) {
    if (s->made)
      fm_cancel(s->id);
    if (s->held)
      fm_detach(s->task);
  }
  for (int how = FM_END_UNKNOWN; how <= FM_END_CANCELLED; how++)
    check(heard[how] > budget / 1000, "an end that was seldom heard of", done_ops);
  fm_domain_free(other);
  printf("ok\n");
  return 0;
}
