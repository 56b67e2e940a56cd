// toolchain.c: which C compiler is underneath, where fmcc is installed, what the target is like.
// In: environment, --cc=, the options. Out: Toolchain; the translator's options. Whether the
// compiler is gcc or clang is known from its name where possible: running it costs as much as a
// small compile.
#include "driver/driver.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool is_program(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

// ---- looking up programs ----
static char *search_path(Arena *a, const char *name) {
  if (strchr(name, '/'))
    return is_program(name) ? arena_text(a, name, strlen(name)) : NULL;
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin";; p++) {
    size_t len = strcspn(p, ":");
    char *full = len ? arena_printf(a, "%.*s/%s", (int)len, p, name)
                     : arena_text(a, name, strlen(name));
    if (is_program(full))
      return full;
    p += len;
    if (!*p)
      return NULL;
  }
}

static char *real_path(Arena *a, const char *path) {
  char full[PATH_MAX];
  if (realpath(path, full))
    return arena_text(a, full, strlen(full));
  if (errno == ENOMEM)
    out_of_memory();
  return NULL;
}

static char *own_path(Arena *a, const char *argv0) {
  char *self = real_path(a, "/proc/self/exe");
  if (self)
    return self;
  char *found = argv0 ? search_path(a, argv0) : NULL;
  return found ? real_path(a, found) : NULL;
}

char *find_root(Arena *a, const char *argv0) {
  char *self = own_path(a, argv0);
  if (!self)
    return NULL;
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(self, '/');
    if (!slash)
      return NULL;
    *slash = 0;
  }
  return self;
}

// ---- choosing the compiler ----
static bool is_ourselves(Options *o, const char *self, const char *word) {
  if (strcmp(base_name(word), "fmcc") == 0)
    return true;
  char *found = search_path(&o->arena, word);
  char *real = found ? real_path(&o->arena, found) : NULL;
  return real && self && strcmp(real, self) == 0;
}

// True when the command would run fmcc again: `fmcc`, `ccache fmcc`, `cc` that is a link to it.
static bool leads_back(Options *o, const char *self, const Vec *words) {
  for (size_t i = 0; i < words->len && ((char *)words->at[i])[0] != '-'; i++)
    if (is_ourselves(o, self, words->at[i]))
      return true;
  return false;
}

static bool
try_command(Toolchain *t, Options *o, const char *self, const char *text) {
  t->cc.len = 0;
  if (text)
    split_words(&o->arena, text, &t->cc);
  return t->cc.len && !leads_back(o, self, &t->cc);
}

// $CC may be a script around fmcc, which fmcc cannot recognise: it would run itself through it.
// This variable counts such levels. From the second level on, the environment is not used to choose
// the compiler; from the third level on, `cc` is not used either.
static const char level_name[] = "FMCC_LEVEL";

static int read_level(void) {
  const char *level = getenv(level_name);
  return level ? atoi(level) : 0;
}

static bool next_level(int level) {
  enum { MOST = 4 };
  char text[16];
  snprintf(text, sizeof text, "%d", level + 1);
  if (level < MOST && setenv(level_name, text, 1) == 0)
    return true;
  if (level < MOST)
    out_of_memory();
  complain("the C compiler underneath runs fmcc again; name the compiler "
           "itself with --cc= or FMCC_CC=");
  return false;
}

static bool choose_compiler(Toolchain *t, Options *o, const char *self) {
  static const char *const fallback[] = { "cc", "gcc", "clang" };
  int level = read_level();
  if (!next_level(level))
    return false;
  if (o->cc) {
    if (try_command(t, o, self, o->cc))
      return true;
    complain("--cc=%s is fmcc itself or empty; name the C compiler underneath, "
             "for example --cc=gcc",
             o->cc);
    return false;
  }
  if (!level && (try_command(t, o, self, getenv("FMCC_CC")) ||
                 try_command(t, o, self, getenv("CC"))))
    return true;
  for (int i = level > 1; i < 3; i++)
    if (search_path(&o->arena, fallback[i]) &&
        try_command(t, o, self, fallback[i]))
      return true;
  complain("there is no C compiler: none of cc, gcc and clang is in PATH; "
           "install one or name it "
           "with --cc=");
  return false;
}

