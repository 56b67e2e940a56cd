// commands.c: the words of the commands that the driver runs. In: the options, a unit. Out: words
// of a command of the compiler underneath; the steps put them together.
#include "driver/steps.h"

#include <unistd.h>

void note_failure(Driver *d, int status) {
  if (d->status == 0)
    d->status = status;
}

void add_word(Vec *words, const char *w) {
  vec_push(words, (char *)w);
}

void add_pair(Vec *words, const char *flag, const char *value) {
  add_word(words, flag);
  add_word(words, value);
}

void add_item(Vec *words, const Item *it) {
  for (int i = 0; i < 2; i++)
    if (it->word[i])
      add_word(words, it->word[i]);
}

void add_compiler(const Driver *d, Vec *words) {
  for (size_t i = 0; i < d->t->cc.len; i++)
    add_word(words, d->t->cc.at[i]);
}

// The user's options whose role is in the set. The caller adds inputs, -x and the like.
void add_options(const Driver *d, Vec *words, unsigned roles) {
  // the user's one command becomes two, and each of them uses only some of the options
  if (d->clang)
    add_word(words, "-Qunused-arguments");
  if (roles & 1u << ROLE_COMPILE)
    add_atomicity(d->o, d->clang, words);
  FOR_EACH (const Item, it, d->o->items) {
    if (it->id == OPT_INPUT || !(roles & 1u << it->role))
      continue;
    if (it->id != OPT_WP)
      add_item(words, it);
    else if (it->value)
      add_word(words, it->value); // without the dependency options in it
  }
}

// The directory of <fermata.h>. The compiler searches /usr and /usr/local anyway; naming them would
// change the order of the search.
void add_include_path(const Driver *d, Vec *words) {
  const char *root = d->t->root;
  if (!root || strcmp(root, "/usr") == 0 || strcmp(root, "/usr/local") == 0)
    return;
  if (access(arena_printf(&d->o->arena, "%s/include/fermata.h", root), R_OK) !=
      0)
    return;
  add_pair(words, "-isystem", arena_printf(&d->o->arena, "%s/include", root));
}

void add_headers(const Driver *d, Vec *words) {
  // with this macro <fermata.h> turns the dialect on; other compilers do not define it
  add_word(words, "-D__FERMATA__=1");
  add_atomicity_macro(d->o, words);
  add_include_path(d, words);
}

// Preprocessed assembler text: clang would report an include path as unused.
static bool has_no_headers(const Item *it) {
  if (it->lang)
    return strcmp(it->lang, "assembler") == 0;
  const char *dot = strrchr(it->value, '.');
  return dot && strcmp(dot, ".s") == 0;
}

static bool may_include(const Options *o) {
  FOR_EACH (const Item, it, o->items) {
    if (it->id == OPT_INPUT && it->kind == INPUT_SOURCE && !has_no_headers(it))
      return true;
  }
  return false;
}

// Sources in C++ may call functions of the library that are not async, so they need its headers.
void add_headers_for_rest(const Driver *d, Vec *words, Headers headers) {
  if (headers == HEADERS_OF_DIALECT)
    add_headers(d, words);
  else if (may_include(d->o))
    add_include_path(d, words);
}

bool has_input(const Options *o, InputKind kind) {
  FOR_EACH (const Item, it, o->items) {
    if (it->id == OPT_INPUT && it->kind == kind)
      return true;
  }
  return false;
}

void add_depend(const Driver *d, Vec *words, const Unit *u, const char *file) {
  const Options *o = d->o;
  if (!o->depend)
    return;
  add_word(words, o->depend_user ? "-MMD" : "-MD");
  add_pair(words, "-MF", file);
  if (o->depend_phony)
    add_word(words, "-MP");
  for (size_t i = 0; i < o->depend_targets.len; i++)
    add_word(words, o->depend_targets.at[i]);
  if (u->names.depend_target)
    add_pair(words, "-MQ", u->names.depend_target);
}

// The names of .gcno, .dwo, .s and so on, which the compiler would derive from our temporary file.
void add_aux_names(const Driver *d, Vec *words, const Unit *u) {
  const Names *n = &u->names;
  Arena *a = &d->o->arena;
  if (n->dump_base && !d->o->user_dumps) {
    add_pair(words,
             "-dumpdir",
             n->dump_dir); // if empty, too: gcc would use -o's
    add_pair(words, "-dumpbase", n->dump_base);
    if (*n->dump_ext)
      add_pair(words, "-dumpbase-ext", n->dump_ext);
  }
  if (n->clang_aux && d->o->split_dwarf) {
    add_pair(words, "-Xclang", "-split-dwarf-output");
    add_pair(words, "-Xclang", arena_printf(a, "%s.dwo", n->clang_aux));
    add_pair(words, "-Xclang", "-split-dwarf-file");
    add_pair(words, "-Xclang", arena_printf(a, "%s.dwo", n->clang_aux));
  }
  if (n->clang_aux && d->o->coverage) {
    add_pair(words,
             "-Xclang",
             arena_printf(a, "-coverage-notes-file=%s.gcno", n->clang_aux));
    add_pair(words,
             "-Xclang",
             arena_printf(a, "-coverage-data-file=%s.gcda", n->clang_aux));
  }
}

void add_color(const Driver *d, Vec *words) {
  // the output of the step is captured, but the user has a terminal
  if (d->how.color)
    add_word(words, "-fdiagnostics-color=always");
}

static const char *stage_flag(const Options *o) {
  return o->stage == STAGE_SYNTAX     ? "-fsyntax-only"
         : o->stage == STAGE_ASSEMBLY ? "-S"
                                      : "-c";
}

int run_shown(const Driver *d, Vec *words) {
  if (d->o->verbose || d->o->dry_run)
    show_command(words);
  int status = d->o->dry_run ? 0 : run_command(words, (Redirect){ 0 });
  vec_free(words);
  return status;
}

char *temp_file(Driver *d, const char *stem, const char *suffix) {
  return temp_path(
      &d->o->arena,
      arena_printf(&d->o->arena, "%d-%.100s%s", d->serial++, stem, suffix));
}

static char *object_for_link(Driver *d, const Unit *u) {
  // -save-temps: cc keeps the object, too
  if (d->o->save != SAVE_NONE)
    return arena_printf(&d->o->arena, "%s.o", u->names.saved);
  return temp_file(d, path_stem(&d->o->arena, u->item->value), ".o");
}

void add_output(Driver *d, Vec *words, Unit *u) {
  const char *output = u->names.output;
  if (d->o->stage == STAGE_LINK)
    output = u->object = object_for_link(d, u);
  add_word(words, stage_flag(d->o));
  if (output)
    add_pair(words, "-o", output);
}
