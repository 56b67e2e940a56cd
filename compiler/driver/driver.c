// driver.c: the steps of a compilation.
//   file.c → cc -E → translate → cc -c → link with libfermata if something needs it
// In: Options and Toolchain. Out: what the compiler underneath would have left, and its exit
// status.
//
// A unit without `#pragma fermata` is plain C. It is not compiled from its preprocessed text but by
// the compiler itself from its own source with the user's own arguments: only so are warnings in
// macros, notes about their expansion, -g3, fall-through comments, precompiled headers and
// dependency files exactly the compiler's own. When no unit of a command is in the dialect, fmcc
// becomes the compiler (exec): one process, one exit status. The price is the preprocessing that
// finds this out.
#include "driver/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// One C input on its way through the steps.
typedef struct Unit {
  const Item *item;
  Names names;
  bool failed; // cannot go on: told to the user already
  bool broken; // did not preprocess: the compiler will say why
  // plain, but it might have been meant to be in the dialect
  bool strange;
  bool huge; // has a function of very many pauses
  bool once; // stdin or a pipe: cannot be read a second time
  // goes through the translator, or is compiled from its text
  bool ours;
  // ours, and not a plain unit that can only be read once
  bool translate;
  Buf text, notes; // preprocessed text (if ours), -E's stderr
  char *depend;    // temporary file: dependencies
  char *object;    // temporary object of a link, or NULL
} Unit;

typedef struct Driver {
  Options *o;
  Toolchain *t;
  TranslateOptions how;
  bool clang;
  Vec units;  // of Unit *, in command line order
  int serial; // numbers temporary files
  // of the command so far: that of the first failure
  int status;
} Driver;

static void fail(Driver *d, int status) {
  if (d->status == 0)
    d->status = status;
}

// ---- building commands ----
static void add(Vec *words, const char *w) {
  vec_push(words, (char *)w);
}

static void add2(Vec *words, const char *flag, const char *value) {
  add(words, flag);
  add(words, value);
}

static void add_item(Vec *words, const Item *it) {
  for (int i = 0; i < 2; i++)
    if (it->word[i])
      add(words, it->word[i]);
}

static void add_compiler(const Driver *d, Vec *words) {
  for (size_t i = 0; i < d->t->cc.len; i++)
    add(words, d->t->cc.at[i]);
}

// The user's options whose role is in the set; inputs, -x and the like are for the caller to say.
static void add_options(const Driver *d, Vec *words, unsigned roles) {
  // one command in two: each half has no use for some options
  if (d->clang)
    add(words, "-Qunused-arguments");
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
    if (it->id == OPT_INPUT || !(roles & 1u << it->role))
      continue;
    if (it->id != OPT_WP)
      add_item(words, it);
    else if (it->value)
      add(words, it->value); // without the dependency options in it
  }
}

// Where <fermata.h> is. /usr and /usr/local are searched anyway, and naming them would change the
// order.
static void add_include_path(const Driver *d, Vec *words) {
  const char *root = d->t->root;
  if (!root || strcmp(root, "/usr") == 0 || strcmp(root, "/usr/local") == 0)
    return;
  if (access(arena_printf(&d->o->arena, "%s/include/fermata.h", root), R_OK) !=
      0)
    return;
  add2(words, "-isystem", arena_printf(&d->o->arena, "%s/include", root));
}

static void add_headers(const Driver *d, Vec *words) {
  // <fermata.h> turns the dialect on for us alone
  add(words, "-D__FERMATA__=1");
  add_include_path(d, words);
}

static bool has_input(const Options *o, InputKind kind) {
  for (size_t i = 0; i < o->items.len; i++) {
    const Item *it = o->items.at[i];
    if (it->id == OPT_INPUT && it->kind == kind)
      return true;
  }
  return false;
}

static void
add_depend(const Driver *d, Vec *words, const Unit *u, const char *file) {
  const Options *o = d->o;
  if (!o->depend)
    return;
  add(words, o->depend_user ? "-MMD" : "-MD");
  add2(words, "-MF", file);
  if (o->depend_phony)
    add(words, "-MP");
  for (size_t i = 0; i < o->depend_targets.len; i++)
    add(words, o->depend_targets.at[i]);
  if (u->names.depend_target)
    add2(words, "-MQ", u->names.depend_target);
}