bool toolchain_find(Toolchain *t, Options *o, const char *argv0) {
  char *self = own_path(&o->arena, argv0);
  t->root = find_root(&o->arena, argv0);
  bool found = choose_compiler(t, o, self);
  if (found && toolchain_is_emscripten(t))
    emscripten_begin();
  return found;
}

// ---- gcc or clang ----
// Also emcc.py and emcc.bat.
static bool is_emcc(const char *name) {
  return strncmp(name, "emcc", 4) == 0 && (!name[4] || name[4] == '.');
}

static CompilerKind kind_by_name(const char *path) {
  const char *name = base_name(path);
  if (strstr(name, "clang") || is_emcc(name))
    return COMPILER_CLANG;
  const char *gcc = strstr(name, "gcc");
  if (gcc && (gcc == name || gcc[-1] == '-') && (!gcc[3] || gcc[3] == '-'))
    return COMPILER_GCC;
  return COMPILER_UNKNOWN;
}

static bool is_launcher(const char *path) {
  // clang-format off
  static const char *const names[] = {
    "ccache",
    "distcc",
    "sccache",
    "icecc",
    "env",
    "nice",
    "time",
    "buildcache",
  };
  // clang-format on
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(base_name(path), names[i]) == 0)
      return true;
  return false;
}

static const char *compiler_word(const Toolchain *t) {
  FOR_EACH (const char, w, t->cc) {
    if (w[0] != '-' && !strchr(w, '=') && !is_launcher(w))
      return w;
  }
  return t->cc.at[0];
}

bool toolchain_is_emscripten(const Toolchain *t) {
  return is_emcc(base_name(compiler_word(t)));
}

// The compiler's answer to --version; empty if it fails.
static int ask_version(Toolchain *t, Buf *answer) {
  int said = capture_open();
  Vec words = { 0 };
  for (size_t i = 0; i < t->cc.len; i++)
    vec_push(&words, t->cc.at[i]);
  vec_push(&words, "--version");
  int status = run_command(&words, (Redirect){ .out = said });
  Buf all = { 0 };
  capture_read(said, &all);
  buf_add(answer, all.data, status == 0 ? all.len : 0);
  buf_free(&all);
  vec_free(&words);
  return status;
}

static CompilerKind find_kind(Toolchain *t, Options *o) {
  const char *word = compiler_word(t);
  CompilerKind kind = kind_by_name(word);
  if (kind)
    return kind;
  char *found = search_path(&o->arena, word);
  char *real = found ? real_path(&o->arena, found) : NULL;
  if (real && (kind = kind_by_name(real)))
    return kind;
  Buf answer = { 0 };
  ask_version(t, &answer);
  kind = strstr(answer.data, "clang") ? COMPILER_CLANG : COMPILER_GCC;
  buf_free(&answer);
  return kind;
}

bool toolchain_is_clang(Toolchain *t, Options *o) {
  if (!t->kind)
    t->kind = find_kind(t, o);
  return t->kind == COMPILER_CLANG;
}

// Build systems recognise the compiler by its own lines: these stay, and fmcc's lines are added.
int print_version(Toolchain *t) {
  Buf answer = { 0 };
  int status = ask_version(t, &answer);
  if (status == 0)
    printf("fmcc over %s", answer.data);
  if (status == 0 && answer.len && answer.data[answer.len - 1] != '\n')
    putchar('\n');
  printf("Fermata " FM_VERSION "\n");
  buf_free(&answer);
  return stdout_written() ? status : 1;
}

// ---- the target, for the translator ----
typedef struct Arch {
  const char *prefix; // of the machine in a target triple
  bool ilp32;
  bool unsigned_char;
  bool wasm32;
} Arch;

