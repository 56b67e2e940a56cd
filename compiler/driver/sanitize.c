// sanitize.c: -fsanitize=atomicity, a sanitizer of Fermata's own (docs/atomicity.md). The compiler
// underneath instruments the code as for ThreadSanitizer; the link gets libfermata-atomicity.a,
// which has the functions that instrumented code calls, in place of libtsan.
#include "driver/driver.h"

// Functions of the C library whose accesses are noted: runtime/atomicity/strings.c. gcc knows how
// to check the formats of those of printf's family only while they are builtin.
static const char *const texts[] = {
  "memcpy",  "memmove",    "mempcpy", "memset", "memcmp",  "memchr", "strlen",
  "strnlen", "strcmp",     "strncmp", "strchr", "strrchr", "strstr", "strdup",
  "strndup", "strcasecmp", "strcpy",  "stpcpy", "strncpy", "strcat", "strncat",
};
static const char *const others[] = {
  "qsort",          "atoi",         "strtol",        "vsnprintf",
  "snprintf",       "sprintf",      "__memcpy_chk",  "__memmove_chk",
  "__memset_chk",   "__strcpy_chk", "__strncpy_chk", "__strcat_chk",
  "__snprintf_chk",
};

// What the compiler underneath gets in addition, before the user's options. A report compares lines
// within one function and names callers, so no function becomes a part of another one, and there
// are tables of lines.
void add_atomicity(Options *o, bool clang, Vec *words) {
  static const char *const both[] = {
    "-g", "-fsanitize=thread", "-fno-inline", "-fno-optimize-sibling-calls"
  };
  // clang leaves out the read of `x++`, because the write alone shows a data race.
  static const char *const for_clang[] = {
    "-mllvm", "-tsan-instrument-read-before-write=1"
  };
  if (!o->atomicity)
    return;
  for (size_t i = 0; i < COUNT(both); i++)
    vec_push(words, (char *)both[i]);
  for (size_t i = 0; clang && i < COUNT(for_clang); i++)
    vec_push(words, (char *)for_clang[i]);
  if (!clang)
    vec_push(words, "-fno-ipa-icf");
  // gcc would put stores in place of calls after it has instrumented the code.
  for (size_t i = 0; i < COUNT(texts); i++)
    vec_push(words, arena_printf(&o->arena, "-fno-builtin-%s", texts[i]));
}

// For the preprocessor: <fermata/abi.h> reports frames.
void add_atomicity_macro(const Options *o, Vec *words) {
  if (o->atomicity)
    vec_push(words, "-DFM_ATOMICITY=1");
}

static void wrap(Options *o, Vec *words, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++)
    vec_push(words, arena_printf(&o->arena, "-Wl,--wrap=%s", names[i]));
}

void add_atomicity_libs(Options *o, Vec *words) {
  if (!o->atomicity)
    return;
  wrap(o, words, texts, COUNT(texts));
  wrap(o, words, others, COUNT(others));
  if (o->atomicity_more)
    vec_push(words, "-Wl,--defsym=fm__atomicity_more=1");
}

bool atomicity_misused(const Options *o) {
  if (!o->atomicity)
    return false;
  const char *other = o->asan   ? "-fsanitize=address"
                      : o->tsan ? "-fsanitize=thread"
                      : o->msan ? "-fsanitize=memory"
                                : NULL;
  if (!other && o->stage == STAGE_LINK)
    other = o->static_link      ? "-static"
            : o->shared         ? "-shared"
            : o->shared_runtime ? "-shared-libfermata"
                                : NULL;
  if (other)
    complain("-fsanitize=atomicity cannot be used together with %s; leave one "
             "of them out",
             other);
  return other;
}