// The names of .gcno, .dwo, .s and so on, which the compiler would derive from our temporary file.
static void add_aux_names(const Driver *d, Vec *words, const Unit *u) {
  const Names *n = &u->names;
  Arena *a = &d->o->arena;
  if (n->dump_base && !d->o->user_dumps) {
    add2(words, "-dumpdir", n->dump_dir); // empty, too: else it follows -o
    add2(words, "-dumpbase", n->dump_base);
    if (*n->dump_ext)
      add2(words, "-dumpbase-ext", n->dump_ext);
  }
  if (n->clang_aux && d->o->split_dwarf) {
    add2(words, "-Xclang", "-split-dwarf-output");
    add2(words, "-Xclang", arena_printf(a, "%s.dwo", n->clang_aux));
    add2(words, "-Xclang", "-split-dwarf-file");
    add2(words, "-Xclang", arena_printf(a, "%s.dwo", n->clang_aux));
  }
  if (n->clang_aux && d->o->coverage) {
    add2(words,
         "-Xclang",
         arena_printf(a, "-coverage-notes-file=%s.gcno", n->clang_aux));
    add2(words,
         "-Xclang",
         arena_printf(a, "-coverage-data-file=%s.gcda", n->clang_aux));
  }
}

static const char *stage_flag(const Options *o) {
  return o->stage == STAGE_SYNTAX     ? "-fsyntax-only"
         : o->stage == STAGE_ASSEMBLY ? "-S"
                                      : "-c";
}

// ---- running them ----
static int run(const Driver *d, Vec *words) {
  if (d->o->verbose || d->o->dry_run)
    show_command(words);
  int status = d->o->dry_run ? 0 : run_command(words, (Redirect){ 0 });
  vec_free(words);
  return status;
}

static char *new_temp(Driver *d, const char *stem, const char *suffix) {
  return temp_path(
      &d->o->arena,
      arena_printf(&d->o->arena, "%d-%.100s%s", d->serial++, stem, suffix));
}

// Whoever has forgotten the #include is told so, behind what the compiler says of that.
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
  for (size_t i = 0; i < d->units.len; i++)
    if (((const Unit *)d->units.at[i])->strange)
      return true;
  return false;
}

// Sources in C++ may use what is not async of the library, and so need its headers, too.
static void add_headers_for_rest(const Driver *d, Vec *words, bool headers) {
  if (headers)
    add_headers(d, words);
  else if (has_input(d->o, INPUT_SOURCE))
    add_include_path(d, words);
}

// The end of what compile_all() began to keep; also before exit() in the middle.
static void show_as_json(void) {
  Buf kept = { 0 };
  if (stderr_show(&kept))
    print_json(kept.data, kept.len, stderr);
  buf_free(&kept);
}

// Becomes the compiler, with all the user's words and what is to be added.
static int become_compiler(Driver *d, bool headers) {
  Vec words = { 0 }, none = { 0 };
  Buf kept = { 0 };
  stderr_show(&kept); // it will say all itself
  buf_free(&kept);
  add_compiler(d, &words);
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
    if (it->role != ROLE_OWN)
      add_item(&words, it);
  }
  add_headers_for_rest(d, &words, headers);
  add_runtime(d->t, d->o, runtime_needed(d->o, d->t->root, &none), &words);
  if (any_strange(d))
    return with_hint(d, run(d, &words));
  int status = exec_command(&words);
  vec_free(&words);
  return status;
}

// ---- step 1: preprocess ----
// Errors and warnings of this step are kept: a plain unit's compiler says them itself.
static void add_color(const Driver *d, Vec *words) {
  // the step writes to a file, the user has a terminal
  if (d->how.color)
    add(words, "-fdiagnostics-color=always");
}

// The output of -E -fdirectives-only: all files are in it, and the definitions of all macros, which
// are not expanded yet.
static bool has_macros_left(const Options *o, const Unit *u) {
  return u->item->kind == INPUT_CPP_OUTPUT && o->preprocessed &&
         o->directives_only;
}

