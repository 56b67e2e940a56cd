// options.c: reads a command line as gcc and clang read it. In: argv. Out: Options: an Item for
// every option and input, in order, and what steers the driver. The table says of each option that
// matters how its argument is written and which command gets it. An option that is not in the table
// takes no separate argument and goes to every command: new compiler options need no change here.
#include "driver/driver.h"

#include <stdlib.h>
#include <sys/stat.h>

// clang-format off
const char options_help[] =
    "Usage: fmcc [options] file...\n"
    "A C compiler for Fermata (C plus asynchrony). It translates units that include\n"
    "<fermata.h>, and passes them and all other files to the C compiler underneath.\n"
    "\n"
    "Output:\n"
    "  --emit-c               print the translation to C, or write it to the file\n"
    "                         given with -o\n"
    "  --emit-c=compiled      the same: the text that the compiler underneath gets\n"
    "  --emit-witness         the same: the plain C from which the compiler's\n"
    "                         warnings and errors come\n"
    "  --list-yields          instead of C, print every place where an async\n"
    "                         function can be interrupted, and why\n"
    "  --frame-report         instead of C, print each async function's frame: its\n"
    "                         size and its variables\n"
    "  --dump=PASS            instead of C, print the unit as it is after a pass of the\n"
    "                         translator; --dump=help lists the passes\n"
    "  -save-temps            keep file.i (preprocessed) and file.fm.i (translated)\n"
    "\n"
    "Language:\n"
    "  -fauto-yield=WHERE     off, calls (default) or loops: where async functions\n"
    "                         yield by themselves\n"
    "\n"
    "Warnings (-Wno-NAME, -Werror, -Werror=NAME, -Wno-error=NAME work for each):\n"
    "  -Wblocking             libc functions that block, called in async code\n"
    "  -Wshared-state         libc functions whose result the next call changes, and\n"
    "                         variables of the thread, used in async code; this and\n"
    "                         -Wblocking are on where <fermata/posix.h> is included\n"
    "  -Wimplicit-await       calls of async functions without await\n"
    "  -Wunawaited-task       tasks that may throw and are never awaited (on)\n"
    "  -Wtail-call            `return f(x);` that keeps the frame, and why\n"
    "\n"
    "Compiler and linker:\n"
    "  --cc=COMMAND           the C compiler underneath, for example 'clang' or\n"
    "                         'ccache gcc -m32' (default: $FMCC_CC, or $CC unless\n"
    "                         that is fmcc, or cc)\n"
    "  -shared-libfermata     link the program with libfermata.so: for a program that\n"
    "                         loads shared libraries with async code\n"
    "  --no-rpath             do not store the place of libfermata.so in the output\n"
    "  --print-libs           print the libraries that another linker needs; with\n"
    "                         -shared, -static or -fsanitize=: for such a link\n"
    "\n"
    "Other:\n"
    "  --translate=MODE       auto: translate units that use the dialect (default, or\n"
    "                         $FMCC_TRANSLATE); verbatim, reprint, assert: put every\n"
    "                         unit through the translator, for tests\n"
    "  -v, -###               show the commands; -### only shows them\n"
    "  --help, --version      this text; the versions of Fermata and the compiler\n"
    "\n"
    "All other options go to the C compiler underneath and mean what they mean there.\n"
    "Linking adds libfermata when an object needs it.\n";
// clang-format on

// How an option's argument may be written.
enum { NONE = 1, JOINED = 2, APART = 4, EITHER = JOINED | APART };

typedef struct Spec {
  const char *name;
  unsigned char form;
  unsigned char role, id;
} Spec;

