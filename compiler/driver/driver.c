// driver.c: the steps of a compilation.
//   file.c → cc -E → translate → cc -c → link with libfermata if something needs it
// In: Options and Toolchain. Out: what the compiler underneath would have left, and its exit
// status.
//
// A unit without `#pragma fermata` is plain C. The compiler itself compiles its source with the
// user's own arguments, not the preprocessed text: only so are warnings in macros, notes about
// their expansion, -g3, fall-through comments, precompiled headers and dependency files exactly the
// compiler's own. When no unit of a command is in the dialect, fmcc becomes the compiler (exec):
// one process, one exit status. The price is the preprocessing that finds this out.
#include "driver/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A user who has forgotten the #include gets a note, after the messages of the compiler.
static int with_hint(const Driver *d, int status) {
  for (size_t i = 0; status && i < d->units.len; i++) {
    const Unit *u = d->units.at[i];
    if (u->strange)
      advise("%s looks like Fermata, but does not #include <fermata.h>",
             u->item->value);
  }
  return status;
}

static bool any_strange(const Driver *d) {
  FOR_EACH (const Unit, unit, d->units) {
    if (unit->strange)
      return true;
  }
  return false;
}

// Prints the messages that were kept since compile_all(); exit() calls it, too.
static void show_as_json(void) {
  Buf kept = { 0 };
  if (stderr_show(&kept))
    print_json(kept.data, kept.len, stderr);
  buf_free(&kept);
}

// Runs the compiler in place of fmcc, with the user's words, the headers and the runtime.
static int become_compiler(Driver *d, Headers headers) {
  Vec words = { 0 };
  Vec none = { 0 };
  Buf kept = { 0 };
  stderr_show(&kept); // the compiler will report everything itself
  buf_free(&kept);
  add_compiler(d, &words);
  FOR_EACH (const Item, it, d->o->items) {
    if (it->role != ROLE_OWN)
      add_item(&words, it);
  }
  add_headers_for_rest(d, &words, headers);
  add_runtime(d->t, d->o, runtime_needed(d->o, d->t->root, &none), &words);
  if (any_strange(d))
    return with_hint(d, run_shown(d, &words));
  int status = exec_command(&words);
  vec_free(&words);
  return status;
}

// ---- step 4: what remains, and the link ----
static Unit *unit_of(const Driver *d, const Item *it) {
  FOR_EACH (Unit, u, d->units) {
    if (u->item == it)
      return u;
  }
  return NULL;
}

static void add_input(Vec *words,
                      const char *path,
                      const char *lang,
                      const char **in_force) {
  if (lang != *in_force &&
      (!lang || !*in_force || strcmp(lang, *in_force) != 0))
    add_pair(words, "-x", lang ? lang : "none");
  *in_force = lang;
  add_word(words, path);
}

// The user's command with the finished units replaced by their objects, or left out. Returns how
// many sources are in it.
static int rest_of_command(const Driver *d, Vec *words) {
  const char *lang = NULL;
  int sources = 0;
  add_compiler(d, words);
  FOR_EACH (const Item, it, d->o->items) {
    const Unit *u = unit_of(d, it);
    if (it->role == ROLE_OWN || it->id == OPT_LANG || it->id == OPT_DRY)
      continue;
    if (u && (u->failed || u->ours || u->object)) {
      if (u->object)
        add_input(words, u->object, NULL, &lang);
    } else if (it->id == OPT_INPUT) {
      sources += it->kind != INPUT_LINKER;
      add_input(words, it->value, it->lang, &lang);
    } else {
      add_item(words, it);
    }
  }
  return sources;
}

// A unit that could not be preprocessed goes to the compiler, which is to report the same errors.
static Headers headers_for_units(const Driver *d) {
  FOR_EACH (Unit, unit, d->units) {
    if (unit->broken)
      return HEADERS_OF_DIALECT;
  }
  return HEADERS_AS_C;
}

static int compile_rest(Driver *d) {
  Vec words = { 0 };
  int sources = rest_of_command(d, &words);
  add_atomicity(d->o, d->clang, &words);
  add_headers_for_rest(d, &words, headers_for_units(d));
  if (sources)
    return run_shown(d, &words);
  vec_free(&words);
  return 0;
}