static int preprocess(Driver *d, Unit *u) {
  Vec words = { 0 };
  const char *lang = u->item->lang;
  add_compiler(d, &words);
  add_options(d, &words, 1u << ROLE_BOTH | 1u << ROLE_PREPROCESS);
  if (has_macros_left(d->o, u)) {
    add2(&words, "-undef", "-w"); // it defines again what it found defined
    lang = "c";
  } else {
    add_headers(d, &words);
  }
  add_color(d, &words);
  if (d->o->depend && !d->o->emit_c)
    add_depend(d, &words, u, u->depend);
  add(&words, "-E");
  if (lang)
    add2(&words, "-x", lang);
  add(&words, u->item->value);
  if (d->o->verbose || d->o->dry_run)
    show_command(&words);
  Redirect to = { capture_open(), capture_open() };
  int status = run_command(&words, to);
  capture_read(to.out, &u->text);
  capture_read(to.err, &u->notes);
  vec_free(&words);
  return status;
}

static bool is_dialect(Unit *u) {
  bool found = uses_dialect(u->text.data, u->text.len);
  u->strange = !found && might_be_dialect(u->text.data, u->text.len);
  return found;
}

// The second step says again what is about options, not about the text, and how many warnings there
// were.
static bool comes_again(const char *line) {
  static const char *const starts[] = {
    "cc1: warning: ", "clang: warning: ", "warning: unknown warning option"
  };
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(line, starts[i], strlen(starts[i])) == 0)
      return true;
  size_t digits = strspn(line, "0123456789");
  return digits && strncmp(line + digits, " warning", 8) == 0 &&
         strstr(line, "generated.");
}

// Shows what -E said. If the unit goes on, without the lines that the compiler will say as well.
static void replay(const Unit *u) {
  for (const char *p = u->notes.data, *end = p + u->notes.len, *next; p < end;
       p = next) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    Buf plain = { 0 };
    next = newline ? newline + 1 : end;
    without_colors(p, (size_t)(next - p), &plain);
    if (u->broken || !comes_again(plain.data))
      fwrite(p, 1, (size_t)(next - p), stderr);
    buf_free(&plain);
  }
}

static bool check_input(Unit *u) {
  const char *path = u->item->value;
  struct stat st;
  if (strcmp(path, "-") == 0) {
    u->once = true;
    return true;
  }
  int why = stat(path, &st) != 0      ? errno
            : S_ISDIR(st.st_mode)     ? EISDIR
            : access(path, R_OK) != 0 ? errno
                                      : 0;
  if (why)
    complain("%s: %s", *path ? path : "''", strerror(why));
  u->once = !why && !S_ISREG(st.st_mode);
  return !why;
}

// An .i file is its own text.
static int take_preprocessed(Unit *u) {
  bool ok = buf_read_file(&u->text, u->item->value);
  if (!ok)
    complain("%s: %s", u->item->value, strerror(errno));
  buf_add(&u->text, "", 0);
  return ok ? 0 : 1;
}

static int make_text(Driver *d, Unit *u) {
  if (u->item->kind == INPUT_CPP_OUTPUT && !has_macros_left(d->o, u))
    return take_preprocessed(u);
  if (d->o->depend)
    u->depend = new_temp(d, path_stem(&d->o->arena, u->item->value), ".d");
  return preprocess(d, u);
}

// Decides who compiles the unit. One in the dialect that did not preprocess fails here, with the
// preprocessor's messages: the compiler underneath would go on and complain about the dialect.
static void probe(Driver *d, Unit *u) {
  if (!check_input(u)) {
    u->failed = true;
    fail(d, 1);
    return;
  }
  int status = make_text(d, u);
  bool dialect = is_dialect(u);
  u->broken = status != 0;
  u->translate = dialect || d->o->mode != TRANSLATE_AUTO;
  if (u->broken && (dialect || u->once || d->o->emit_c)) {
    replay(u);
    u->failed = true;
    fail(d, status);
  }
  u->ours = !u->broken && (u->translate || u->once || d->o->emit_c);
  if (!u->ours)
    buf_free(&u->text);
}

// ---- step 2: translate ----
// The unit as C text; false after errors, which are told.
static bool make_c(Driver *d, const Unit *u, Buf *out, Buf *witness) {
  buf_add(out, "", 0);
  if (u->translate)
    return translate(u->item->value,
                     u->text.data,
                     u->text.len,
                     &d->how,
                     out,
                     witness) == 0;
  buf_add(out, u->text.data, u->text.len);
  return true;
}

static bool copy_file(const char *from, const char *to) {
  Buf b = { 0 };
  buf_add(&b, "", 0);
  bool ok = buf_read_file(&b, from);
  if (!ok)
    complain("%s: %s", from, strerror(errno));
  ok = ok && write_file(to, &b);
  buf_free(&b);
  return ok;
}

