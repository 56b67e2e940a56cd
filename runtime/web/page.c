// page.c: the functions of the page that the runtime needs, as JavaScript.
#include "web/web.h"

#include <emscripten.h>

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

EM_JS(double, fm__page_now_js, (void), {
  return performance.now();
});

EM_JS(int, fm__page_is_node_js, (void), {
  return typeof process == 'object' && typeof process.versions == 'object' &&
         typeof process.versions.node == 'string' ? 1 : 0;
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

uint64_t fm__page_now(void) {
  return (uint64_t)(fm__page_now_js() * 1e6);
}
