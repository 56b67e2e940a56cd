// run.c: the ways from plain code into the scheduler: run f(x), run t; and the parts of
// async main that are the same on all platforms (main.c, web/turn.c).
#include "fm.h"

#include <stdlib.h>
#include <string.h>

static fm__runtime *enter(void) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (d->current)
    fm__fatal(d,
              d->current == &d->host
                  ? "`run` inside an atomic: call the function directly there"
                  : "`run` inside a running activity: call the function "
                    "directly, or await the task");
  return d;
}

// Runs until a, whose handle is given up here, has ended. That ends the outermost run: activities
// that still live are unwound. If a has failed, fm__thrown is its error; between turns fm__thrown
// is NULL.
static void run_until(fm__runtime *d, fm_node *a, void *result, size_t size) {
  if (!(a->word & FM__ENDED)) {
    a->word |= FM__RUN;
    fm__loop(d);
    a->word &= ~(uint64_t)FM__RUN;
  }
  a->handles--;
  fm__take_result(d, a);
  if (result && size && !fm__throws())
    memcpy(result, d->c.result, size);
  fm__free_done(&d->c);
  fm_error *e = fm__thrown;
  fm__thrown = NULL;
  fm__unwind_all(d);
  fm__free_done(&d->c);
  fm__thrown = e;
}

void fm__run(fm_frame *root, void *result) {
  fm__runtime *d = enter();
  size_t size = root->code->result_size;
  fm_node *a = fm__make(d, root, 0, (fm_activity){ 0 });
  fm__ready(d, a);
  run_until(d, a, result, size);
}

void fm__run_task(fm_task t, void *result, size_t size) {
  fm__runtime *d = enter();
  if (fm__is_remote(fm__id(t)))
    t = fm__stand_in(&d->c, t, FM__TO_TAKE);
  if (!fm__is_valid(t.node, t.generation) || !t.node->handles)
    fm__fatal(d,
              t.node
                  ? "run of a task that was already awaited or given up; "
                    "fm_share makes one more handle"
                  : "run of a task that is zero: nothing was spawned for it");
  run_until(d, t.node, result, size);
}

// f__fm_start of an async main with so many parameters
typedef fm_frame *start_0(fm_domain *);
typedef fm_frame *start_1(fm_domain *, int);
typedef fm_frame *start_2(fm_domain *, int, char **);
typedef fm_frame *start_3(fm_domain *, int, char **, char **);

fm_frame *
fm__main_start(const fm_fn *f, int argc, char **argv, char **envp, int params) {
  fm_domain *c = fm__here();
  switch (params) {
  case 0:
    return ((start_0 *)f->start)(c);
  case 1:
    return ((start_1 *)f->start)(c, argc);
  case 2:
    return ((start_2 *)f->start)(c, argc, argv);
  default:
    return ((start_3 *)f->start)(c, argc, argv, envp);
  }
}

int fm__main_end(int status) {
  if (fm__throws()) {
    fm__report_error(fm__carried(fm__thrown));
    fm__error_drop(fm__caught(NULL));
    status = EXIT_FAILURE;
  }
  fm__report_kept(fm__runtime_of(fm__here()));
  return status;
}
