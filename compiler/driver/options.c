// options.c: reads a command line as gcc and clang read it. In: argv. Out: Options: an Item for
// every option and input, in order (option-table.c), and the settings of the driver.
#include "driver/driver.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

// ---- what an input is ----
static InputKind kind_of_suffix(const char *path) {
  // clang-format off
  static const char *const sources[] = {
    "s",
    "S",
    "sx",
    "cc",
    "cp",
    "cxx",
    "cpp",
    "CPP",
    "c++",
    "C",
    "ii",
    "hh",
    "H",
    "hp",
    "hxx",
    "hpp",
    "HPP",
    "h++",
    "tcc",
    "m",
    "mi",
    "mm",
    "M",
    "mii",
    "f",
    "for",
    "ftn",
    "F",
    "FOR",
    "fpp",
    "f90",
    "F90",
    "f95",
    "F95",
    "f03",
    "F03",
    "f08",
    "F08",
    "go",
    "d",
    "di",
    "adb",
    "ads",
    "cu",
    "cl",
    "ll",
    "bc",
  };
  // clang-format on
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  if (!dot)
    return INPUT_LINKER;
  if (strcmp(dot, ".c") == 0)
    return INPUT_C;
  if (strcmp(dot, ".i") == 0)
    return INPUT_CPP_OUTPUT;
  if (strcmp(dot, ".h") == 0)
    return INPUT_HEADER;
  for (size_t i = 0; i < COUNT(sources); i++)
    if (strcmp(dot + 1, sources[i]) == 0)
      return INPUT_SOURCE;
  return INPUT_LINKER;
}

static InputKind kind_of(const Item *it) {
  if (!it->lang)
    return kind_of_suffix(it->value);
  if (strcmp(it->lang, "c") == 0)
    return INPUT_C;
  if (strcmp(it->lang, "c-header") == 0)
    return INPUT_HEADER;
  return strcmp(it->lang, "cpp-output") == 0 ? INPUT_CPP_OUTPUT : INPUT_SOURCE;
}

bool is_c(const Item *it) {
  InputKind k = it->kind;
  return it->id == OPT_INPUT &&
         (k == INPUT_C || k == INPUT_CPP_OUTPUT || k == INPUT_HEADER);
}

// ---- what options say ----
static void lower_stage(Options *o, Stage s) {
  if (s < o->stage)
    o->stage = s;
}

static void add_target(Options *o, const char *flag, const char *name) {
  vec_push(&o->depend_targets, (char *)flag);
  vec_push(&o->depend_targets, (char *)name);
}

// -Wp,-MD,FILE and its like (the Linux kernel writes them) ask for dependencies past the driver.
// They are taken out of the item; what remains of it is for the preprocessor.
static void read_wp(Options *o, Item *it) {
  Buf rest = { 0 };
  char *copy = arena_text(&o->arena, it->value, strlen(it->value));
  char *save = NULL;
  for (char *w = strtok_r(copy, ",", &save); w;
       w = strtok_r(NULL, ",", &save)) {
    bool user = strcmp(w, "-MMD") == 0;
    if (user || strcmp(w, "-MD") == 0) {
      o->depend = o->depend_wp = true;
      o->depend_user = user;
      o->depend_file = strtok_r(NULL, ",", &save);
    } else if (strcmp(w, "-MT") == 0 || strcmp(w, "-MQ") == 0) {
      char *name = strtok_r(NULL, ",", &save);
      if (name)
        add_target(o, w, name);
    } else if (strcmp(w, "-MP") == 0) {
      o->depend_phony = true;
    } else {
      buf_printf(&rest, ",%s", w);
    }
  }
  it->value = rest.len ? arena_printf(&o->arena, "-Wp%s", rest.data) : NULL;
  buf_free(&rest);
}

static void read_auto_yield(Options *o, const char *value) {
  if (strcmp(value, "off") != 0 && strcmp(value, "calls") != 0 &&
      strcmp(value, "loops") != 0)
    o->bad_yield = value;
}

static void read_mode(Options *o, const char *value) {
  static const char *const names[] = {
    "auto", "verbatim", "reprint", "assert"
  };
  for (int i = 0; i < 4; i++) {
    if (strcmp(value, names[i]) == 0) {
      o->mode = (TranslateMode)i;
      o->bad_mode = NULL;
      return;
    }
  }
  o->bad_mode = value;
}

