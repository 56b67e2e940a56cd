// steps.h: the state and the functions that the steps of a command share; see driver.c.
#ifndef FMCC_STEPS_H
#define FMCC_STEPS_H

#include "driver/driver.h"

// One C input on its way through the steps.
typedef struct Unit {
  const Item *item;
  Names names;
  bool failed; // an error was reported: the later steps skip the unit
  bool broken; // preprocessing failed: the compiler will report why
  // plain C, but words of the dialect stand in it
  bool strange;
  bool huge; // has a function of very many pauses
  bool once; // stdin or a pipe: cannot be read a second time
  // fmcc translates the unit, or compiles its preprocessed text
  bool ours;
  // fmcc translates it; not set for a plain unit of stdin or a pipe
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
  // the exit status of the first step that failed, or 0
  int status;
} Driver;

// ---- commands.c ----
void note_failure(Driver *d, int status); // the first failure counts
void add_word(Vec *words, const char *w);
void add_pair(Vec *words, const char *flag, const char *value);
void add_item(Vec *words, const Item *it);
void add_compiler(const Driver *d, Vec *words);
// The user's options whose role is in the set `roles`.
void add_options(const Driver *d, Vec *words, unsigned roles);
void add_color(const Driver *d, Vec *words);
void add_include_path(const Driver *d, Vec *words); // where <fermata.h> is
void add_headers(const Driver *d, Vec *words); // the same, and -D__FERMATA__=1
// For inputs that the compiler underneath preprocesses itself.
typedef enum {
  HEADERS_AS_C,
  HEADERS_OF_DIALECT,
} Headers;
void add_headers_for_rest(const Driver *d, Vec *words, Headers headers);
void add_depend(const Driver *d, Vec *words, const Unit *u, const char *file);
void add_aux_names(const Driver *d, Vec *words, const Unit *u);
void add_output(Driver *d, Vec *words, Unit *u);
bool has_input(const Options *o, InputKind kind);
// Runs the command and frees the words. -v shows them; -### only shows them.
int run_shown(const Driver *d, Vec *words);
char *temp_file(Driver *d, const char *stem, const char *suffix);

// ---- preprocess.c ----
// Reads the unit and decides whether it is translated.
void probe(Driver *d, Unit *u);
void replay(const Unit *u); // shows the messages of -E

// ---- compile.c ----
// The unit as C text; false after errors, which have been reported.
bool make_c(Driver *d, const Unit *u, Buf *out, Buf *witness);
int compile_ours(Driver *d, Unit *u); // a unit in the dialect
int compile_plain(Driver *d,
                  Unit *u);         // a plain unit next to units in the dialect
int precompile(Driver *d, Unit *u); // a header in the dialect

#endif