static bool save_texts(Driver *d, const Unit *u, const Buf *c) {
  Arena *a = &d->o->arena;
  if (d->o->save == SAVE_NONE)
    return true;
  bool ok = u->item->kind == INPUT_CPP_OUTPUT ||
            write_file(arena_printf(a, "%s.i", u->names.saved), &u->text);
  return ok && write_file(arena_printf(a, "%s.fm.i", u->names.saved), c);
}

// ---- step 3: compile ----
// As after the compiler's own errors, no older object stays that make would take for a new one.
static void drop_output(const Unit *u) {
  struct stat st;
  if (u->names.output && stat(u->names.output, &st) == 0 && S_ISREG(st.st_mode))
    unlink(u->names.output);
}

static char *object_for_link(Driver *d, const Unit *u) {
  // cc keeps it, too
  if (d->o->save != SAVE_NONE)
    return arena_printf(&d->o->arena, "%s.o", u->names.saved);
  return new_temp(d, path_stem(&d->o->arena, u->item->value), ".o");
}

static void add_output(Driver *d, Vec *words, Unit *u) {
  const char *output = u->names.output;
  if (d->o->stage == STAGE_LINK)
    output = u->object = object_for_link(d, u);
  add(words, stage_flag(d->o));
  if (output)
    add2(words, "-o", output);
}

// Not where messages are for programs, or come among others.
static bool retells(const Driver *d, const Unit *u) {
  if (!u->translate || d->o->mode != TRANSLATE_AUTO || d->o->verbose ||
      d->o->dry_run)
    return false;
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
    if (it->id == OPT_FORMAT && it->role == ROLE_BOTH)
      return false;
  }
  return true;
}

static int compile_and_retell(Driver *d, Vec *words, const char *path) {
  int said = capture_open();
  Buf text = { 0 };
  add_color(d, words);
  add(words, path);
  int status = run_command(words, (Redirect){ .err = said });
  capture_read(said, &text);
  retell(text.data, text.len, d->clang, path);
  buf_free(&text);
  vec_free(words);
  return status;
}

// What the witness draws is what the user reads: each warning and error once, at his own places.
// What it does not draw, the text that is compiled may: an error there is one of ours, or one of
// the assembler's.
static bool any_item(const Driver *d, const char *word) {
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
    if (it->id != OPT_INPUT && it->word[0] && strcmp(it->word[0], word) == 0)
      return true;
  }
  return false;
}

static void
witness_command(Driver *d, const Unit *u, Vec *words, const char *path) {
  unsigned roles = 1u << ROLE_BOTH | 1u << ROLE_COMPILE;
  if (d->o->stage != STAGE_LINK)
    roles |= 1u << ROLE_LINK;
  add_compiler(d, words);
  add_options(d, words, roles);
  add(words, "-g0");
  if (d->o->stage == STAGE_SYNTAX) {
    add(words, "-fsyntax-only");
  } else {
    add(words, "-S");
    // what else it makes goes beside it
    add2(words,
         "-o",
         new_temp(d, path_stem(&d->o->arena, u->item->value), ".s"));
  }
  if (retells(d, u))
    add_color(d, words);
  add2(words, "-x", "cpp-output");
  add(words, path);
}

// generated: NULL: of the witness
static void
tell_captured(const Driver *d, const Unit *u, int said, const char *generated) {
  Buf text = { 0 };
  capture_read(said, &text);
  if (!retells(d, u))
    fwrite(text.data, 1, text.len, stderr);
  else if (generated)
    retell(text.data, text.len, d->clang, generated);
  else
    retell_witness(text.data, text.len, d->clang);
  buf_free(&text);
}

static int compile_with_witness(Driver *d,
                                const Unit *u,
                                Vec *words,
                                const char *path,
                                const char *witness) {
  int first = capture_open(), second = capture_open(), other = 0;
  Vec beside = { 0 };
  add(words, "-w");
  if (any_item(d, "-fanalyzer"))
    add(words, "-fno-analyzer");
  add(words, path);
  witness_command(d, u, &beside, witness);
  if (d->o->verbose)
    show_command(words);
  if (d->o->verbose)
    show_command(&beside);
  int status = run_both(words,
                        (Redirect){ .err = second },
                        &beside,
                        (Redirect){ .err = first },
                        &other);
  vec_free(words);
  vec_free(&beside);
  tell_captured(d, u, first, NULL);
  if (other)
    close(second);
  else
    tell_captured(d, u, second, path);
  return other ? other : status;
}

