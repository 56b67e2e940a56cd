// driver.h: the structures and functions that the files of the driver share. A command line passes
// the files in this order:
//   options.c    argv → Options: every word classified by a table (option-table.c)
//   toolchain.c  the compiler underneath, where fmcc is installed, the translator's options
//   outputs.c    where cc would put objects, dependency files, dumps and saved temporaries
//   process.c    running commands, temporary files, signals
//   link.c       whether what is linked needs the runtime: ELF and ar; wasm-objects.c: wasm
//   emscripten.c settings of emcc; the link with emcc
//   driver.c     the whole command, step by step; steps.h: what its steps share
//   preprocess.c, compile.c   the steps of a unit
//   commands.c   the words of the commands that the steps run
#ifndef FMCC_DRIVER_H
#define FMCC_DRIVER_H

#include "base/base.h"
#include "translate.h"

// ---- options.c ----
// Which of the commands we run gets an option.
typedef enum Role {
  // preprocessing and compiling; an option that is not in the table has this role
  ROLE_BOTH,
  // preprocessing only: wrong or noisy on preprocessed text
  ROLE_PREPROCESS,
  // the form of -E's output: -P -C -dM; the steps in between must not get it
  ROLE_PRINT,
  ROLE_COMPILE, // compiling only
  ROLE_LINK,    // the linker's
  // dependency files: fmcc derives these options anew for each unit
  ROLE_DEPEND,
  ROLE_STEER, // -c -S -E -o -x …: fmcc chooses them anew for each command
  ROLE_SAVE,  // -save-temps
  ROLE_QUERY, // the compiler answers a question and needs no input
  ROLE_OWN,   // fmcc's own, never passed on
} Role;

typedef enum OptionId {
  OPT_OTHER,
  OPT_INPUT,
  OPT_C,
  OPT_S,
  OPT_E,
  OPT_SYNTAX,
  OPT_OUTPUT,
  OPT_LANG,
  OPT_PREPROCESSED,
  OPT_DIRECTIVES,
  OPT_M,
  OPT_MD,
  OPT_MMD,
  OPT_MF,
  OPT_MT,
  OPT_MQ,
  OPT_MP,
  OPT_WP,
  OPT_VERBOSE,
  OPT_DRY,
  OPT_SAVE,
  OPT_EMIT_LLVM,
  OPT_SPLIT_DWARF,
  OPT_COVERAGE,
  OPT_SANITIZE,
  OPT_NO_SANITIZE,
  OPT_DUMP_NAME,
  OPT_LIB,
  OPT_LIBDIR,
  OPT_NO_LIBS,
  OPT_SHARED,
  OPT_STATIC,
  OPT_SHARED_RUNTIME,
  OPT_NO_RPATH,
  OPT_PRINT_LIBS,
  OPT_M32,
  OPT_M64,
  OPT_TARGET,
  OPT_STD,
  OPT_ANSI,
  OPT_UCHAR,
  OPT_SCHAR,
  OPT_SHORT_ENUMS,
  OPT_LONG_ENUMS,
  OPT_PIC,
  OPT_NO_PIC,
  OPT_SHORT_WCHAR,
  OPT_LONG_WCHAR,
  OPT_FORMAT,
  OPT_COLOR,
  OPT_COLOR_ON,
  OPT_COLOR_OFF,
  OPT_MAX_ERRORS,
  OPT_FATAL_ERRORS,
  OPT_EMIT_C,
  OPT_EMIT_FORM,
  OPT_EMIT_WITNESS,
  OPT_TRANSLATE,
  OPT_CC,
  OPT_HELP,
  OPT_VERSION,
  OPT_LIST_YIELDS,
  OPT_FRAME_REPORT,
  OPT_DUMP,
  OPT_PART_SIZE,
  OPT_AUTO_YIELD,
  OPT_NO_AUTO_YIELD,
  OPT_DEBUG,
  OPT_LEVEL,
  OPT_NO_WARNINGS,
  OPT_WARN_OF,
  OPT_NO_WARN_OF,
  OPT_ERROR,
  OPT_NO_ERROR,
  OPT_ERROR_OF,
  OPT_NO_ERROR_OF,
  OPT_SETTING,
} OptionId;

typedef enum InputKind {
  // C source: fmcc preprocesses it, and perhaps translates it
  INPUT_C,
  INPUT_CPP_OUTPUT, // preprocessed C: .i
  INPUT_HEADER,     // a C header, to be precompiled
  INPUT_SOURCE,     // another language: goes to the compiler as it is
  // objects, archives, and files without a known suffix
  INPUT_LINKER,
} InputKind;

