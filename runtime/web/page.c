// page.c: the functions of the page that the runtime needs, as JavaScript; and the environment:
// under node that of the process, in a page the parameters FERMATA_… of its address
// (app.html?FERMATA_TICK=off).
#include "web/web.h"

#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

// While C runs, an exit() ends the program; between turns the program must live on
// (runtimeKeepaliveCounter). The functions are properties of Module, so that one text serves all.
// clang-format off
EM_JS(void, fm__page_begin, (void), {
  if (Module.fmTurn)
    return;
  Module.fmTimer = null;
  Module.fmTurn = fired => {
    let live = runtimeKeepaliveCounter > 0;
    if (live)
      runtimeKeepaliveCounter -= 1;
    try {
      _fm__page_turn(fired ? 1 : 0);
    } catch (e) {
      if (e instanceof ExitStatus || e === 'unwind')
        return;
      throw e;
    }
    if (live)
      runtimeKeepaliveCounter += 1;
  };
});

EM_JS(void, fm__page_timer_js, (double ms), {
  if (Module.fmTimer !== null)
    clearTimeout(Module.fmTimer);
  Module.fmTimer = null;
  if (ms >= 0)
    Module.fmTimer = setTimeout(() => {
      Module.fmTimer = null;
      Module.fmTurn(true);
    }, Math.min(ms, 0x7fffffff));
});

EM_JS(void, fm__page_soon_js, (void), {
  Promise.resolve().then(() => Module.fmTurn(false));
});

EM_JS(int, fm__page_is_node_js, (void), {
  return typeof process == 'object' && typeof process.versions == 'object' &&
         typeof process.versions.node == 'string' ? 1 : 0;
});

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

void fm__page_timer(double ms) {
  fm__page_begin();
  fm__page_timer_js(ms);
}

void fm__page_soon(void) {
  fm__page_begin();
  fm__page_soon_js();
}

bool fm__page_is_node(void) {
  return fm__page_is_node_js();
}

// ---- the environment ----
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
