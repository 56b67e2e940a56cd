// timer.c: a countdown with timers of <fermata/time.h>; a click starts it again, at any time. A
// progress bar and a class show it, and the number of countdowns that came to their end is kept in
// the page's storage.
//
//     fmcc --cc=emcc -O2 -o timer.js timer.c
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/web.h>

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 20, STEP = 50 }; // milliseconds

static async void count_down(void) {
  char text[32];
  fm_web_class("#left", "over", false);
  for (int left = STEPS; left > 0; left--) {
    snprintf(text, sizeof text, "%d", STEPS - left);
    fm_web_attr("#bar", "value", text);
    fm_web_text("#left", "%.2f s", left * STEP / 1000.0);
    fm_sleep(STEP);
  }
  fm_web_attr("#bar", "value", NULL);
  fm_web_text("#left", "time is over");
  fm_web_class("#left", "over", true);
}

static void count(void) throws(struct fm_web_error) {
  char text[32];
  char *before = fm_web_load("countdowns");
  snprintf(text, sizeof text, "%d", (before ? atoi(before) : 0) + 1);
  free(before);
  fm_web_store("countdowns", text);
  fm_web_text("#count", "%s", text);
}

static async void page(void) throws(struct fm_web_error) {
  fm_web_listener again = fm_web_listen("#again", "click", 0);
  defer fm_web_unlisten(again);
  for (;;) {
    race {
    case count_down():
      count();
      fm_web_next(again);
    case fm_web_next(again): // the countdown is cancelled
      break;
    }
  }
}

async int main(void) {
  try {
    page();
  } catch (struct fm_web_error e) {
    fm_web_text("#left", "%s", e.message);
  }
  return 0;
}
