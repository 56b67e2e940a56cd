// compile.c: the text of a unit becomes an object. The unit is translated, written to a temporary
// file, and compiled together with its witness. Headers in the dialect are precompiled.
#include "driver/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- translate ----
// The unit as C text; false after errors, which have been reported.
bool make_c(Driver *d, const Unit *u, Buf *out, Buf *witness) {
  buf_add(out, "", 0);
  if (u->translate)
    return translate(u->item->value,
                     u->text.data,
                     u->text.len,
                     &d->how,
                     out,
                     witness) == 0;
  // plain C: readers get the file itself
  if (d->how.readable && u->item->kind == INPUT_C &&
      strcmp(u->item->value, "-") != 0)
    return buf_read_file(out, u->item->value);
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

// After an error no older object stays: make would take it for a new one.
static void drop_output(const Unit *u) {
  struct stat st;
  if (u->names.output && stat(u->names.output, &st) == 0 && S_ISREG(st.st_mode))
    unlink(u->names.output);
}

// ---- compile ----
// Whether messages are changed: not where programs read them, or where -v prints among them.
static bool retells(const Driver *d, const Unit *u) {
  if (!u->translate || d->o->mode != TRANSLATE_AUTO || d->o->verbose ||
      d->o->dry_run)
    return false;
  FOR_EACH (const Item, it, d->o->items) {
    if (it->id == OPT_FORMAT && it->role == ROLE_BOTH)
      return false;
  }
  return true;
}

static int compile_and_retell(Driver *d, Vec *words, const char *path) {
  int said = capture_open();
  Buf text = { 0 };
  add_color(d, words);
  add_word(words, path);
  int status = run_command(words, (Redirect){ .err = said });
  capture_read(said, &text);
  retell(text.data, text.len, d->clang, path);
  buf_free(&text);
  vec_free(words);
  return status;
}

static bool any_item(const Driver *d, const char *word) {
  FOR_EACH (const Item, it, d->o->items) {
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
  add_word(words, "-g0");
  if (d->o->stage == STAGE_SYNTAX) {
    add_word(words, "-fsyntax-only");
  } else {
    add_word(words, "-S");
    // the compiler puts its other outputs next to -o
    add_pair(words,
             "-o",
             temp_file(d, path_stem(&d->o->arena, u->item->value), ".s"));
  }
  if (retells(d, u))
    add_color(d, words);
  add_pair(words, "-x", "cpp-output");
  add_word(words, path);
}

// generated: the path of the generated text; NULL: the messages are about the witness.
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

// The user reads the messages about the witness: each warning and error once, at the user's own
// places. An error in the compiled text alone is a mistake of fmcc, or an error of the assembler.
static int compile_with_witness(Driver *d,
                                const Unit *u,
                                Vec *words,
                                const char *path,
                                const char *witness) {
  int first = capture_open();
  int second = capture_open();
  int other = 0;
  Vec beside = { 0 };
  add_word(words, "-w");
  if (any_item(d, "-fanalyzer"))
    add_word(words, "-fno-analyzer");
  add_word(words, path);
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

// Whether a function can pause in very many places. clang's vectorizer of straight code needs a
// minute for such a function, where the rest of the compilation needs seconds.
static bool is_huge(const Buf *c) {
  enum { HUGE_ = 200 };
  // the number of states of the function follows
  static const char mark[] = "__fm_lines, ";
  const char *s = c->data;
  const char *end = s + c->len;
  while ((s = memmem(s, (size_t)(end - s), mark, sizeof mark - 1))) {
    s += sizeof mark - 1;
    if (strtol(s, NULL, 10) > HUGE_)
      return true;
  }
  return false;
}

// witness: the path of its text; NULL: there is no witness.
static int
compile_text(Driver *d, Unit *u, const char *path, const char *witness) {
  Vec words = { 0 };
  unsigned roles = 1u << ROLE_BOTH | 1u << ROLE_COMPILE | 1u << ROLE_SAVE;
  if (d->o->stage != STAGE_LINK)
    roles |= 1u << ROLE_LINK;
  add_compiler(d, &words);
  // it stands before the user's options, so that the user can turn it on again
  if (u->huge && d->clang)
    add_word(&words, "-fno-slp-vectorize");
  add_options(d, &words, roles);
  add_aux_names(d, &words, u);
  add_output(d, &words, u);
  add_pair(&words, "-x", "cpp-output");
  if (witness)
    return compile_with_witness(d, u, &words, path, witness);
  if (retells(d, u))
    return compile_and_retell(d, &words, path);
  add_word(&words, path);
  return run_shown(d, &words);
}

// The temporary file has the user's name, because clang derives the names of saved files from its
// input. So the units of a command are compiled one after the other.
static char *text_for_compiler(Driver *d, const Unit *u) {
  Arena *a = &d->o->arena;
  return temp_path(a, arena_printf(a, "%s.i", path_stem(a, u->item->value)));
}

// gcov and its users read each file that the debug information names. With coverage, the generated
// helpers therefore stand in a file that exists.
static void place_helpers(const Driver *d, Buf *c) {
  static const char name[] = "\"<fermata>\" 3\n";
  const char *root = d->t->root ? d->t->root : "";
  const char *header = arena_printf(&d->o->arena, "%s/include/fermata.h", root);
  Buf out = { 0 };
  if (!d->o->coverage || access(header, R_OK) != 0)
    return;
  const char *s = c->data;
  const char *end = s + c->len;
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

// bear makes compile_commands.json from the compilers that a build runs. None of fmcc's commands
// has the user's file in it. So bear is shown a command that only checks the syntax of that file,
// with the options that an editor needs.
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
  add_pair(&words, "-w", "-fsyntax-only");
  if (u->item->lang)
    add_pair(&words, "-x", u->item->lang);
  if (u->names.output)
    add_pair(&words, "-o", u->names.output);
  add_word(&words, u->item->value);
  run_command(&words, (Redirect){ said, said });
  capture_read(said, &text);
  buf_free(&text);
  vec_free(&words);
}

// The texts from which a unit is compiled.
typedef struct Texts {
  char *path;    // of the generated text, in the temporary directory
  char *witness; // of the witness; NULL: there is none
} Texts;

// Translates the unit and writes the texts; false after errors, which have been reported.
static bool write_texts(Driver *d, Unit *u, Texts *t) {
  Buf c = { 0 };
  Buf witness = { 0 };
  bool ok = make_c(d, u, &c, &witness);
  if (ok) {
    place_helpers(d, &c);
    ok = save_texts(d, u, &c) && write_file(t->path, &c);
  }
  if (ok && witness.len) {
    t->witness = temp_file(d, path_stem(&d->o->arena, u->item->value), ".i");
    ok = write_file(t->witness, &witness);
  }
  u->huge = c.len && is_huge(&c);
  buf_free(&c);
  buf_free(&witness);
  return ok;
}

static bool write_dependencies(const Driver *d, const Unit *u) {
  if (!d->o->depend || !u->depend || d->o->dry_run)
    return true;
  return copy_file(u->depend, u->names.depend_file);
}

int compile_ours(Driver *d, Unit *u) {
  Texts texts = { .path = text_for_compiler(d, u) };
  output_at_risk(u->names.output);
  replay(u);
  bool ok = d->o->dry_run || write_texts(d, u, &texts);
  if (ok && u->item->kind == INPUT_C)
    show_to_bear(d, u);
  ok = ok && write_dependencies(d, u);
  buf_free(&u->text);
  int status = ok ? compile_text(d, u, texts.path, texts.witness) : 1;
  if (status)
    drop_output(u);
  output_at_risk(NULL);
  unlink(texts.path);
  if (texts.witness)
    unlink(texts.witness);
  return status;
}

// ---- precompiled headers ----
// A unit in the dialect is compiled from its preprocessed text, which contains the header. So no
// unit uses the precompiled header; the compiler only has to accept it. It gets the header as
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
  add_pair(&words, "-w", "-c");
  add_pair(&words, "-o", u->names.output);
  add_pair(&words, "-x", "c-header");
  add_word(&words, u->item->value);
  if (d->o->verbose || d->o->dry_run)
    show_command(&words);
  int status =
      d->o->dry_run ? 0 : run_command(&words, (Redirect){ .err = said });
  capture_read(said, &text);
  buf_free(&text);
  vec_free(&words);
  return status;
}

// A header that the compiler cannot read as editors see it gets a stand-in. gcc ignores it; clang
// would need the name of the header from it, so there it is an error.
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

int precompile(Driver *d, Unit *u) {
  Buf c = { 0 };
  Buf witness = { 0 };
  output_at_risk(u->names.output);
  replay(u);
  bool ok = d->o->dry_run || make_c(d, u, &c, &witness); // reports its errors
  buf_free(&witness);
  ok = ok && write_dependencies(d, u);
  int status = !ok ? 1 : u->names.output ? precompile_unchecked(d, u) : 0;
  if (status)
    drop_output(u);
  output_at_risk(NULL);
  buf_free(&c);
  buf_free(&u->text);
  return status;
}

// ---- plain units ----
// A plain unit next to units in the dialect, in a command that links.
int compile_plain(Driver *d, Unit *u) {
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
    add_pair(&words, "-x", u->item->lang);
  add_word(&words, u->item->value);
  return run_shown(d, &words);
}