// Without sources, options of the preprocessor are left out: clang would report them as unused.
static void add_link_words(const Driver *d, Vec *words) {
  Vec all = { 0 };
  int sources = rest_of_command(d, &all);
  vec_free(&all);
  if (sources) {
    rest_of_command(d, words);
    add_headers_for_rest(d, words, HEADERS_AS_C);
    return;
  }
  add_compiler(d, words);
  FOR_EACH (const Item, it, d->o->items) {
    const Unit *u = unit_of(d, it);
    bool skip = it->role == ROLE_OWN || it->role == ROLE_PREPROCESS ||
                it->role == ROLE_DEPEND || it->role == ROLE_PRINT;
    if (u && u->object)
      add_word(words, u->object);
    else if (!u && !skip && it->id != OPT_LANG && it->id != OPT_DRY)
      add_item(words, it);
  }
}

static int link_program(Driver *d) {
  Vec words = { 0 };
  Vec objects = { 0 };
  add_link_words(d, &words);
  for (size_t i = 0; i < d->units.len; i++) {
    char *object = ((Unit *)d->units.at[i])->object;
    if (object)
      vec_push(&objects, object);
  }
  Runtime runtime = { .yes = !d->o->no_runtime };
  if (!d->o->dry_run)
    runtime = runtime_needed(d->o, d->t->root, &objects);
  add_runtime(d->t, d->o, runtime, &words);
  vec_free(&objects);
  return run_shown(d, &words);
}

// ---- --emit-c ----
static int write_beside(const char *output, const Buf *c) {
  Buf temp = { 0 };
  struct stat st;
  if (lstat(output, &st) == 0 && !S_ISREG(st.st_mode))
    return write_file(output, c) ? 0 : 1;
  buf_printf(&temp, "%s.%ld.tmp", output, (long)getpid());
  remove_later(temp.data);
  bool ok = write_file(temp.data, c);
  if (ok && rename(temp.data, output) != 0) {
    complain("cannot write %s: %s", output, strerror(errno));
    ok = false;
  }
  if (ok)
    keep_file(temp.data);
  buf_free(&temp);
  return ok ? 0 : 1;
}

static bool print_whole(const Buf *c) {
  // stdout_written() reports a failure
  fwrite(c->data, 1, c->len, stdout);
  return stdout_written();
}

static void emit_c(Driver *d, Unit *u) {
  Buf c = { 0 };
  if (u->failed)
    return;
  replay(u);
  const char *output = d->o->output;
  Buf witness = { 0 };
  bool ok = make_c(d, u, &c, d->o->emit_witness ? &witness : NULL);
  if (d->o->emit_witness) {
    buf_free(&c);
    c = witness;
  }
  if (!ok)
    note_failure(d, 1);
  else if (output && strcmp(output, "-") != 0)
    note_failure(d, write_beside(output, &c));
  else
    note_failure(d, print_whole(&c) ? 0 : 1);
  buf_free(&c);
}

static int emit_all(Driver *d) {
  size_t n = d->units.len;
  bool wrong = n == 0 || (n > 1 && d->o->output);
  if (wrong) {
    complain(n ? "--emit-c -o takes one C file, not %zu"
               : "--emit-c needs a C file",
             n);
    return 1;
  }
  FOR_EACH (Unit, unit, d->units) {
    probe(d, unit);
    emit_c(d, unit);
  }
  return d->status;
}

// ---- the whole command ----
static bool has_role(const Options *o, Role role) {
  FOR_EACH (const Item, it, o->items) {
    if (it->id != OPT_INPUT && it->role == role)
      return true;
  }
  return false;
}

// Options that are not in the table may be questions, too.
static bool asks_something(const Options *o) {
  FOR_EACH (const Item, it, o->items) {
    if (it->id == OPT_OTHER && it->role == ROLE_BOTH && !it->value)
      return true;
  }
  return o->verbose || o->dry_run || o->bad_argument || has_role(o, ROLE_LINK);
}