// --emit-c=compiled: the text that the C compiler gets. (--emit-c alone is for people.)
static void read_form(Options *o, const char *value) {
  o->emit_c = true;
  o->readable = false;
  if (strcmp(value, "compiled") != 0)
    o->bad_form = value;
}

static void read_save(Options *o, const Item *it) {
  const char *v = it->value;
  o->save = strcmp(v, "cwd") == 0   ? SAVE_CWD
            : strcmp(v, "obj") == 0 ? SAVE_OBJ
                                    : SAVE_DEFAULT;
}

// "a,b" lists "b"
static bool lists(const char *words, const char *word) {
  size_t len = strlen(word);
  for (const char *p = words; p; p = strchr(p, ',')) {
    p += *p == ',';
    if (strncmp(p, word, len) == 0 && (p[len] == ',' || !p[len]))
      return true;
  }
  return false;
}

enum {
  OFF = false,
  ON = true,
};

static void read_sanitize(Options *o, const char *value, bool on) {
  if (lists(value, "address") || lists(value, "all"))
    o->asan = on;
  if (lists(value, "thread") || lists(value, "all"))
    o->tsan = on;
  if (lists(value, "memory") || lists(value, "all"))
    o->msan = on;
  if (lists(value, "atomicity") || lists(value, "atomicity-more"))
    o->atomicity = on;
  if (lists(value, "atomicity-more"))
    o->atomicity_more = on;
}

char *without_own_sanitizers(Arena *a, const char *value) {
  Buf rest = { 0 };
  char *copy = arena_text(a, value, strlen(value));
  char *save = NULL;
  buf_add(&rest, "", 0);
  for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save))
    if (strcmp(w, "atomicity") != 0 && strcmp(w, "atomicity-more") != 0)
      buf_printf(&rest, "%s%s", rest.len ? "," : "", w);
  char *text = arena_text(a, rest.data, rest.len);
  buf_free(&rest);
  return text;
}

// The compiler underneath gets the names that it knows.
static void take_own_sanitizers(Options *o, Item *it, bool on) {
  char *rest = without_own_sanitizers(&o->arena, it->value);
  read_sanitize(o, it->value, on);
  if (strcmp(rest, it->value) == 0)
    return;
  it->role = *rest ? it->role : ROLE_OWN;
  it->value = rest;
  it->word[0] =
      arena_printf(&o->arena, "-f%ssanitize=%s", on ? "" : "no-", rest);
}

void options_note_sanitizer(Options *o, const char *value) {
  read_sanitize(o, value, ON);
}

// fmcc itself makes JSON of the messages about units in the dialect.
static void read_format(Options *o, Item *it) {
  o->json =
      strcmp(it->value, "json") == 0 || strcmp(it->value, "json-stderr") == 0;
  if (o->json)
    it->role = ROLE_STEER;
}

// Options that only set a flag of Options.
static const struct {
  OptionId id;
  size_t flag; // offset in Options
} option_flags[] = {
  { OPT_VERBOSE, offsetof(Options, verbose) },
  { OPT_DRY, offsetof(Options, dry_run) },
  { OPT_EMIT_LLVM, offsetof(Options, emit_llvm) },
  { OPT_SPLIT_DWARF, offsetof(Options, split_dwarf) },
  { OPT_COVERAGE, offsetof(Options, coverage) },
  { OPT_DUMP_NAME, offsetof(Options, user_dumps) },
  { OPT_EMIT_WITNESS, offsetof(Options, emit_c) },
  { OPT_EMIT_WITNESS, offsetof(Options, emit_witness) },
  { OPT_EMIT_C, offsetof(Options, emit_c) },
  { OPT_EMIT_C, offsetof(Options, readable) },
  { OPT_LIST_YIELDS, offsetof(Options, emit_c) },
  { OPT_FRAME_REPORT, offsetof(Options, emit_c) },
  { OPT_DUMP, offsetof(Options, emit_c) },
  { OPT_HELP, offsetof(Options, help) },
  { OPT_VERSION, offsetof(Options, version) },
  { OPT_MD, offsetof(Options, depend) },
  { OPT_MMD, offsetof(Options, depend) },
  { OPT_MMD, offsetof(Options, depend_user) },
  { OPT_MP, offsetof(Options, depend_phony) },
  { OPT_NO_LIBS, offsetof(Options, no_runtime) },
  { OPT_PREPROCESSED, offsetof(Options, preprocessed) },
  { OPT_DIRECTIVES, offsetof(Options, directives_only) },
  { OPT_SHARED, offsetof(Options, shared) },
  { OPT_STATIC, offsetof(Options, static_link) },
  { OPT_SHARED_RUNTIME, offsetof(Options, shared_runtime) },
  { OPT_NO_RPATH, offsetof(Options, no_rpath) },
  { OPT_PRINT_LIBS, offsetof(Options, print_libs) },
};

