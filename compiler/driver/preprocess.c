// preprocess.c: the first step of a unit: its preprocessed text, and whether it is translated.
// Errors and warnings of this step are kept: for a plain unit, the compiler reports them itself.
#include "driver/steps.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

// The output of -E -fdirectives-only: all files are in it, and the definitions of all macros, which
// are not expanded yet.
static bool has_macros_left(const Options *o, const Unit *u) {
  return u->item->kind == INPUT_CPP_OUTPUT && o->preprocessed &&
         o->directives_only;
}

// option: one more option, or NULL.
static int preprocess_with(Driver *d, Unit *u, const char *option) {
  Vec words = { 0 };
  const char *lang = u->item->lang;
  add_compiler(d, &words);
  add_options(d, &words, 1u << ROLE_BOTH | 1u << ROLE_PREPROCESS);
  if (has_macros_left(d->o, u)) {
    add_pair(&words, "-undef", "-w"); // the text defines all macros again
    lang = "c";
  } else {
    add_headers(d, &words);
  }
  add_color(d, &words);
  if (d->o->depend && !d->o->emit_c)
    add_depend(d, &words, u, u->depend);
  if (option)
    add_word(&words, option);
  add_word(&words, "-E");
  if (lang)
    add_pair(&words, "-x", lang);
  add_word(&words, u->item->value);
  if (d->o->verbose || d->o->dry_run)
    show_command(&words);
  Redirect to = { capture_open(), capture_open() };
  int status = run_command(&words, to);
  capture_read(to.out, &u->text);
  capture_read(to.err, &u->notes);
  vec_free(&words);
  return status;
}

// With -Werror, clang would report a pragma about one of fmcc's warnings as an error.
static int preprocess(Driver *d, Unit *u) {
  int status = preprocess_with(d, u, NULL);
  if (!d->clang || !restore_pragmas(&u->text, &u->notes) || status == 0 ||
      u->once)
    return status;
  buf_free(&u->text);
  buf_free(&u->notes);
  status = preprocess_with(d, u, "-Wno-error=unknown-warning-option");
  restore_pragmas(&u->text, &u->notes);
  return status;
}

static bool is_dialect(Unit *u) {
  bool found = has_own_pragma(u->text.data, u->text.len);
  u->strange = !found && might_be_dialect(u->text.data, u->text.len);
  return found;
}

// Messages that the second step prints again: those about options, and the number of warnings.
static bool comes_again(const char *line) {
  static const char *const starts[] = {
    "cc1: warning: ", "clang: warning: ", "warning: unknown warning option"
  };
  for (size_t i = 0; i < COUNT(starts); i++)
    if (strncmp(line, starts[i], strlen(starts[i])) == 0)
      return true;
  size_t digits = strspn(line, "0123456789");
  return digits && strncmp(line + digits, " warning", 8) == 0 &&
         strstr(line, "generated.");
}

// Shows the messages of -E. If the unit goes on, lines that the compiler will repeat are left out.
void replay(const Unit *u) {
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

// An .i file is preprocessed already.
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
    u->depend = temp_file(d, path_stem(&d->o->arena, u->item->value), ".d");
  return preprocess(d, u);
}

// Decides which text is compiled. A unit in the dialect that did not preprocess fails here, with
// the preprocessor's messages: the compiler underneath would go on and complain about the dialect.
void probe(Driver *d, Unit *u) {
  if (!check_input(u)) {
    u->failed = true;
    note_failure(d, 1);
    return;
  }
  int status = make_text(d, u);
  bool dialect = is_dialect(u);
  u->broken = status != 0;
  u->translate = dialect || d->o->mode != TRANSLATE_AUTO;
  if (u->broken && (dialect || u->once || d->o->emit_c)) {
    replay(u);
    u->failed = true;
    note_failure(d, status);
  }
  u->ours = !u->broken && (u->translate || u->once || d->o->emit_c);
  if (!u->ours)
    buf_free(&u->text);
}