static void collect_units(Driver *d) {
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
    if (!is_c(it))
      continue;
    Unit *u = NEW(&d->o->arena, Unit);
    u->item = it;
    names_for(d->o, d->clang, it, &u->names);
    vec_push(&d->units, u);
  }
}

static void compile_units(Driver *d) {
  bool separate = d->o->stage == STAGE_LINK;
  FOR_EACH (Unit, u, d->units) {
    if (u->failed)
      continue;
    bool header = u->item->kind == INPUT_HEADER;
    if (u->ours)
      note_failure(d, header ? precompile(d, u) : compile_ours(d, u));
    else if (separate && !header)
      note_failure(d, compile_plain(d, u));
  }
  if (!separate)
    note_failure(d, compile_rest(d));
  else if (d->status == 0)
    note_failure(d, link_program(d));
  with_hint(d, d->status);
}

// cc refuses to write over its input. It gets our temporary file, so fmcc has to check that.
static bool overwrites_input(const Options *o) {
  struct stat out;
  struct stat in;
  if (!o->output || stat(o->output, &out) != 0 || !S_ISREG(out.st_mode))
    return false;
  FOR_EACH (const Item, it, o->items) {
    if (!is_c(it) || stat(it->value, &in) != 0 || in.st_ino != out.st_ino ||
        in.st_dev != out.st_dev)
      continue;
    complain("%s is both input and output; give -o another name", it->value);
    return true;
  }
  return false;
}

// Reports mistakes in the command line that fmcc can find itself.
static bool misused(const Options *o) {
  if (!o->inputs && !asks_something(o)) {
    complain("no input files; name the files to compile, or see fmcc --help");
    return true;
  }
  if (o->output && o->sources > 1 && o->stage != STAGE_LINK &&
      o->stage != STAGE_SYNTAX && !o->emit_c) {
    complain("-o names one output, but there are %d files to compile with -c, "
             "-S or -E; leave out "
             "-o or compile them one by one",
             o->sources);
    return true;
  }
  return atomicity_misused(o) || overwrites_input(o);
}

// Returns false if every unit is plain C, so that fmcc has nothing to do.
static bool probe_all(Driver *d) {
  bool any = false;
  FOR_EACH (Unit, u, d->units) {
    probe(d, u);
    any |= u->ours || u->failed;
  }
  return any;
}

// clang does not know the format json, and would report that.
static void begin_json(Driver *d) {
  for (size_t i = 0; d->clang && i < d->o->items.len; i++) {
    Item *it = d->o->items.at[i];
    if (it->id == OPT_FORMAT)
      it->role = ROLE_BOTH;
  }
  if (d->clang)
    return;
  d->how.color = false;
  stderr_keep();
  atexit(show_as_json);
}

static int compile_all(Driver *d) {
  d->clang = toolchain_is_clang(d->t, d->o);
  translate_options(d->t, d->o, &d->how);
  collect_units(d);
  if (d->o->json)
    begin_json(d);
  if (d->o->emit_c)
    return emit_all(d);
  bool ours = d->units.len && probe_all(d);
  // instrumented units are compiled one by one: the link must not see -fsanitize=thread
  if (!ours && !(d->o->atomicity && d->units.len))
    return become_compiler(d, headers_for_units(d));
  compile_units(d);
  show_as_json();
  return d->status;
}

static void free_units(Driver *d) {
  for (size_t i = 0; i < d->units.len; i++) {
    Unit *u = d->units.at[i];
    buf_free(&u->text);
    buf_free(&u->notes);
  }
  vec_free(&d->units);
}

int drive(Options *o, Toolchain *t) {
  Driver d = { .o = o, .t = t };
  int status = 1;
  if (has_role(o, ROLE_QUERY))
    status = become_compiler(&d, HEADERS_AS_C);
  else if (misused(o))
    status = 1;
  else if (o->stage == STAGE_PREPROCESS && !o->emit_c)
    status = become_compiler(&d,
                             has_input(o, INPUT_SOURCE) ? HEADERS_AS_C
                                                        : HEADERS_OF_DIALECT);
  else
    status = compile_all(&d);
  free_units(&d);
  return status;
}