// clang-format off
static const Arch archs[] = {
  { "x86_64", false, false, false },
  { "amd64", false, false, false },
  { "i386", true, false, false },
  { "i486", true, false, false },
  { "i586", true, false, false },
  { "i686", true, false, false },
  { "aarch64", false, true, false },
  { "arm64", false, true, false },
  { "arm", true, true, false },
  { "thumb", true, true, false },
  { "riscv32", true, true, false },
  { "riscv64", false, true, false },
  { "powerpc64", false, true, false },
  { "ppc64", false, true, false },
  { "powerpc", true, true, false },
  { "s390x", false, true, false },
  { "mips64", false, false, false },
  { "mips", true, false, false },
  { "loongarch64", false, false, false },
  { "sparc64", false, false, false },
  { "sparc", true, false, false },
  { "m68k", true, false, false },
  { "wasm32", true, false, true },
  { "emcc", true, false, true },
};
// clang-format on

static void apply_target(const char *triple, TranslateOptions *out) {
  for (size_t i = 0; i < COUNT(archs); i++) {
    if (strncmp(triple, archs[i].prefix, strlen(archs[i].prefix)) != 0)
      continue;
    out->ilp32 = archs[i].ilp32 || strstr(triple, "gnux32");
    out->unsigned_char = archs[i].unsigned_char;
    out->wasm32 = archs[i].wasm32;
    return;
  }
}

static void apply_std(const char *std, TranslateOptions *out) {
  out->no_gnu_keywords = strncmp(std, "gnu", 3) != 0;
}

static void apply_color(const char *when, TranslateOptions *out) {
  if (strcmp(when, "always") == 0)
    out->color = true;
  if (strcmp(when, "never") == 0)
    out->color = false;
}

// Whether there is debug information: the last option about it decides. Others (-gz,
// -gno-column-info …) only change its form.
static void apply_debug(const char *value, TranslateOptions *out) {
  // clang-format off
  static const char *const on[] = {
    "",
    "1",
    "2",
    "3",
    "gdb",
    "gdb1",
    "gdb2",
    "gdb3",
    "dwarf",
    "full",
    "lldb",
    "sce",
    "dbx",
    "modules",
  };
  // clang-format on
  if (strcmp(value, "0") == 0 || strcmp(value, "gdb0") == 0)
    out->debug = false;
  if (strncmp(value, "dwarf-", 6) == 0)
    out->debug = true;
  for (size_t i = 0; i < COUNT(on); i++)
    if (strcmp(value, on[i]) == 0)
      out->debug = true;
}

// Options that set one member of TranslateOptions.
// clang-format off
#define FLAG(id, member, value) { id, offsetof(TranslateOptions, member), value }
static const struct {
  OptionId id;
  size_t member; // offset in TranslateOptions
  bool value;
} settings[] = {
  FLAG(OPT_ERROR, all_errors, true),
  FLAG(OPT_NO_ERROR, all_errors, false),
  FLAG(OPT_M32, ilp32, true),
  FLAG(OPT_M64, ilp32, false),
  FLAG(OPT_ANSI, no_gnu_keywords, true),
  FLAG(OPT_NO_WARNINGS, silent, true),
  FLAG(OPT_UCHAR, unsigned_char, true),
  FLAG(OPT_SCHAR, unsigned_char, false),
  FLAG(OPT_PIC, interposable, true),
  FLAG(OPT_NO_PIC, interposable, false),
  FLAG(OPT_SHORT_ENUMS, short_enums, true),
  FLAG(OPT_LONG_ENUMS, short_enums, false),
  FLAG(OPT_SHORT_WCHAR, short_wchar, true),
  FLAG(OPT_LONG_WCHAR, short_wchar, false),
  FLAG(OPT_COLOR_ON, color, true),
  FLAG(OPT_COLOR_OFF, color, false),
  FLAG(OPT_LIST_YIELDS, list_yields, true),
  FLAG(OPT_FRAME_REPORT, frame_report, true),
};
// clang-format on

static void apply_setting(OptionId id, TranslateOptions *out) {
  for (size_t i = 0; i < COUNT(settings); i++) {
    if (settings[i].id == id)
      *(bool *)((char *)out + settings[i].member) = settings[i].value;
  }
}

static void apply_warn_of(const char *name, Wish wish, TranslateOptions *out) {
  OwnWarning w = own_warning(name, strlen(name));
  if (w < OWN_WARNINGS)
    out->warn_of[w] = wish;
}