static void set_flags(Options *o, OptionId id) {
  for (size_t i = 0; i < COUNT(option_flags); i++)
    if (option_flags[i].id == id)
      *(bool *)((char *)o + option_flags[i].flag) = true;
}

// The options that end a compilation early.
static void note_stage(Options *o, OptionId id) {
  static const struct {
    OptionId id;
    Stage stage;
    // clang-format off
  } stages[] = {
    { OPT_E, STAGE_PREPROCESS },
    { OPT_M, STAGE_PREPROCESS },
    { OPT_SYNTAX, STAGE_SYNTAX },
    { OPT_S, STAGE_ASSEMBLY },
    { OPT_C, STAGE_OBJECT },
  };
  // clang-format on
  for (size_t i = 0; i < COUNT(stages); i++)
    if (stages[i].id == id)
      lower_stage(o, stages[i].stage);
}

static void note_depend(Options *o, const Item *it) {
  if (it->id == OPT_MF)
    o->depend_file = it->value;
  if (it->id == OPT_MT)
    add_target(o, "-MT", it->value);
  if (it->id == OPT_MQ)
    add_target(o, "-MQ", it->value);
}

static void note_argument(Options *o, Item *it) {
  switch (it->id) {
  case OPT_OUTPUT:
    o->output = it->value;
    break;
  case OPT_WP:
    read_wp(o, it);
    break;
  case OPT_SAVE:
    read_save(o, it);
    break;
  case OPT_SANITIZE:
    take_own_sanitizers(o, it, ON);
    break;
  case OPT_NO_SANITIZE:
    take_own_sanitizers(o, it, OFF);
    break;
  case OPT_EMIT_FORM:
    read_form(o, it->value);
    break;
  case OPT_DUMP:
    o->dump = it->value;
    break;
  case OPT_AUTO_YIELD:
    read_auto_yield(o, it->value);
    break;
  case OPT_FORMAT:
    read_format(o, it);
    break;
  case OPT_TRANSLATE:
    read_mode(o, it->value);
    break;
  case OPT_CC:
    o->cc = it->value;
    break;
  default:
    break;
  }
}

static void note_option(Options *o, Item *it) {
  set_flags(o, it->id);
  note_stage(o, it->id);
  note_depend(o, it);
  note_argument(o, it);
}

static void note_input(Options *o, Item *it, const char *lang) {
  it->lang = lang;
  it->kind = kind_of(it);
  o->inputs++;
  if (it->kind != INPUT_LINKER)
    o->sources++;
}

// ---- response files ----
// One word, by gcc's rules: blanks separate, quotes group, a backslash takes the next character as
// it is.
static const char *next_word(const char *p, const char *end, Buf *word) {
  char quote = 0;
  for (; p < end && (quote || !strchr(" \t\n\r\f\v", *p)); p++) {
    if (*p == '\\' && p + 1 < end)
      buf_putc(word, *++p);
    else if (quote ? *p == quote : *p == '"' || *p == '\'')
      quote = quote ? 0 : *p;
    else
      buf_putc(word, *p);
  }
  return p;
}

static void expand(Options *o, char *word, Vec *out, int depth);

static void expand_text(Options *o, const Buf *text, Vec *out, int depth) {
  const char *p = text->data;
  const char *end = p + text->len;
  while (p < end) {
    if (strchr(" \t\n\r\f\v", *p)) {
      p++;
      continue;
    }
    Buf word = { 0 };
    buf_add(&word, "", 0);
    p = next_word(p, end, &word);
    expand(o, arena_text(&o->arena, word.data, word.len), out, depth + 1);
    buf_free(&word);
  }
}

