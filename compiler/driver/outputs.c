// outputs.c: the files that the compiler would have written for the user's own file. In: the
// options and one unit. Out: Names: object, dependency file and target, auxiliary and saved files.
// The compiler is given our temporary file, so every name it derives from its input or output must
// be given to it. The rules are those of gcc 11 and later (-dumpdir, -dumpbase) and of clang;
// test/driver/depend.sh checks them.
#include "driver/driver.h"

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// The directory of the path, with its slash; "": none.
static char *dir_part(Arena *a, const char *path) {
  return arena_text(a, path, (size_t)(last_part(path) - path));
}

// The suffix, with its dot; "": none. A dot at the beginning starts no suffix.
static const char *suffix_of(const char *name) {
  const char *dot = *name ? strrchr(name + 1, '.') : NULL;
  return dot ? dot : "";
}

char *path_stem(Arena *a, const char *path) {
  const char *name = last_part(path);
  return arena_text(a, name, strlen(name) - strlen(suffix_of(name)));
}

// The suffix becomes .d. Here a dot at the beginning counts: .hidden becomes .d.
static char *with_suffix_d(Arena *a, const char *path) {
  const char *dot = strrchr(last_part(path), '.');
  size_t len = dot ? (size_t)(dot - path) : strlen(path);
  return arena_printf(a, "%.*s.d", (int)len, path);
}

static const char *object_suffix(const Options *o) {
  if (o->stage == STAGE_ASSEMBLY)
    return o->emit_llvm ? ".ll" : ".s";
  return o->emit_llvm ? ".bc" : ".o";
}

static bool links(const Options *o) {
  return o->stage == STAGE_LINK || o->stage == STAGE_SYNTAX;
}

// ---- gcc ----
// The prefix `prog-` of names in a command that links the program prog. It is empty if the only
// input has the program's name.
static char *link_prefix(Arena *a, const Options *o, const char *stem) {
  const char *name = o->output ? last_part(o->output) : "a.out";
  const char *suffix = suffix_of(name);
  bool drop = strcmp(suffix, ".exe") == 0 || strcmp(name, "a.out") == 0;
  char *prog = drop ? path_stem(a, name) : arena_text(a, name, strlen(name));
  if (o->inputs == 1 && strcmp(prog, stem) == 0)
    return "";
  return arena_printf(a, "%s-", prog);
}

static void
gcc_dump_names(Arena *a, const Options *o, const char *source, Names *n) {
  const char *name = last_part(source);
  char *stem = path_stem(a, source);
  char *dir = o->output && o->save != SAVE_CWD ? dir_part(a, o->output) : "";
  n->dump_ext = suffix_of(name);
  if (links(o)) {
    n->dump_dir = arena_printf(a, "%s%s", dir, link_prefix(a, o, stem));
    n->dump_base = name;
  } else {
    n->dump_dir = dir;
    n->dump_base =
        o->output && *last_part(o->output)
            ? arena_printf(a, "%s%s", path_stem(a, o->output), n->dump_ext)
            : name;
  }
  n->saved = arena_printf(a, "%s%s", n->dump_dir, path_stem(a, n->dump_base));
}

// ---- clang ----
static void
clang_names(Arena *a, const Options *o, const char *source, Names *n) {
  char *stem = path_stem(a, source);
  char *dir = o->output && o->save == SAVE_OBJ ? dir_part(a, o->output) : "";
  n->saved = arena_printf(a, "%s%s", dir, stem);
  if (o->stage == STAGE_LINK)
    n->clang_aux = stem;
}

// ---- dependencies ----
static void depend_names(
    Arena *a, const Options *o, bool clang, const char *source, Names *n) {
  char *stem = path_stem(a, source);
  // gcc's driver does not see -Wp,-MD and adds no target
  bool past_driver = o->depend_wp && !clang;
  n->depend_file = o->depend_file;
  if (!n->depend_file && o->output)
    n->depend_file = with_suffix_d(a, o->output);
  if (!n->depend_file)
    n->depend_file = arena_printf(
        a, "%s%s.d", !clang && links(o) ? link_prefix(a, o, stem) : "", stem);
  if (o->depend_targets.len)
    return;
  n->depend_target =
      o->output && !past_driver ? o->output : arena_printf(a, "%s.o", stem);
}

void names_for(const Options *o, bool clang, const Item *unit, Names *n) {
  Arena *a = (Arena *)&o->arena;
  const char *source = unit->value;
  *n = (Names){ 0 };
  if (clang)
    clang_names(a, o, source, n);
  else
    gcc_dump_names(a, o, source, n);
  if (o->depend)
    depend_names(a, o, clang, source, n);
  if (links(o))
    return;
  n->output = o->output;
  if (!n->output && unit->kind == INPUT_HEADER)
    n->output = arena_printf(a, "%s.gch", source);
  if (!n->output)
    n->output = arena_printf(a, "%s%s", path_stem(a, source), object_suffix(o));
}