static const Spec specs[] = {
  // fmcc's own
  { "--list-yields", NONE, ROLE_OWN, OPT_LIST_YIELDS },
  { "--frame-report", NONE, ROLE_OWN, OPT_FRAME_REPORT },
  { "--dump=", JOINED, ROLE_OWN, OPT_DUMP },
  { "-fauto-yield=", JOINED, ROLE_OWN, OPT_AUTO_YIELD },
  { "-fno-auto-yield", NONE, ROLE_OWN, OPT_NO_AUTO_YIELD },
  { "-Wblocking", NONE, ROLE_OWN, OPT_BLOCKING },
  { "-Wno-blocking", NONE, ROLE_OWN, OPT_NO_BLOCKING },
  { "-Wshared-state", NONE, ROLE_OWN, OPT_SHARED_STATE },
  { "-Wno-shared-state", NONE, ROLE_OWN, OPT_NO_SHARED_STATE },
  { "-Wimplicit-await", NONE, ROLE_OWN, OPT_IMPLICIT_AWAIT },
  { "-Wno-implicit-await", NONE, ROLE_OWN, OPT_NO_IMPLICIT_AWAIT },
  { "-Wunawaited-task", NONE, ROLE_OWN, OPT_UNAWAITED },
  { "-Wno-unawaited-task", NONE, ROLE_OWN, OPT_NO_UNAWAITED },
  { "-Wtail-call", NONE, ROLE_OWN, OPT_TAIL_CALL },
  { "-Wno-tail-call", NONE, ROLE_OWN, OPT_NO_TAIL_CALL },
  { "-Werror=blocking", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=blocking", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=shared-state", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=shared-state", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=implicit-await", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=implicit-await", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=unawaited-task", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=unawaited-task", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=tail-call", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=tail-call", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "--emit-c", NONE, ROLE_OWN, OPT_EMIT_C },
  { "--emit-c=", JOINED, ROLE_OWN, OPT_EMIT_FORM },
  { "--emit-witness", NONE, ROLE_OWN, OPT_EMIT_WITNESS },
  { "--translate=", JOINED, ROLE_OWN, OPT_TRANSLATE },
  { "-shared-libfermata", NONE, ROLE_OWN, OPT_SHARED_RUNTIME },
  { "--no-rpath", NONE, ROLE_OWN, OPT_NO_RPATH },
  { "--print-libs", NONE, ROLE_OWN, OPT_PRINT_LIBS },
  { "--cc=", JOINED, ROLE_OWN, OPT_CC },
  { "--help", NONE, ROLE_OWN, OPT_HELP },
  { "--version", NONE, ROLE_OWN, OPT_VERSION },
  // how far to go, and where to
  { "-c", NONE, ROLE_STEER, OPT_C },
  { "--compile", NONE, ROLE_STEER, OPT_C },
  { "-S", NONE, ROLE_STEER, OPT_S },
  { "--assemble", NONE, ROLE_STEER, OPT_S },
  { "-E", NONE, ROLE_STEER, OPT_E },
  { "--preprocess", NONE, ROLE_STEER, OPT_E },
  { "-fsyntax-only", NONE, ROLE_STEER, OPT_SYNTAX },
  { "-o", EITHER, ROLE_STEER, OPT_OUTPUT },
  { "--output", APART, ROLE_STEER, OPT_OUTPUT },
  { "--output=", JOINED, ROLE_STEER, OPT_OUTPUT },
  { "-x", EITHER, ROLE_STEER, OPT_LANG },
  { "--language", APART, ROLE_STEER, OPT_LANG },
  { "--language=", JOINED, ROLE_STEER, OPT_LANG },
  { "-v", NONE, ROLE_BOTH, OPT_VERBOSE },
  { "--verbose", NONE, ROLE_BOTH, OPT_VERBOSE },
  { "-###", NONE, ROLE_STEER, OPT_DRY },
  { "-save-temps", NONE, ROLE_SAVE, OPT_SAVE },
  { "--save-temps", NONE, ROLE_SAVE, OPT_SAVE },
  { "-save-temps=", JOINED, ROLE_SAVE, OPT_SAVE },
  { "--save-temps=", JOINED, ROLE_SAVE, OPT_SAVE },
  // dependency files
  { "-M", NONE, ROLE_DEPEND, OPT_M },
  { "-MM", NONE, ROLE_DEPEND, OPT_M },
  { "--dependencies", NONE, ROLE_DEPEND, OPT_M },
  { "--user-dependencies", NONE, ROLE_DEPEND, OPT_M },
  { "-MD", NONE, ROLE_DEPEND, OPT_MD },
  { "--write-dependencies", NONE, ROLE_DEPEND, OPT_MD },
  { "-MMD", NONE, ROLE_DEPEND, OPT_MMD },
  { "--write-user-dependencies", NONE, ROLE_DEPEND, OPT_MMD },
  { "-MF", EITHER, ROLE_DEPEND, OPT_MF },
  { "-MT", EITHER, ROLE_DEPEND, OPT_MT },
  { "-MQ", EITHER, ROLE_DEPEND, OPT_MQ },
  { "-MP", NONE, ROLE_DEPEND, OPT_MP },
  { "-MG", NONE, ROLE_DEPEND, OPT_OTHER },
  { "-MV", NONE, ROLE_DEPEND, OPT_OTHER },
  { "-MJ", EITHER, ROLE_DEPEND, OPT_OTHER },
  // preprocessing
  { "-D", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-U", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-I", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-A", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-H", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "--define-macro", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--define-macro=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "--undefine-macro", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--undefine-macro=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "--include-directory", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--include-directory=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-include", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "--include", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--include=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-imacros", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "--imacros", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--imacros=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-include-pch", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-isystem", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iquote", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-idirafter", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-isystem-after", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iprefix", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iwithprefix", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iwithprefixbefore", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-isysroot", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-imultilib", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-imultiarch", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-nostdinc", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-nostdinc++", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-undef", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-trigraphs", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-remap", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-traditional-cpp", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-finput-charset=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-fworking-directory", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-fno-working-directory", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-Wp,", JOINED, ROLE_PREPROCESS, OPT_WP },
  { "-Xpreprocessor", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-P", NONE, ROLE_PRINT, OPT_OTHER },
  { "-C", NONE, ROLE_PRINT, OPT_OTHER },
  { "-CC", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dM", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dD", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dN", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dI", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dU", NONE, ROLE_PRINT, OPT_OTHER },
  { "-fdirectives-only", NONE, ROLE_PRINT, OPT_DIRECTIVES },
  { "-fpreprocessed", NONE, ROLE_STEER, OPT_PREPROCESSED },
  // both steps, with an argument that may stand apart
  { "--param", APART, ROLE_BOTH, OPT_OTHER },
  { "-Xclang", APART, ROLE_BOTH, OPT_OTHER },
  { "-mllvm", APART, ROLE_BOTH, OPT_OTHER },
  { "-Xarch_", JOINED | APART, ROLE_BOTH, OPT_OTHER },
  { "-Xanalyzer", APART, ROLE_BOTH, OPT_OTHER },
  { "-Xopenmp-target", APART, ROLE_BOTH, OPT_OTHER },
  { "-B", EITHER, ROLE_BOTH, OPT_OTHER },
  { "--sysroot", APART, ROLE_BOTH, OPT_OTHER },
  { "--sysroot=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "-gcc-toolchain", APART, ROLE_BOTH, OPT_OTHER },
  { "-resource-dir", APART, ROLE_BOTH, OPT_OTHER },
  { "-wrapper", APART, ROLE_BOTH, OPT_OTHER },
  { "-arch", APART, ROLE_BOTH, OPT_OTHER },
  { "-target", APART, ROLE_BOTH, OPT_TARGET },
  { "--target=", JOINED, ROLE_BOTH, OPT_TARGET },
  { "-specs", APART, ROLE_BOTH, OPT_OTHER },
  { "--specs", APART, ROLE_BOTH, OPT_OTHER },
  // compiling
  { "-Wa,", JOINED, ROLE_COMPILE, OPT_OTHER },
  { "-Xassembler", APART, ROLE_COMPILE, OPT_OTHER },
  { "--for-assembler", APART, ROLE_COMPILE, OPT_OTHER },
  { "--for-assembler=", JOINED, ROLE_COMPILE, OPT_OTHER },
  { "-aux-info", APART, ROLE_COMPILE, OPT_OTHER },
  { "-aux-info=", JOINED, ROLE_COMPILE, OPT_OTHER },
  { "-emit-llvm", NONE, ROLE_COMPILE, OPT_EMIT_LLVM },
  { "-dumpbase", APART, ROLE_COMPILE, OPT_DUMP_NAME },
  { "-dumpdir", APART, ROLE_COMPILE, OPT_DUMP_NAME },
  { "-dumpbase-ext", APART, ROLE_COMPILE, OPT_DUMP_NAME },
  { "-gsplit-dwarf", NONE, ROLE_BOTH, OPT_SPLIT_DWARF },
  { "-gsplit-dwarf=", JOINED, ROLE_BOTH, OPT_SPLIT_DWARF },
  { "--coverage", NONE, ROLE_BOTH, OPT_COVERAGE },
  { "-coverage", NONE, ROLE_BOTH, OPT_COVERAGE },
  { "-ftest-coverage", NONE, ROLE_BOTH, OPT_COVERAGE },
  { "-fprofile-arcs", NONE, ROLE_BOTH, OPT_COVERAGE },
  // linking
  { "-l", EITHER, ROLE_LINK, OPT_LIB },
  { "-L", EITHER, ROLE_LINK, OPT_LIBDIR },
  { "--library-directory", APART, ROLE_LINK, OPT_LIBDIR },
  { "--library-directory=", JOINED, ROLE_LINK, OPT_LIBDIR },
  { "-Wl,", JOINED, ROLE_LINK, OPT_OTHER },
  { "-Xlinker", APART, ROLE_LINK, OPT_OTHER },
  { "--for-linker", APART, ROLE_LINK, OPT_OTHER },
  { "--for-linker=", JOINED, ROLE_LINK, OPT_OTHER },
  { "-T", EITHER, ROLE_LINK, OPT_OTHER },
  { "-Ttext", APART, ROLE_LINK, OPT_OTHER },
  { "-Tdata", APART, ROLE_LINK, OPT_OTHER },
  { "-Tbss", APART, ROLE_LINK, OPT_OTHER },
  { "-u", EITHER, ROLE_LINK, OPT_OTHER },
  { "-z", EITHER, ROLE_LINK, OPT_OTHER },
  { "-e", APART, ROLE_LINK, OPT_OTHER },
  { "--entry", APART, ROLE_LINK, OPT_OTHER },
  { "-framework", APART, ROLE_LINK, OPT_OTHER },
  { "-s", NONE, ROLE_LINK, OPT_OTHER },
  { "-r", NONE, ROLE_LINK, OPT_NO_LIBS },
  { "-t", NONE, ROLE_LINK, OPT_OTHER },
  { "-shared", NONE, ROLE_LINK, OPT_SHARED },
  { "--shared", NONE, ROLE_LINK, OPT_SHARED },
  { "-static", NONE, ROLE_LINK, OPT_STATIC },
  { "--static", NONE, ROLE_LINK, OPT_STATIC },
  { "-static-pie", NONE, ROLE_LINK, OPT_STATIC },
  { "-pie", NONE, ROLE_LINK, OPT_OTHER },
  { "--pie", NONE, ROLE_LINK, OPT_OTHER },
  { "-no-pie", NONE, ROLE_LINK, OPT_OTHER },
  { "-nopie", NONE, ROLE_LINK, OPT_OTHER },
  { "-static-lib", JOINED, ROLE_LINK, OPT_OTHER },
  { "-shared-libgcc", NONE, ROLE_LINK, OPT_OTHER },
  { "-rdynamic", NONE, ROLE_LINK, OPT_OTHER },
  { "-symbolic", NONE, ROLE_LINK, OPT_OTHER },
  { "-fuse-ld=", JOINED, ROLE_LINK, OPT_OTHER },
  { "-rpath", APART, ROLE_LINK, OPT_OTHER },
  { "-nostdlib", NONE, ROLE_LINK, OPT_NO_LIBS },
  { "-nodefaultlibs", NONE, ROLE_LINK, OPT_NO_LIBS },
  { "-nostartfiles", NONE, ROLE_LINK, OPT_OTHER },
  { "-nolibc", NONE, ROLE_LINK, OPT_OTHER },
  { "-rtlib=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--rtlib=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--unwindlib=", JOINED, ROLE_LINK, OPT_OTHER },
  // what the translator has to know
  { "-m32", NONE, ROLE_BOTH, OPT_M32 },
  { "-mx32", NONE, ROLE_BOTH, OPT_M32 },
  { "-m64", NONE, ROLE_BOTH, OPT_M64 },
  { "-std=", JOINED, ROLE_BOTH, OPT_STD },
  { "--std=", JOINED, ROLE_BOTH, OPT_STD },
  { "-ansi", NONE, ROLE_BOTH, OPT_ANSI },
  { "--std", APART, ROLE_BOTH, OPT_STD },
  { "-Werror", NONE, ROLE_BOTH, OPT_ERROR },
  { "-Wno-error", NONE, ROLE_BOTH, OPT_NO_ERROR },
  { "-w", NONE, ROLE_BOTH, OPT_NO_WARNINGS },
  { "--no-warnings", NONE, ROLE_BOTH, OPT_NO_WARNINGS },
  { "-g", NONE | JOINED, ROLE_BOTH, OPT_DEBUG },
  { "--debug", NONE, ROLE_BOTH, OPT_DEBUG },
  { "-O", NONE | JOINED, ROLE_BOTH, OPT_LEVEL },
  { "-funsigned-char", NONE, ROLE_BOTH, OPT_UCHAR },
  { "-fno-signed-char", NONE, ROLE_BOTH, OPT_UCHAR },
  { "-fsigned-char", NONE, ROLE_BOTH, OPT_SCHAR },
  { "-fno-unsigned-char", NONE, ROLE_BOTH, OPT_SCHAR },
  { "-fshort-enums", NONE, ROLE_BOTH, OPT_SHORT_ENUMS },
  { "-fno-short-enums", NONE, ROLE_BOTH, OPT_LONG_ENUMS },
  { "-fshort-wchar", NONE, ROLE_BOTH, OPT_SHORT_WCHAR },
  { "-fno-short-wchar", NONE, ROLE_BOTH, OPT_LONG_WCHAR },
  { "-fdiagnostics-color", NONE, ROLE_BOTH, OPT_COLOR_ON },
  { "-fcolor-diagnostics", NONE, ROLE_BOTH, OPT_COLOR_ON },
  { "-fno-diagnostics-color", NONE, ROLE_BOTH, OPT_COLOR_OFF },
  { "-fno-color-diagnostics", NONE, ROLE_BOTH, OPT_COLOR_OFF },
  { "-fdiagnostics-color=", JOINED, ROLE_BOTH, OPT_COLOR },
  { "-fdiagnostics-format=", JOINED, ROLE_BOTH, OPT_FORMAT },
  { "-fmax-errors=", JOINED, ROLE_BOTH, OPT_MAX_ERRORS },
  { "-ferror-limit=", JOINED, ROLE_BOTH, OPT_MAX_ERRORS },
  { "-Wfatal-errors", NONE, ROLE_BOTH, OPT_FATAL_ERRORS },
  { "-fsanitize=", JOINED, ROLE_BOTH, OPT_SANITIZE },
  { "-fno-sanitize=", JOINED, ROLE_BOTH, OPT_NO_SANITIZE },
  // questions that need no input
  { "-dump", JOINED, ROLE_QUERY, OPT_OTHER },
  { "-print-", JOINED, ROLE_QUERY, OPT_OTHER },
  { "--print-", JOINED, ROLE_QUERY, OPT_OTHER },
  { "--target-help", NONE, ROLE_QUERY, OPT_OTHER },
  { "--help=", JOINED, ROLE_QUERY, OPT_OTHER },
  { "-cc1", NONE | JOINED, ROLE_QUERY, OPT_OTHER },
};

// ---- one word ----
static bool fits(const Spec *s, const char *word, size_t len) {
  if (strncmp(word, s->name, len) != 0)
    return false;
  if (word[len] == 0)
    return s->form & (NONE | APART);
  return s->form & JOINED;
}

// The longest name that fits wins: -MMD is not -M with MD.
static const Spec *find_spec(const char *word) {
  const Spec *best = NULL;
  size_t best_len = 0;
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    size_t len = strlen(specs[i].name);
    if (len > best_len && fits(&specs[i], word, len)) {
      best = &specs[i];
      best_len = len;
    }
  }
  return best;
}

static bool takes_next(const Spec *s, const char *word) {
  if (!(s->form & APART))
    return false;
  bool joined = word[strlen(s->name)] != 0;
  // -Xarch_arm64 ARG has both
  return !joined || strcmp(s->name, "-Xarch_") == 0;
}

Item *classify(Arena *a, char *word, char *next) {
  Item *it = NEW(a, Item);
  it->word[0] = word;
  if (word[0] != '-' || word[1] == 0) {
    it->id = OPT_INPUT;
    it->value = word;
    return it;
  }
  const Spec *s = find_spec(word);
  if (!s)
    return it;
  it->id = (OptionId)s->id;
  it->role = (Role)s->role;
  it->value = word + strlen(s->name);
  if (takes_next(s, word))
    it->value = it->word[1] = next;
  return it;
}

// ---- what an input is ----
static InputKind kind_of_suffix(const char *path) {
  static const char *const sources[] = {
    "s",   "S",   "sx",  "cc",  "cp",  "cxx", "cpp", "CPP", "c++", "C",
    "ii",  "hh",  "H",   "hp",  "hxx", "hpp", "HPP", "h++", "tcc", "m",
    "mi",  "mm",  "M",   "mii", "f",   "for", "ftn", "F",   "FOR", "fpp",
    "f90", "F90", "f95", "F95", "f03", "F03", "f08", "F08", "go",  "d",
    "di",  "adb", "ads", "cu",  "cl",  "ll",  "bc",
  };
  const char *slash = strrchr(path, '/'),
             *dot = strrchr(slash ? slash : path, '.');
  if (!dot)
    return INPUT_LINKER;
  if (strcmp(dot, ".c") == 0)
    return INPUT_C;
  if (strcmp(dot, ".i") == 0)
    return INPUT_CPP_OUTPUT;
  if (strcmp(dot, ".h") == 0)
    return INPUT_HEADER;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
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
  char *copy = arena_text(&o->arena, it->value, strlen(it->value)),
       *save = NULL;
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

// Of --emit-c=: the text that the C compiler gets. (--emit-c alone is for people.)
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

static void read_sanitize(Options *o, const char *value, bool on) {
  if (lists(value, "address") || lists(value, "all"))
    o->asan = on;
  if (lists(value, "thread") || lists(value, "all"))
    o->tsan = on;
  if (lists(value, "memory") || lists(value, "all"))
    o->msan = on;
}

void options_note_sanitizer(Options *o, const char *value) {
  read_sanitize(o, value, true);
}

// We make JSON ourselves of what is about units of ours.
static void read_format(Options *o, Item *it) {
  o->json =
      strcmp(it->value, "json") == 0 || strcmp(it->value, "json-stderr") == 0;
  if (o->json)
    it->role = ROLE_STEER;
}

static void note_link(Options *o, const Item *it) {
  switch (it->id) {
  case OPT_NO_LIBS:
    o->no_runtime = true;
    break;
  case OPT_PREPROCESSED:
    o->preprocessed = true;
    break;
  case OPT_DIRECTIVES:
    o->directives_only = true;
    break;
  case OPT_SHARED:
    o->shared = true;
    break;
  case OPT_STATIC:
    o->static_link = true;
    break;
  case OPT_SHARED_RUNTIME:
    o->shared_runtime = true;
    break;
  case OPT_NO_RPATH:
    o->no_rpath = true;
    break;
  case OPT_PRINT_LIBS:
    o->print_libs = true;
    break;
  default:
    break;
  }
}

static void note_depend(Options *o, Item *it) {
  switch (it->id) {
  case OPT_M:
    lower_stage(o, STAGE_PREPROCESS);
    break;
  case OPT_MD:
    o->depend = true;
    break;
  case OPT_MMD:
    o->depend = o->depend_user = true;
    break;
  case OPT_MF:
    o->depend_file = it->value;
    break;
  case OPT_MT:
    add_target(o, "-MT", it->value);
    break;
  case OPT_MQ:
    add_target(o, "-MQ", it->value);
    break;
  case OPT_MP:
    o->depend_phony = true;
    break;
  default:
    note_link(o, it);
    break;
  }
}

static void note_option(Options *o, Item *it) {
  switch (it->id) {
  case OPT_C:
    lower_stage(o, STAGE_OBJECT);
    break;
  case OPT_S:
    lower_stage(o, STAGE_ASSEMBLY);
    break;
  case OPT_SYNTAX:
    lower_stage(o, STAGE_SYNTAX);
    break;
  case OPT_E:
    lower_stage(o, STAGE_PREPROCESS);
    break;
  case OPT_OUTPUT:
    o->output = it->value;
    break;
  case OPT_WP:
    read_wp(o, it);
    break;
  case OPT_VERBOSE:
    o->verbose = true;
    break;
  case OPT_DRY:
    o->dry_run = true;
    break;
  case OPT_SAVE:
    read_save(o, it);
    break;
  case OPT_EMIT_LLVM:
    o->emit_llvm = true;
    break;
  case OPT_SPLIT_DWARF:
    o->split_dwarf = true;
    break;
  case OPT_COVERAGE:
    o->coverage = true;
    break;
  case OPT_SANITIZE:
    read_sanitize(o, it->value, true);
    break;
  case OPT_NO_SANITIZE:
    read_sanitize(o, it->value, false);
    break;
  case OPT_DUMP_NAME:
    o->user_dumps = true;
    break;
  case OPT_EMIT_WITNESS:
    o->emit_c = o->emit_witness = true;
    break;
  case OPT_EMIT_FORM:
    read_form(o, it->value);
    break;
  case OPT_EMIT_C:
    o->emit_c = o->readable = true;
    break;
  case OPT_LIST_YIELDS:
  case OPT_FRAME_REPORT:
    o->emit_c = true;
    break;
  case OPT_DUMP:
    o->emit_c = true;
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
  case OPT_HELP:
    o->help = true;
    break;
  case OPT_VERSION:
    o->version = true;
    break;
  default:
    note_depend(o, it);
    break;
  }
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
  const char *p = text->data, *end = p + text->len;
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
    size_t blank = strspn(p, " \t\n"), len = strcspn(p + blank, " \t\n");
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

// What only the whole line tells of inputs.
static void finish_inputs(Options *o) {
  int headers = 0;
  for (size_t i = 0; i < o->items.len; i++) {
    Item *it = o->items.at[i];
    if (it->id != OPT_INPUT)
      continue;
    if (o->preprocessed && it->kind == INPUT_C)
      it->kind = INPUT_CPP_OUTPUT;
    headers += it->kind == INPUT_HEADER;
  }
  // nothing to link
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
