// emscripten.c: emcc as the compiler underneath. In: words of emcc; a link. Out: which of these
// words are settings (-sNAME=VALUE); the words with which a program for WebAssembly is linked.
//
// The library for WebAssembly is ROOT/lib/wasm32-emscripten/libfermata.a (`make wasm`). The file
// libfermata.libs beside it holds what else the link needs: settings of emcc, such as memory that
// grows. A setting that the user gives as well is the user's.
#include "driver/driver.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

// Debian's emcc runs node with a module that is a package of its own (node-acorn), and node does
// not find it by itself.
void emscripten_begin(void) {
  static const char debian[] = "/usr/share/nodejs";
  if (!getenv("NODE_PATH") && access(debian, R_OK) == 0 &&
      setenv("NODE_PATH", debian, 1) != 0)
    out_of_memory();
}

// ---- settings ----
// The length of NAME in NAME or NAME=VALUE; 0: the text is no setting.
static size_t setting_length(const char *text) {
  size_t n = 0;
  while (isupper((unsigned char)text[n]) || isdigit((unsigned char)text[n]) ||
         text[n] == '_')
    n++;
  bool starts = isupper((unsigned char)text[0]);
  return starts && n > 1 && (!text[n] || text[n] == '=') ? n : 0;
}

// Settings that the compilation needs, too. About the others emcc would warn there.
static bool is_for_compilation(const char *text, size_t len) {
  // clang-format off
  static const char *const names[] = {
    "MEMORY64",
    "INLINING_LIMIT",
    "DISABLE_EXCEPTION_CATCHING",
    "DISABLE_EXCEPTION_THROWING",
    "MAIN_MODULE",
    "SIDE_MODULE",
    "RELOCATABLE",
    "STRICT",
    "EMSCRIPTEN_TRACING",
    "SUPPORT_LONGJMP",
    "DEFAULT_TO_CXX",
    "WASM_OBJECT_FILES",
  };
  // clang-format on
  if (strncmp(text, "USE_", 4) == 0) // threads, and libraries that emcc brings
    return true;
  for (size_t i = 0; i < COUNT(names); i++)
    if (strlen(names[i]) == len && strncmp(text, names[i], len) == 0)
      return true;
  return false;
}

bool classify_setting(Item *it, char *next) {
  const char *word = it->word[0];
  if (strncmp(word, "-s", 2) != 0)
    return false;
  const char *text = word[2] ? word + 2 : next;
  size_t len = text ? setting_length(text) : 0;
  if (!len)
    return false;
  it->id = OPT_SETTING;
  it->role = is_for_compilation(text, len) ? ROLE_BOTH : ROLE_LINK;
  it->value = text;
  it->word[1] = word[2] ? NULL : next;
  return true;
}

static bool user_gives(const Options *o, const char *setting) {
  size_t len = setting_length(setting);
  FOR_EACH (const Item, it, o->items) {
    if (it->id == OPT_SETTING && setting_length(it->value) == len &&
        strncmp(it->value, setting, len) == 0)
      return true;
  }
  return false;
}

// ---- the link ----
static void add_unless_given(const Options *o, char *word, Vec *words) {
  bool setting = strncmp(word, "-s", 2) == 0 && setting_length(word + 2);
  if (!setting || !user_gives(o, word + 2))
    vec_push(words, word);
}

void add_emscripten_library(const Toolchain *t,
                            Options *o,
                            Runtime needed,
                            Vec *words) {
  Arena *a = &o->arena;
  char *dir = arena_printf(a, "%s/lib/wasm32-emscripten", t->root);
  char *lib = arena_printf(a, "%s/libfermata.a", dir);
  Buf text = { 0 };
  Vec libs = { 0 };
  if (o->shared)
    return;
  if (access(lib, R_OK) != 0) {
    if (needed.yes)
      advise("there is no libfermata for WebAssembly in %s: `make wasm` builds "
             "it",
             dir);
    return;
  }
  vec_push(words, lib);
  if (buf_read_file(&text, arena_printf(a, "%s/libfermata.libs", dir)))
    split_words(a, text.data, &libs);
  FOR_EACH (char, word, libs) {
    add_unless_given(o, word, words);
  }
  // the program ends when its async main has ended, not when main returns to the page
  if (needed.main)
    add_unless_given(o, "-sEXIT_RUNTIME=1", words);
  vec_free(&libs);
  buf_free(&text);
}
