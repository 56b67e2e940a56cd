// functions.c: finds the functions of a file and their cyclomatic complexity: 1,
// and 1 for each if, for, while, case, catch, &&, || and ?:. A function is a
// `{` outside of braces whose declaration has a name before a `(`, and no `=`.
#include "stats.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONALS = 64 };

typedef struct {
  int depth; // of braces
  int parens;
  int conditionals;               // #if that are open
  int depth_at[MAX_CONDITIONALS]; // the depth at each of them
  const Tok *first;               // of the declaration at hand; NULL: none yet
  const Tok *name;                // its last word before a `(`
  bool initialised;               // it has a `=`
  bool inside;                    // a function, which is out->at[count - 1]
} Finder;

static bool is_one_of(const Tok *t, const char *const *words) {
  for (; *words; words++)
    if (tok_is(t, *words))
      return true;
  return false;
}

// Words before a `(` that do not name the function that is declared.
static const char *const no_names[] = {
  "__attribute__", "__attribute",    "_Alignas", "__asm__",
  "asm",           "__asm",          "throws",   "typeof",
  "__typeof__",    "_Static_assert", NULL,
};

static const char *const decisions[] = {
  "if", "for", "while", "case", "catch", "&&", "||", "?", NULL,
};

static void begin_function(Finder *f, const File *file, Functions *out) {
  if (out->count == out->room) {
    out->room = out->room ? out->room * 2 : 1024;
    out->at = realloc(out->at, out->room * sizeof *out->at);
    if (!out->at)
      abort();
  }
  Function *fn = &out->at[out->count++];
  int length = f->name->length;
  if (length >= (int)sizeof fn->name)
    length = sizeof fn->name - 1;
  *fn = (Function){
    .file = file,
    .first = f->first->line,
    .complexity = 1,
  };
  memcpy(fn->name, f->name->text, (size_t)length);
  f->inside = true;
}

static void end_declaration(Finder *f) {
  f->first = f->name = NULL;
  f->initialised = false;
}

static void open_brace(Finder *f, const File *file, Functions *out) {
  if (f->depth == 0 && f->name && !f->initialised)
    begin_function(f, file, out);
  f->depth++;
}

static void close_brace(Finder *f, const Tok *t, Functions *out) {
  if (f->depth > 0)
    f->depth--;
  if (f->depth > 0 || !f->inside)
    return;
  out->at[out->count - 1].last = t->line;
  f->inside = false;
  end_declaration(f);
}

// A token outside of braces.
static void declare(Finder *f, const Tok *t) {
  if (!f->first)
    f->first = t;
  if (tok_is(t, "(")) {
    const Tok *word = t - 1;
    if (f->parens++ == 0 && word >= f->first && word->kind == TOK_WORD &&
        !is_one_of(word, no_names))
      f->name = word;
  } else if (tok_is(t, ")")) {
    f->parens--;
  } else if (f->parens == 0 && tok_is(t, "=")) {
    f->initialised = true;
  } else if (f->parens == 0 && tok_is(t, ";")) {
    end_declaration(f);
  }
}

// The branches of a conditional begin at the same depth.
static void conditional(Finder *f, const Tok *word) {
  if (!strncmp(word->text, "if", 2)) {
    if (f->conditionals < MAX_CONDITIONALS)
      f->depth_at[f->conditionals] = f->depth;
    f->conditionals++;
  } else if (!strncmp(word->text, "el", 2)) {
    if (f->conditionals > 0 && f->conditionals <= MAX_CONDITIONALS)
      f->depth = f->depth_at[f->conditionals - 1];
  } else if (tok_is(word, "endif") && f->conditionals > 0) {
    f->conditionals--;
  }
}

void find_functions(const File *file, Functions *out) {
  Finder f = { 0 };
  const Tok *end = file->tokens.at + file->tokens.count;
  for (const Tok *t = file->tokens.at; t < end; t++) {
    if (t->directive) {
      if (tok_is(t, "#") && t + 1 < end && t[1].directive)
        conditional(&f, t + 1);
      continue;
    }
    if (f.inside && is_one_of(t, decisions))
      out->at[out->count - 1].complexity++;
    if (tok_is(t, "{"))
      open_brace(&f, file, out);
    else if (tok_is(t, "}"))
      close_brace(&f, t, out);
    else if (f.depth == 0)
      declare(&f, t);
  }
}
