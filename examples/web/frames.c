// frames.c: an animation, and a computation that does not make it stutter. Each frame of the page is
// waited for; the computation yields now and then, and the end of the animation cancels it there.
//
//     fmcc --cc=emcc -O2 -o frames.js frames.c
#include <fermata.h>
#include <fermata/web.h>

#include <stdio.h>

static int found;

static async void find_primes(void) {
  for (long n = 2;; n++) {
    long d = 2;
    while (d * d <= n && n % d != 0)
      d++;
    found += d * d > n;
    if (n % 100 == 0)
      yield;
  }
}

static async double animate(int frames) {
  double longest = 0;
  double last = fm_web_frame();
  for (int i = 1; i <= frames; i++) {
    double now = fm_web_frame();
    longest = now - last > longest ? now - last : longest;
    last = now;
    char style[64];
    snprintf(style, sizeof style, "margin-left: %dpx", i * 4);
    fm_web_attr("#ball", "style", style);
    fm_web_text("#primes", "%d", found);
  }
  return longest;
}

async int main(void) {
  double longest;
  race {
  case longest = animate(60):
    fm_web_text("#longest", "%.0f", longest);
  case find_primes():
  }
  return 0;
}