// Whether a function can pause in very many places: clang's vectorizer of straight code then takes
// a minute where all the rest takes seconds.
static bool is_huge(const Buf *c) {
  enum { HUGE_ = 200 };
  // followed by the number of its states
  static const char mark[] = "__fm_lines, ";
  const char *s = c->data, *end = s + c->len;
  while ((s = memmem(s, (size_t)(end - s), mark, sizeof mark - 1))) {
    s += sizeof mark - 1;
    if (strtol(s, NULL, 10) > HUGE_)
      return true;
  }
  return false;
}

// witness: NULL: there is none
static int
compile_text(Driver *d, Unit *u, const char *path, const char *witness) {
  Vec words = { 0 };
  unsigned roles = 1u << ROLE_BOTH | 1u << ROLE_COMPILE | 1u << ROLE_SAVE;
  if (d->o->stage != STAGE_LINK)
    roles |= 1u << ROLE_LINK;
  add_compiler(d, &words);
  // before the user's options
  if (u->huge && d->clang)
    add(&words, "-fno-slp-vectorize");
  add_options(d, &words, roles);
  add_aux_names(d, &words, u);
  add_output(d, &words, u);
  add2(&words, "-x", "cpp-output");
  if (witness)
    return compile_with_witness(d, u, &words, path, witness);
  if (retells(d, u))
    return compile_and_retell(d, &words, path);
  add(&words, path);
  return run(d, &words);
}

// The temporary has the user's name, since clang names what it saves after its input; so units take
// turns.
static char *text_for_compiler(Driver *d, const Unit *u) {
  Arena *a = &d->o->arena;
  return temp_path(a, arena_printf(a, "%s.i", path_stem(a, u->item->value)));
}

// gcov and those that use it want to read each file that they are told of: helpers are then in one
// that exists.
static void place_helpers(const Driver *d, Buf *c) {
  static const char name[] = "\"<fermata>\" 3\n";
  const char *root = d->t->root ? d->t->root : "";
  const char *header = arena_printf(&d->o->arena, "%s/include/fermata.h", root);
  Buf out = { 0 };
  if (!d->o->coverage || access(header, R_OK) != 0)
    return;
  const char *s = c->data, *end = s + c->len;
  for (const char *at;
       (at = memmem(s, (size_t)(end - s), name, sizeof name - 1));) {
    buf_add(&out, s, (size_t)(at - s));
    buf_printf(&out, "\"%s\" 3\n", header);
    s = at + sizeof name - 1;
  }
  buf_add(&out, s, (size_t)(end - s));
  buf_free(c);
  *c = out;
}

// bear makes compile_commands.json from the compilers that a build runs. It would see none that
// gets the user's file: so it is shown one that only reads it, as editors do, with what that takes.
static void show_to_bear(const Driver *d, const Unit *u) {
  Vec words = { 0 };
  Buf text = { 0 };
  if (!getenv("INTERCEPT_REPORT_DESTINATION") || u->once || d->o->dry_run)
    return;
  int said = capture_open();
  add_compiler(d, &words);
  add_options(d,
              &words,
              1u << ROLE_BOTH | 1u << ROLE_PREPROCESS | 1u << ROLE_COMPILE);
  add_include_path(d, &words);
  add2(&words, "-w", "-fsyntax-only");
  if (u->item->lang)
    add2(&words, "-x", u->item->lang);
  if (u->names.output)
    add2(&words, "-o", u->names.output);
  add(&words, u->item->value);
  run_command(&words, (Redirect){ said, said });
  capture_read(said, &text);
  buf_free(&text);
  vec_free(&words);
}

static int compile_ours(Driver *d, Unit *u) {
  Buf c = { 0 }, witness = { 0 };
  char *path = text_for_compiler(d, u), *beside = NULL;
  output_at_risk(u->names.output);
  replay(u);
  bool ok = d->o->dry_run || make_c(d, u, &c, &witness);
  if (ok && !d->o->dry_run) {
    place_helpers(d, &c);
    ok = save_texts(d, u, &c) && write_file(path, &c);
  }
  if (ok && witness.len) {
    beside = new_temp(d, path_stem(&d->o->arena, u->item->value), ".i");
    ok = write_file(beside, &witness);
  }
  buf_free(&witness);
  if (ok && u->item->kind == INPUT_C)
    show_to_bear(d, u);
  if (ok && d->o->depend && u->depend && !d->o->dry_run)
    ok = copy_file(u->depend, u->names.depend_file);
  u->huge = c.len && is_huge(&c);
  buf_free(&c);
  buf_free(&u->text);
  int status = ok ? compile_text(d, u, path, beside) : 1;
  if (status)
    drop_output(u);
  output_at_risk(NULL);
  unlink(path);
  if (beside)
    unlink(beside);
  return status;
}