// One option with its argument, or one input file, as it stood on the command line.
typedef struct Item {
  OptionId id;
  Role role; // of options
  // as written; word[1] is set if the argument was a word of its own
  char *word[2];
  const char *value; // the argument of an option, or the path of an input
  InputKind kind;    // of inputs
  const char *lang;  // of inputs: the -x that applies to it, or NULL
} Item;

typedef enum Stage {
  STAGE_PREPROCESS,
  STAGE_SYNTAX,
  STAGE_ASSEMBLY,
  STAGE_OBJECT,
  STAGE_LINK
} Stage;
typedef enum SaveTemps {
  SAVE_NONE,
  SAVE_DEFAULT,
  SAVE_CWD,
  SAVE_OBJ
} SaveTemps;

typedef struct Options {
  Arena arena;           // holds the items and every word made
  Vec items;             // of Item *, in command line order
  Stage stage;           // how far cc would go
  const char *output;    // -o, or NULL
  bool verbose, dry_run; // -v, -###
  SaveTemps save;
  // user_dumps: -dumpbase and the like were given
  bool emit_llvm, split_dwarf, coverage, user_dumps;
  bool asan, tsan, msan; // -fsanitize=address, thread, memory
  // -fsanitize=atomicity; atomicity-more: with more rules. See sanitize.c.
  bool atomicity, atomicity_more;
  // -nostdlib, -nodefaultlibs, -r: libfermata is not added
  bool no_runtime;
  bool shared, static_link;      // -shared; -static, -static-pie
  bool shared_runtime, no_rpath; // -shared-libfermata, --no-rpath
  // -fpreprocessed; -fdirectives-only: macros are not expanded yet
  bool preprocessed, directives_only;
  // -MD or -MMD; depend_user: without system headers
  bool depend, depend_user;
  bool depend_phony; // -MP
  // the option was -Wp,-MD,FILE, which gcc treats differently
  bool depend_wp;
  const char *depend_file; // -MF
  Vec depend_targets;      // "-MT"/"-MQ", name, "-MT"/"-MQ", name …
  bool emit_c;
  bool help;
  bool version;
  bool print_libs;
  bool json;         // -fdiagnostics-format=json
  bool emit_witness; // with emit_c: the text of the witness instead
  bool readable;     // with emit_c: for people, not for the compiler
  const char *dump;  // --dump=PASS; NULL: none
  TranslateMode mode;
  const char *cc;        // --cc=, or NULL
  const char *bad_mode;  // an unknown --translate=, or NULL
  const char *bad_form;  // an unknown --emit-c=, or NULL
  const char *bad_yield; // an unknown -fauto-yield=, or NULL
  // the last option lacks its argument: cc reports that
  bool bad_argument;
  int sources, inputs; // files to compile; all files
} Options;

// Response files are expanded.
void options_read(Options *o, int argc, char **argv);
void options_free(Options *o);
// -fsanitize=VALUE among the words of --cc=
void options_note_sanitizer(Options *o, const char *value);
// The value of -fsanitize= without the names that are fmcc's own; "": nothing is left.
char *without_own_sanitizers(Arena *a, const char *value);
// next: the following word, or NULL. The item uses it if item->word[1] is set.
Item *classify(Arena *a, char *word, char *next);
// Whether the input is C, preprocessed C, or a header.
bool is_c(const Item *it);
// Splits a command of an environment variable at blanks.
void split_words(Arena *a, const char *text, Vec *out);
extern const char options_help[]; // option-table.c

// ---- lost-pragmas.c ----
// Returns false if no pragma was lost. notes: the messages of clang -E.
bool restore_pragmas(Buf *text, Buf *notes);

// ---- toolchain.c ----
typedef enum CompilerKind {
  COMPILER_UNKNOWN, // not looked at yet, or the name does not show it
  COMPILER_GCC,
  COMPILER_CLANG,
} CompilerKind;

typedef struct Toolchain {
  // the words of the compiler's command: `ccache`, `gcc`, `-m32`
  Vec cc;
  // fmcc is ROOT/bin/fmcc; NULL: ROOT is not known
  char *root;
  CompilerKind kind;
} Toolchain;

bool toolchain_find(Toolchain *t, Options *o, const char *argv0);
bool toolchain_is_clang(Toolchain *t, Options *o);
// The compiler underneath is emcc: programs are for WebAssembly.
bool toolchain_is_emscripten(const Toolchain *t);
void translate_options(Toolchain *t, Options *o, TranslateOptions *out);
int print_version(Toolchain *t);
bool is_program(const char *path);
// The directory above the directory of this program.
char *find_root(Arena *a, const char *argv0);

// ---- outputs.c ----
typedef struct Names {
  // the compiler's -o for this unit; NULL: no output (-fsyntax-only)
  const char *output;
  // gcc's names for its auxiliary files; dump_base NULL: not needed
  const char *dump_dir, *dump_base, *dump_ext;
  // clang: stem of .dwo and .gcno where the object is a temporary, or NULL
  const char *clang_aux;
  const char *saved; // stem of the files that -save-temps keeps
  const char *depend_file,
      *depend_target; // NULL: the user has given targets
} Names;

