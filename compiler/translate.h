// translate.h: the translator as the driver sees it: preprocessed text in, C text out.
#ifndef FMCC_TRANSLATE_H
#define FMCC_TRANSLATE_H

#include "base/base.h"

// How much of a unit goes through the tree. Users get AUTO; the others are for tests.
typedef enum TranslateMode {
  // a unit without `#pragma fermata` is not translated at all
  TRANSLATE_AUTO,
  TRANSLATE_VERBATIM, // parse every declaration, copy plain bodies
  TRANSLATE_REPRINT,  // parse, check and print every body from its tree
  // REPRINT, with our type of every expression asserted to the C compiler
  TRANSLATE_ASSERT,
} TranslateMode;

typedef enum AutoYield {
  AUTO_YIELD_CALLS,
  AUTO_YIELD_OFF,
  AUTO_YIELD_LOOPS
} AutoYield;

// The warnings of our own that have a name, as in -WNAME and -Werror=NAME.
typedef enum OwnWarning {
  OWN_BLOCKING,       // libc functions that block, in async code
  OWN_SHARED_STATE,   // libc functions that keep data between calls
  OWN_IMPLICIT_AWAIT, // async calls without `await`
  OWN_UNAWAITED_TASK, // tasks that throw and are never awaited
  OWN_TAIL_CALL,      // `return f(x);` that keeps the frame
  OWN_WARNINGS,
  OWN_UNNAMED = OWN_WARNINGS // a warning that has no name
} OwnWarning;

static inline const char *own_warning_name(OwnWarning w) {
  static const char *const names[OWN_WARNINGS] = {
    "blocking", "shared-state", "implicit-await", "unawaited-task", "tail-call"
  };
  return names[w];
}

// Returns OWN_WARNINGS if there is no warning of that name.
static inline OwnWarning own_warning(const char *name, size_t len) {
  int w = 0;
  while (w < OWN_WARNINGS &&
         (strlen(own_warning_name((OwnWarning)w)) != len ||
          strncmp(own_warning_name((OwnWarning)w), name, len) != 0))
    w++;
  return (OwnWarning)w;
}

typedef enum Wish {
  // unsaid: the unit decides
  WISH_UNSAID,
  WISH_YES,
  WISH_NO
} Wish;

typedef struct TranslateOptions {
  TranslateMode mode;
  AutoYield auto_yield; // where async functions yield by themselves
  // instead of C: the places of pauses; the contents of frames
  bool list_yields, frame_report;
  // instead of C: the state after the pass of that name; NULL: none
  const char *dump;
  int part_size; // functions with more pauses are cut into parts; 0: large ones
  // -WNAME, -Wno-NAME; unsaid: see is_wanted()
  Wish warn_of[OWN_WARNINGS];
  bool silent;     // -w: no warnings at all
  bool all_errors; // -Werror: warnings are errors
  // -Werror=NAME, -Wno-error=NAME; unsaid: as all_errors has it
  Wish error_of[OWN_WARNINGS];
  bool clang; // the compiler underneath is clang, not gcc
  bool ilp32; // -m32, -mx32: long and pointers have 4 bytes
  // WebAssembly. An ilp32 target, but size_t is unsigned long, wchar_t is int, and 8-byte members
  // are aligned to 8. The engine's stack cannot be measured: functions count their calls.
  bool wasm32;
  bool unsigned_char; // -funsigned-char
  bool short_enums;   // -fshort-enums
  bool short_wchar;   // -fshort-wchar
  // -std=c90, c99, c11 …: `asm` and `typeof` are identifiers
  bool no_gnu_keywords;
  // -fPIC: another library may define the unit's functions as well
  bool interposable;
  bool debug; // -g: with data for debuggers
  // -O1 and more: data for debuggers must not change the code
  bool optimise;
  bool small; // -Os, -Oz: less text matters more than speed
  // call and resume never share their text: -fsanitize=atomicity
  bool two_versions;
  bool readable; // the translation is for people: see readable.c
  bool color;    // diagnostics in colour
  // the C compiler's warnings come from the witness: see witness.c
  bool witness;
  int max_errors; // stop after that many; 0: no limit
} TranslateOptions;

// Whether the preprocessed text turns the dialect on (contains a `#pragma fermata` line).
bool uses_dialect(const char *text, size_t len);
// Whether it does, or has a pragma about one of fmcc's warnings, which the C compiler does not
// know.
bool has_own_pragma(const char *text, size_t len);
// Whether a line begins like a declaration of an async function.
bool might_be_dialect(const char *text, size_t len);

// The passes that TranslateOptions.dump may name.
bool pass_exists(const char *name);
void list_passes(Buf *out);

// Translates one unit. name: the file name in diagnostics, where the text has no line marker.
// Diagnostics go to stderr. witness (or NULL) gets the unit as plain C, for the C compiler's
// diagnostics; it stays empty if the unit cannot be written so. Returns the number of errors; with
// errors, `out` must not be used.
int translate(const char *name,
              const char *text,
              size_t len,
              const TranslateOptions *opt,
              Buf *out,
              Buf *witness);

#endif