// ---- precompiled headers ----
// A unit in the dialect is compiled from its text, for which the compiler reads the header itself.
// So what is precompiled here need only be what the compiler accepts as such: it gets the header as
// editors see it (<fermata/keywords.h>).
static int run_precompiler(const Driver *d, const Unit *u) {
  Vec words = { 0 };
  int said = capture_open();
  Buf text = { 0 };
  add_compiler(d, &words);
  add_options(d,
              &words,
              1u << ROLE_BOTH | 1u << ROLE_PREPROCESS | 1u << ROLE_COMPILE);
  add_include_path(d, &words);
  add2(&words, "-w", "-c");
  add2(&words, "-o", u->names.output);
  add2(&words, "-x", "c-header");
  add(&words, u->item->value);
  if (d->o->verbose || d->o->dry_run)
    show_command(&words);
  int status =
      d->o->dry_run ? 0 : run_command(&words, (Redirect){ .err = said });
  capture_read(said, &text);
  buf_free(&text);
  vec_free(&words);
  return status;
}

// gcc passes over what it cannot use; clang needs the name of the header out of it.
static int precompile_unchecked(const Driver *d, const Unit *u) {
  static const char text[] = "This stands for a header in the dialect of "
                             "Fermata, which fmcc reads anew for each unit.\n";
  Buf stand_in = { 0 };
  if (run_precompiler(d, u) == 0)
    return 0;
  if (d->clang) {
    complain("%s cannot be precompiled: clang does not read all of its code "
             "without fmcc; "
             "include it as it is",
             u->item->value);
    return 1;
  }
  buf_puts(&stand_in, text);
  bool ok = write_file(u->names.output, &stand_in);
  buf_free(&stand_in);
  return ok ? 0 : 1;
}

static int precompile(Driver *d, Unit *u) {
  Buf c = { 0 }, witness = { 0 };
  output_at_risk(u->names.output);
  replay(u);
  bool ok = d->o->dry_run || make_c(d, u, &c, &witness); // for its errors
  buf_free(&witness);
  if (ok && d->o->depend && !d->o->dry_run)
    ok = copy_file(u->depend, u->names.depend_file);
  int status = !ok ? 1 : u->names.output ? precompile_unchecked(d, u) : 0;
  if (status)
    drop_output(u);
  output_at_risk(NULL);
  buf_free(&c);
  buf_free(&u->text);
  return status;
}

// A plain unit beside others in the dialect, in a command that links.
static int compile_plain(Driver *d, Unit *u) {
  Vec words = { 0 };
  unsigned roles = 1u << ROLE_BOTH | 1u << ROLE_PREPROCESS |
                   1u << ROLE_COMPILE | 1u << ROLE_SAVE;
  add_compiler(d, &words);
  add_options(d, &words, roles);
  if (u->broken)
    add_headers(d, &words);
  add_aux_names(d, &words, u);
  if (u->item->kind == INPUT_C)
    add_depend(d, &words, u, u->names.depend_file);
  add_output(d, &words, u);
  if (u->item->lang)
    add2(&words, "-x", u->item->lang);
  add(&words, u->item->value);
  return run(d, &words);
}

