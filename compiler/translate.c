// translate.c: one unit through all stages, on a stack large enough for what people nest.
#include "fmcc.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum {
  // address space; only what is used becomes memory
  STACK_BYTES = 512 << 20
};

typedef struct Job {
  Unit *u;
  Buf *out, *witness;
} Job;

// The passes, in order. Each is a function over the whole unit; after `parse` each looks at one
// function at a time, and functions in which an error was found are left out.
typedef struct Pass {
  const char *name;
  void (*run)(Unit *u);
} Pass;

static const Pass passes[] = {
  // In: Unit.text. Out: tokens, pragmas, files. All that follows points at tokens.
  { "lex", lex },
  // In: tokens. Out: Unit.items, with trees that are typed and folded; Unit.asyncs, with their
  // variables; the witness's marks. Names have a meaning (Ident.sym) only while this pass runs.
  { "parse", parse_unit },
  // In: what each body may throw, and the tasks that it keeps. Out: messages; Item.failed.
  { "check", check_unit },
  // In: Async.tree. Out: Async.body, in which each pause is a statement with a state; states. The
  // tree is used up: its nodes are in the body now.
  { "lower", lower_unit },
  // In, out: Async.body. Automatic yields with nothing between become one; states stay numbered.
  { "merge", merge_unit },
  // In: states, and where variables are visible. Out: Local.resident, Local.placed.
  { "residents", residents_unit },
  // In: Async.body, residents. Out: State.live, State.used, State.more, State.past.
  { "live", live_unit },
  // In: the states in use. Out: Async.one_body, Async.lands.
  { "forms", forms_unit },
  // In: State.live, Async.one_body. Out: Local.slot, the names that variables get.
  { "fields", fields_unit },
};

static bool too_many_errors(const Unit *u) {
  return u->opt.max_errors && u->errors >= u->opt.max_errors;
}

static void run_passes(Unit *u) {
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
    passes[i].run(u);
    bool no_tokens = passes[i].run == lex && u->errors;
    if (no_tokens || too_many_errors(u))
      return;
  }
}

// The last pass. In: everything. Out: C text; the witness, if one is wanted and can be written.
static void emit(Unit *u, Buf *out, Buf *witness) {
  if (u->no_witness)
    u->opt.witness = false;
  if (u->opt.witness)
    emit_witness(u, witness);
  emit_unit(u, out);
}

static void *translate_on_big_stack(void *arg) {
  Job *j = arg;
  Unit *u = j->u;
  run_passes(u);
  u->external = INT_MAX;
  if (u->errors)
    diags_release(u);
  else if (u->opt.list_yields || u->opt.frame_report)
    report_async(u, j->out);
  else
    emit(u, j->out, j->witness);
  diags_print(u);
  return NULL;
}

static void run_on_big_stack(Job *j) {
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, STACK_BYTES);
  int failed = pthread_create(&thread, &attr, translate_on_big_stack, j);
  pthread_attr_destroy(&attr);
  // too little address space: the stack that there is must do
  if (failed)
    translate_on_big_stack(j);
  else
    pthread_join(thread, NULL);
}

int translate(const char *name,
              const char *text,
              size_t len,
              const TranslateOptions *opt,
              Buf *out,
              Buf *witness) {
  if (len > UINT32_MAX - 16) {
    fprintf(stderr,
            "%s: error: the preprocessed text has more than 4 GB\n",
            name);
    return 1;
  }
  char *copy = xmalloc(len + 1); // NUL-terminated
  memcpy(copy, text, len);
  copy[len] = 0;
  Unit u = { .name = name, .text = copy, .len = len, .opt = *opt };
  u.opt.witness = witness != NULL && opt->mode == TRANSLATE_AUTO;
  unit_init(&u);
  run_on_big_stack(&(Job){ &u, out, witness });
  int errors = u.errors;
  unit_free(&u);
  free(copy);
  return errors;
}
