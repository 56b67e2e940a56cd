// calls.c: JavaScript calls C and awaits its answer; C calls JavaScript and awaits its promises; and
// something is kept in the page's storage.
//
//     fmcc --cc=emcc -O2 -o calls.js calls.c
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/web.h>

#include <stdio.h>
#include <stdlib.h>

// Module.fermata.call("square", "7") is a promise of "49"; many calls are under way at once.
static async void answer(fm_web_call c) {
  char text[32];
  int n = atoi(c.text);
  fm_sleep(10);
  snprintf(text, sizeof text, "%d", n * n);
  if (n < 0)
    fm_web_reject(&c, "negative");
  else
    fm_web_answer(&c, text);
}

static async void serve(void) throws(struct fm_web_error) {
  fm_web_port port = fm_web_open("square");
  defer fm_web_shut(port);
  for (;;) {
    fm_web_call c = fm_web_accept(port);
    fm_detach(spawn answer(c));
  }
}

static async void ask_page(void) throws(struct fm_web_error) {
  char *sum = fm_web_eval("1 + 2");
  defer free(sum);
  fm_web_text("#sum", "%s", sum);
  char *later = fm_web_await("new Promise(go => setTimeout(() => go('later'), 20))");
  defer free(later);
  fm_web_text("#later", "%s", later);
  try {
    free(fm_web_await("Promise.reject(new Error('refused'))"));
  } catch (struct fm_web_error e) {
    fm_web_text("#refused", "%s", e.message);
  }
}

static void count_visits(void) throws(struct fm_web_error) {
  char *before = fm_web_load("visits");
  char text[32];
  snprintf(text, sizeof text, "%d", (before ? atoi(before) : 0) + 1);
  free(before);
  fm_web_store("visits", text);
  fm_web_text("#visits", "%s", text);
}

async int main(void) {
  try {
    count_visits();
    ask_page();
    serve();
  } catch (struct fm_web_error e) {
    fm_web_text("#error", "%s", e.message);
  }
  return 0;
}
