// events.c: events of elements as values of async functions. Two activities listen at once; a form
// and a counter know nothing of each other.
//
//     fmcc --cc=emcc -O2 -o events.js events.c
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/web.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Counts clicks. A listener collects them: none is lost while this activity does something else.
static async void count_clicks(void) throws(struct fm_web_error) {
  fm_web_listener clicks = fm_web_listen("#add", "click", 0);
  defer fm_web_unlisten(clicks);
  for (int n = 1;; n++) {
    fm_web_next(clicks);
    fm_sleep(20); // slower than the user
    fm_web_text("#count", "%d", n);
  }
}

static async void greet(void) throws(struct fm_web_error) {
  fm_web_listener forms = fm_web_listen("#form", "submit", FM_WEB_PREVENT);
  defer fm_web_unlisten(forms);
  for (;;) {
    fm_web_next(forms);
    char *name = fm_web_value("#name");
    defer free(name);
    fm_web_text("#greeting", "Hello, %s!", name);
    fm_web_class("#greeting", "loud", strlen(name) > 5);
  }
}

async int main(void) {
  try {
    race {
    case count_clicks():
    case greet():
    case fm_web_once("#stop", "click"):
      fm_web_text("#state", "stopped");
    }
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
    return 1;
  }
  return 0;
}
