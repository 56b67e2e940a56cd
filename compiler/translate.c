// translate.c: one unit passes through all stages, on a stack large enough for deeply nested code.
#include "fmcc.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum {
  // address space; only the used part becomes memory
  STACK_BYTES = 512 << 20
};

typedef struct Job {
  Unit *u;
  Buf *out;
  Buf *witness;
} Job;

// The passes, in order. Each is a function over the whole unit; after `parse` each looks at one
// function at a time, and functions in which an error was found are left out.
typedef struct Pass {
  const char *name;
  void (*run)(Unit *u);
  void (*dump)(Unit *u, Buf *out);
  const char *shows; // describes the output of --dump
} Pass;

static const Pass passes[] = {
  // In: Unit.text. Out: tokens, pragmas, files. All that follows points at tokens.
  { "lex", lex, dump_tokens, "the tokens" },
  // In: tokens. Out: Unit.items, with trees that are typed and folded; Unit.asyncs, with their
  // variables; the witness's marks. Names have a meaning (Ident.sym) only while this pass runs.
  { "parse",
    parse_unit,
    dump_trees,
    "the trees, with the type of each expression" },
  // In: what each body may throw, and the tasks that it keeps. Out: messages; Item.failed.
  { "check",
    check_unit,
    dump_thrown,
    "what may be thrown where, and what becomes of it" },
  // In: Async.tree. Out: Async.quiet; in the trees, calls that stay C calls and need no yields.
  { "quiet",
    quiet_unit,
    dump_quiet,
    "functions that cannot pause, and addresses that are only lent" },
  // In: Async.tree. Out: Async.body, in which each pause is a statement with a state; states. The
  // tree is used up: its nodes are in the body now.
  { "lower",
    lower_unit,
    dump_lowered,
    "the trees in which each pause is a statement of its own" },
  // In, out: Async.body. Automatic yields with nothing between become one; states stay numbered.
  { "merge",
    merge_unit,
    dump_lowered,
    "the same trees without needless automatic yields" },
  // In: states, and where variables are visible. Out: Local.resident, Local.placed.
  { "residents",
    residents_unit,
    dump_residents,
    "where each variable lives, and why" },
  // In: Async.body, residents. Out: State.live, State.used, State.more, State.past.
  { "live", live_unit, dump_live, "the variables that each pause keeps" },
  // In: the states in use. Out: Async.one_body, Async.one_version, Async.lands.
  { "forms",
    forms_unit,
    dump_forms,
    "one body or several, and when the frame is made" },
  // In: State.live, Async.one_body. Out: Local.slot, the names that variables get.
  { "fields",
    fields_unit,
    dump_fields,
    "which variables have which field of the frame" },
  // In: Async.large, Async.body. Out: N_PART nodes in it; Async.parts, Async.places,
  // State.part; labels of blocks.
  { "parts",
    parts_unit,
    dump_lowered,
    "the lowered trees, those of large functions cut into parts" },
};
enum { PASSES = COUNT(passes) };
// Then comes emit(), whose dump is the text that it makes.
static const char last_pass[] = "emit";

bool pass_exists(const char *name) {
  for (int i = 0; i < PASSES; i++)
    if (strcmp(passes[i].name, name) == 0)
      return true;
  return strcmp(last_pass, name) == 0;
}

void list_passes(Buf *out) {
  for (int i = 0; i < PASSES; i++)
    buf_printf(out, "  %-10s %s\n", passes[i].name, passes[i].shows);
  buf_printf(out,
             "  %-10s %s\n",
             last_pass,
             "the C that the compiler underneath gets");
}

static bool too_many_errors(const Unit *u) {
  return u->opt.max_errors && u->errors >= u->opt.max_errors;
}

// Returns true if all passes have run; false after too many errors, or after a dump.
static bool run_passes(Unit *u, Buf *out) {
  for (int i = 0; i < PASSES; i++) {
    passes[i].run(u);
    bool no_tokens = passes[i].run == lex && u->errors;
    if (no_tokens || too_many_errors(u))
      return false;
    if (u->opt.dump && strcmp(u->opt.dump, passes[i].name) == 0) {
      if (!u->errors)
        passes[i].dump(u, out);
      return false;
    }
  }
  return true;
}

// The last pass. In: everything. Out: C text; the witness, if one is wanted and can be written.
static void emit(Unit *u, Buf *out, Buf *witness) {
  if (u->no_witness)
    u->opt.witness = false;
  if (u->opt.witness)
    emit_witness(u, witness);
  if (u->opt.readable)
    emit_readable(u, out);
  else
    emit_unit(u, out);
}

static void *translate_on_big_stack(void *arg) {
  Job *j = arg;
  Unit *u = j->u;
  bool whole = run_passes(u, j->out);
  u->external = INT_MAX;
  if (u->errors)
    diags_release(u);
  else if (whole && (u->opt.list_yields || u->opt.frame_report))
    report_async(u, j->out);
  else if (whole)
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
  // too little address space: the current stack has to be enough
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
  Unit u = {
    .name = name,
    .text = copy,
    .len = len,
    .opt = *opt,
  };
  u.opt.witness = witness != NULL && opt->mode == TRANSLATE_AUTO;
  unit_init(&u);
  run_on_big_stack(&(Job){ &u, out, witness });
  int errors = u.errors;
  unit_free(&u);
  free(copy);
  return errors;
}