// Names.output is NULL if the object is temporary.
void names_for(const Options *o, bool clang, const Item *unit, Names *n);
// The last component of a path, without its suffix.
char *path_stem(Arena *a, const char *path);

// ---- process.c ----
extern const char run_hint[]; // what to do when a program cannot be run
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void without_colors(const char *line, size_t len, Buf *out);
// cc-messages.c: prints the compiler's messages about a translated unit to standard error.
void retell(const char *text, size_t len, bool clang, const char *generated);
// The same for the witness, whose lines and columns are the user's.
void retell_witness(const char *text, size_t len, bool clang);
// cc-json.c: prints the messages of a compiler in the form of -fdiagnostics-format=json.
void print_json(const char *text, size_t len, FILE *to);
// cc-columns.c: the column in the user's line of the word at column `at` of the generated line.
// 0: not found.
size_t own_column(const char *line, const char *generated, size_t at);
void advise(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
typedef struct Redirect {
  // descriptors of capture_open() for stdout and stderr; 0: not redirected
  int out, err;
} Redirect;
// A file for the output of a command, in memory if possible.
int capture_open(void);
// Appends the content of the file to *to, and closes it.
void capture_read(int fd, Buf *to);
bool stdout_written(void); // flushes stdout; false: it reported an error
// Standard error is kept in memory from now on …
void stderr_keep(void);
bool stderr_show(Buf *kept); // … until now; false: it was not kept
bool write_file(const char *path, const Buf *b); // false: an error was reported
void quote_words(const Vec *words, Buf *line);   // as for a shell
void show_command(const Vec *words);             // on stderr, likewise
// The exit status, as a shell gives it.
int run_command(const Vec *words, Redirect to);
// Runs two commands at once. Returns the status of the first.
int run_both(const Vec *words,
             Redirect to,
             const Vec *beside,
             Redirect beside_to,
             int *beside_status);
// As run_command, but signals go to the child, which decides what they do.
int run_forwarding(const Vec *words);
// Returns only if exec fails, or if the words are too many for it.
int exec_command(const Vec *words);
// A path in the temporary directory of this process; the file is removed at the end.
char *temp_path(Arena *a, const char *name);
void remove_later(const char *path); // removed at the end or on a signal …
void keep_file(const char *path);    // … unless this is called first
void remove_temps(void);             // also done by exit()
// The file is removed if memory runs out. NULL: no file is at risk.
void output_at_risk(const char *path);

// ---- link.c ----
typedef struct Symbols Symbols; // fm_ names seen in objects
Symbols *symbols_new(void);
// path: an object, an archive or a shared library; other files are ignored.
void symbols_scan(Symbols *s, const char *path);
// A name of an object; others than fm_ names are ignored.
void symbols_note(Symbols *s, bool used, const char *name, size_t len);
// Whether an fm_ name is used and defined nowhere.
bool symbols_missing(const Symbols *s);
void symbols_free(Symbols *s);
// Whether a shared library needs libfermata.so.
bool symbols_shared(const Symbols *s);
typedef struct Runtime {
  bool yes; // it is needed
  // inputs in other languages may need it: the linker decides
  bool perhaps;
  bool shared; // a shared library in the link needs it, too
  bool main;   // there is an async main
} Runtime;
// Looks at the files on the command line, and at `objects`.
Runtime runtime_needed(const Options *o, const char *root, const Vec *objects);
void add_runtime(const Toolchain *t, Options *o, Runtime needed, Vec *words);
// --print-libs: prints the words that add_runtime() would add.
int print_libs(const Toolchain *t, Options *o);

// ---- wasm-objects.c ----
// false: these are not the bytes of an object of WebAssembly.
bool scan_wasm(Symbols *s, const unsigned char *at, size_t len);

// ---- emscripten.c ----
void emscripten_begin(void); // before emcc is run
// Whether it->word[0], perhaps with the next word, is a setting of emcc: -sNAME=VALUE.
bool classify_setting(Item *it, char *next);
void add_emscripten_library(const Toolchain *t,
                            Options *o,
                            Runtime needed,
                            Vec *words);

// ---- sanitize.c: -fsanitize=atomicity ----
// Reports what cannot be used together with it; false: nothing.
bool atomicity_misused(const Options *o);
// Which text the compiler gets: the user's, or text that is preprocessed already.
void add_atomicity(Options *o, bool clang, Vec *words);
void add_atomicity_macro(const Options *o, Vec *words);
void add_atomicity_libs(Options *o, Vec *words); // for the linker

// ---- driver.c ----
int drive(Options *o, Toolchain *t);

#endif