// A word @FILE that names no readable file stands for itself, as with gcc.
static void expand(Options *o, char *word, Vec *out, int depth) {
  enum { DEEPEST = 200 };
  Buf text = { 0 };
  struct stat st;
  bool file = word[0] == '@' && word[1] && depth < DEEPEST &&
              stat(word + 1, &st) == 0 && !S_ISDIR(st.st_mode);
  if (file && buf_read_file(&text, word + 1))
    expand_text(o, &text, out, depth);
  else
    vec_push(out, word);
  buf_free(&text);
}

void split_words(Arena *a, const char *text, Vec *out) {
  for (const char *p = text; *p;) {
    size_t blank = strspn(p, " \t\n");
    size_t len = strcspn(p + blank, " \t\n");
    if (len)
      vec_push(out, arena_text(a, p + blank, len));
    p += blank + len;
  }
}

// ---- the whole line ----
static void read_items(Options *o, const Vec *words) {
  const char *lang = NULL;
  for (size_t i = 0; i < words->len; i++) {
    char *next = i + 1 < words->len ? words->at[i + 1] : NULL;
    Item *it = classify(&o->arena, words->at[i], next);
    vec_push(&o->items, it);
    if (it->word[1])
      i++;
    if (it->id == OPT_INPUT) {
      note_input(o, it, lang);
    } else if (!it->value && it->id) {
      o->bad_argument = true;
    } else if (it->id == OPT_LANG) {
      lang = strcmp(it->value, "none") == 0 ? NULL : it->value;
    } else {
      note_option(o, it);
    }
  }
}

static const char *for_clang(const Item *it) {
  return it->word[0] && it->word[1] && strcmp(it->word[0], "-Xclang") == 0
             ? it->word[1]
             : NULL;
}

static bool starts_clang_pair(const Options *o, size_t i, const char *option) {
  const char *word = i + 1 < o->items.len ? for_clang(o->items.at[i]) : NULL;
  return word && strcmp(word, option) == 0 && for_clang(o->items.at[i + 1]);
}

static void set_pair_role(const Options *o, size_t i, Role role) {
  ((Item *)o->items.at[i])->role = ((Item *)o->items.at[i + 1])->role = role;
}

// -Xclang -include -Xclang FILE, as CMake writes it, is for the preprocessor. So is such a pair
// with a precompiled header, but where the header itself is named, too, the preprocessor would read
// it twice.
static void find_clang_includes(Options *o) {
  for (size_t i = 0; i + 1 < o->items.len; i++) {
    if (starts_clang_pair(o, i, "-include"))
      set_pair_role(o, i, ROLE_PREPROCESS);
    if (!starts_clang_pair(o, i, "-include-pch"))
      continue;
    set_pair_role(o,
                  i,
                  starts_clang_pair(o, i + 2, "-include") ? ROLE_PRINT
                                                          : ROLE_PREPROCESS);
  }
}

// Properties of inputs that depend on the whole command line.
static void finish_inputs(Options *o) {
  int headers = 0;
  FOR_EACH (Item, it, o->items) {
    if (it->id != OPT_INPUT)
      continue;
    if (o->preprocessed && it->kind == INPUT_C)
      it->kind = INPUT_CPP_OUTPUT;
    headers += it->kind == INPUT_HEADER;
  }
  // a command with headers alone has nothing to link
  if (headers && headers == o->inputs)
    lower_stage(o, STAGE_OBJECT);
}

void options_read(Options *o, int argc, char **argv) {
  Vec words = { 0 };
  o->stage = STAGE_LINK;
  const char *mode = getenv("FMCC_TRANSLATE");
  if (mode && *mode)
    read_mode(o, mode);
  for (int i = 1; i < argc; i++)
    expand(o, argv[i], &words, 0);
  read_items(o, &words);
  finish_inputs(o);
  find_clang_includes(o);
  vec_free(&words);
}

void options_free(Options *o) {
  vec_free(&o->items);
  vec_free(&o->depend_targets);
  arena_free(&o->arena);
}
