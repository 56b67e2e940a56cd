// view.c: the page's functions, as functions of C.
#include "view.h"

#include <emscripten.h>

// clang-format off
EM_JS(void, view_begin, (const char *json), {
  streaming.begin(JSON.parse(UTF8ToString(json)));
});

// The arrays are copied: the memory may move when it grows.
EM_JS(void, view_draw, (int index, const double *times, const double *prices,
                        const double *smooths, int n, int window), {
  const part = at => HEAPF64.slice(at >> 3, (at >> 3) + n);
  streaming.draw(index, [part(times), part(prices), part(smooths)], window);
});

EM_JS(void, view_event, (int index, const char *kind, const char *text), {
  streaming.event(index, UTF8ToString(kind), UTF8ToString(text));
});

EM_JS(void, view_update, (const char *json), {
  streaming.update(JSON.parse(UTF8ToString(json)));
});
// clang-format on
