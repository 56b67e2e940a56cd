// environment.c: the environment of a program in a page. Under node it is that of the process, in a
// page the parameters FERMATA_… of its address (app.html?FERMATA_TICK=off).
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
// NAME=VALUE of the i-th variable; the length that it needs, or 0: there are no more.
EM_JS(int, fm__page_variable, (int i, char *to, int room), {
  if (!Module.fmEnvironment) {
    let found = [];
    if (typeof process == 'object' && process.env)
      found = Object.entries(process.env);
    else if (typeof location == 'object')
      found = [...new URLSearchParams(location.search)].filter(v => v[0].startsWith('FERMATA_'));
    Module.fmEnvironment = found.map(v => v[0] + '=' + v[1]);
  }
  let text = Module.fmEnvironment[i];
  if (text === undefined)
    return 0;
  if (to)
    stringToUTF8(text, to, room);
  return lengthBytesUTF8(text) + 1;
});
// clang-format on

static void set_variable(char *text) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return;
  *equals = '\0';
  setenv(text, equals + 1, 1);
}

// After the C library's own constructors, and before the program's.
__attribute__((constructor(101))) static void set_environment(void) {
  int size;
  for (int i = 0; (size = fm__page_variable(i, NULL, 0)) > 0; i++) {
    char *text = malloc((size_t)size);
    if (!text)
      return;
    fm__page_variable(i, text, size);
    set_variable(text);
    free(text);
  }
}

// No program has more rights than the page.
char *secure_getenv(const char *name) {
  return getenv(name);
}