// -Werror=NAME turns the warning on as well, as it does for the C compiler's own.
static void
apply_error_of(const char *word, bool error, TranslateOptions *out) {
  const char *name = strchr(word, '=') + 1;
  OwnWarning w = own_warning(name, strlen(name));
  if (w < OWN_WARNINGS)
    out->error_of[w] = error ? WISH_YES : WISH_NO;
  if (error)
    apply_warn_of(name, WISH_YES, out);
}

static AutoYield auto_yield_of(const char *value) {
  if (strcmp(value, "off") == 0)
    return AUTO_YIELD_OFF;
  return strcmp(value, "loops") == 0 ? AUTO_YIELD_LOOPS : AUTO_YIELD_CALLS;
}

// -WNAME, -Wno-NAME, -Werror=NAME and -Wno-error=NAME of our own warnings.
static void apply_warning(const Item *it, TranslateOptions *out) {
  if (it->id == OPT_WARN_OF)
    apply_warn_of(it->word[0] + strlen("-W"), WISH_YES, out);
  if (it->id == OPT_NO_WARN_OF)
    apply_warn_of(it->word[0] + strlen("-Wno-"), WISH_NO, out);
  if (it->id == OPT_ERROR_OF || it->id == OPT_NO_ERROR_OF)
    apply_error_of(it->word[0], it->id == OPT_ERROR_OF, out);
}

static void apply_option(const Item *it, TranslateOptions *out) {
  apply_setting(it->id, out);
  apply_warning(it, out);
  switch (it->id) {
  case OPT_TARGET:
    apply_target(it->value, out);
    break;
  case OPT_STD:
    apply_std(it->value, out);
    break;
  case OPT_DEBUG:
    apply_debug(it->value, out);
    break;
  case OPT_LEVEL:
    out->optimise = strcmp(it->value, "0") != 0 && strcmp(it->value, "g") != 0;
    out->small = strcmp(it->value, "s") == 0 || strcmp(it->value, "z") == 0;
    break;
  case OPT_COLOR:
    apply_color(it->value, out);
    break;
  case OPT_MAX_ERRORS:
    out->max_errors = atoi(it->value);
    break;
  case OPT_FATAL_ERRORS:
    out->max_errors = 1;
    break;
  case OPT_DUMP:
    out->dump = it->value;
    break;
  case OPT_PART_SIZE:
    out->part_size = atoi(it->value);
    break;
  case OPT_AUTO_YIELD:
    out->auto_yield = auto_yield_of(it->value);
    break;
  case OPT_NO_AUTO_YIELD:
    out->auto_yield = AUTO_YIELD_OFF;
    break;
  default:
    break;
  }
}

static void host_defaults(TranslateOptions *out) {
  const char *term = getenv("TERM");
  out->color = isatty(2) && term && strcmp(term, "dumb") != 0;
  out->ilp32 = sizeof(long) == 4;
  out->unsigned_char = CHAR_MIN == 0;
}

void translate_options(Toolchain *t, Options *o, TranslateOptions *out) {
  *out =
      (TranslateOptions){ .mode = o->mode, .clang = toolchain_is_clang(t, o) };
  host_defaults(out);
  apply_target(base_name(compiler_word(t)), out);
  for (size_t i = 0; i < t->cc.len; i++) {
    Item *it = classify(&o->arena,
                        t->cc.at[i],
                        i + 1 < t->cc.len ? t->cc.at[i + 1] : NULL);
    if (it->word[1])
      i++;
    if (it->value)
      apply_option(it, out);
  }
  FOR_EACH (const Item, it, o->items) {
    if (it->value)
      apply_option(it, out);
  }
  if (out->wasm32)
    out->debug = false; // no debugger reads the data that is for gdb
  out->two_versions = o->atomicity;
  out->readable = o->readable && out->mode == TRANSLATE_AUTO &&
                  !o->emit_witness && !out->list_yields && !out->frame_report;
  if (out->readable)
    out->debug = false; // what only debuggers read
}