// ---- step 4: what remains, and the link ----
static Unit *unit_of(const Driver *d, const Item *it) {
  for (size_t i = 0; i < d->units.len; i++) {
    Unit *u = d->units.at[i];
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
    add2(words, "-x", lang ? lang : "none");
  *in_force = lang;
  add(words, path);
}

// The user's command with the finished units replaced by their objects, or left out. Returns how
// many sources are in it.
static int rest_of_command(const Driver *d, Vec *words) {
  const char *lang = NULL;
  int sources = 0;
  add_compiler(d, words);
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
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

static bool any_broken(const Driver *d) {
  for (size_t i = 0; i < d->units.len; i++)
    if (((Unit *)d->units.at[i])->broken)
      return true;
  return false;
}

static int compile_rest(Driver *d) {
  Vec words = { 0 };
  int sources = rest_of_command(d, &words);
  add_headers_for_rest(d, &words, any_broken(d));
  if (sources)
    return run(d, &words);
  vec_free(&words);
  return 0;
}

// Without sources, what is for the preprocessor would only make clang complain.
static void add_link_words(const Driver *d, Vec *words) {
  Vec all = { 0 };
  int sources = rest_of_command(d, &all);
  vec_free(&all);
  if (sources) {
    rest_of_command(d, words);
    add_headers_for_rest(d, words, false);
    return;
  }
  add_compiler(d, words);
  for (size_t i = 0; i < d->o->items.len; i++) {
    const Item *it = d->o->items.at[i];
    const Unit *u = unit_of(d, it);
    bool skip = it->role == ROLE_OWN || it->role == ROLE_PREPROCESS ||
                it->role == ROLE_DEPEND || it->role == ROLE_PRINT;
    if (u && u->object)
      add(words, u->object);
    else if (!u && !skip && it->id != OPT_LANG && it->id != OPT_DRY)
      add_item(words, it);
  }
}

static int link_program(Driver *d) {
  Vec words = { 0 }, objects = { 0 };
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
  return run(d, &words);
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
  // stdout_written() knows whether that has failed
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
    fail(d, 1);
  else if (output && strcmp(output, "-") != 0)
    fail(d, write_beside(output, &c));
  else
    fail(d, print_whole(&c) ? 0 : 1);
  buf_free(&c);
  buf_free(&u->text);
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
  for (size_t i = 0; i < d->units.len; i++) {
    probe(d, d->units.at[i]);
    emit_c(d, d->units.at[i]);
  }
  return d->status;
}

// ---- the whole command ----
static bool has_role(const Options *o, Role role) {
  for (size_t i = 0; i < o->items.len; i++) {
    const Item *it = o->items.at[i];
    if (it->id != OPT_INPUT && it->role == role)
      return true;
  }
  return false;
}

// Options that nobody in the table knows may be questions, too.
static bool asks_something(const Options *o) {
  for (size_t i = 0; i < o->items.len; i++) {
    const Item *it = o->items.at[i];
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
  for (size_t i = 0; i < d->units.len; i++) {
    Unit *u = d->units.at[i];
    if (u->failed)
      continue;
    bool header = u->item->kind == INPUT_HEADER;
    if (u->ours)
      fail(d, header ? precompile(d, u) : compile_ours(d, u));
    else if (separate && !header)
      fail(d, compile_plain(d, u));
  }
  if (!separate)
    fail(d, compile_rest(d));
  else if (d->status == 0)
    fail(d, link_program(d));
  with_hint(d, d->status);
}

// cc refuses to write over its input; given our temporary file it could not know.
static bool overwrites_input(const Options *o) {
  struct stat out, in;
  if (!o->output || stat(o->output, &out) != 0 || !S_ISREG(out.st_mode))
    return false;
  for (size_t i = 0; i < o->items.len; i++) {
    const Item *it = o->items.at[i];
    if (!is_c(it) || stat(it->value, &in) != 0 || in.st_ino != out.st_ino ||
        in.st_dev != out.st_dev)
      continue;
    complain("%s is both input and output; give -o another name", it->value);
    return true;
  }
  return false;
}

// A mistake of the user that we can name ourselves.
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
  return overwrites_input(o);
}

// False if there is nothing for us to do: every unit is plain.
static bool probe_all(Driver *d) {
  bool any = false;
  for (size_t i = 0; i < d->units.len; i++) {
    Unit *u = d->units.at[i];
    probe(d, u);
    any |= u->ours || u->failed;
  }
  return any;
}

// clang does not know that format, and says so.
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
  if (!d->units.len || !probe_all(d))
    return become_compiler(d, any_broken(d));
  compile_units(d);
  show_as_json();
  return d->status;
}

int drive(Options *o, Toolchain *t) {
  Driver d = { .o = o, .t = t };
  int status = 1;
  if (has_role(o, ROLE_QUERY))
    status = become_compiler(&d, false);
  else if (misused(o))
    status = 1;
  else if (o->stage == STAGE_PREPROCESS && !o->emit_c)
    status = become_compiler(&d, !has_input(o, INPUT_SOURCE));
  else
    status = compile_all(&d);
  vec_free(&d.units);
  return status;
}
