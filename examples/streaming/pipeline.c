// pipeline.c: process and chart, and the activity above the three. Whichever part ends closes its
// channels: the parts after it then take what is left and end, the parts before it end at once.
#include "pipeline.h"
#include "events.h"
#include "view.h"

#include <fermata/time.h>
#include <fermata/trace.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MS = 30, SMOOTH_MS = 1500 };

// ---- process ----
// The smooth line follows the price with a time constant, whatever the rate is.
static struct sample smooth(struct sample before, struct point p) {
  struct sample now = { (double)p.time / 1000, p.price, p.price };
  double passed = (now.time - before.time) * 1000;
  if (before.time > 0 && passed < 10 * SMOOTH_MS)
    now.smooth = before.smooth + (p.price - before.smooth) * (1 - exp(-passed / SMOOTH_MS));
  return now;
}

static async void process(struct subscription *s) throws(struct fm_closed) {
  struct window w;
  struct point p;
  struct sample sample = { 0 };
  defer window_free(&w);
  if (!window_init(&w))
    return;
  while (fm_recv_or_closed(&s->points, &p)) {
    window_add(&w, p, (int64_t)s->window * 1000);
    s->figures = window_figures(&w);
    sample = smooth(sample, p);
    fm_send(&s->samples, sample);
  }
}

// ---- chart ----
static void drop_old(struct subscription *s, size_t n) {
  size_t rest = (s->shown -= n) * sizeof(double);
  memmove(s->times, s->times + n, rest);
  memmove(s->prices, s->prices + n, rest);
  memmove(s->smooths, s->smooths + n, rest);
}

static void add_samples(struct subscription *s, const struct sample *from, size_t n) {
  for (size_t i = 0; i < n; i++) {
    s->times[s->shown] = from[i].time;
    s->prices[s->shown] = from[i].price;
    s->smooths[s->shown++] = from[i].smooth;
  }
  if (s->shown > CHART_MOST)
    drop_old(s, s->shown - CHART_MOST);
}

// The part that the window shows, and a point before it, so that the line begins at the edge.
static size_t first_shown(const struct subscription *s) {
  double begin = s->times[s->shown - 1] - s->window;
  size_t low = 0, high = s->shown;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->times[middle] < begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? low - 1 : 0;
}

static void draw(struct subscription *s) {
  size_t first = first_shown(s);
  view_draw(s->index, s->times + first, s->prices + first, s->smooths + first,
            (int)(s->shown - first), s->window);
  s->drawn++;
}

// Draws when a frame is due: the browser says when. A tab that nobody sees has no frames; then the
// channels fill up, and the server waits.
static async void chart(struct subscription *s) throws(struct fm_closed) {
  struct sample some[QUEUE];
  double last = 0;
  for (;;) {
    size_t n = fm_recv_n(&s->samples, some, QUEUE);
    for (int round = 0; n && round < 16; round++) { // much at once after a pause, and at the start
      add_samples(s, some, n);
      yield;
      n = fm_try_recv_n(&s->samples, some, QUEUE);
    }
    add_samples(s, some, n);
    double now = fm_web_frame();
    while (now - last < FRAME_MS)
      now = fm_web_frame();
    draw(s);
    last = now;
  }
}

// ---- the pipeline ----
// The node of the tree that was cancelled is the part itself, not the pipeline.
static void part_ends(struct subscription *s, const char *name) {
  fm_chan_close(&s->points);
  fm_chan_close(&s->samples);
  if (fm_cancelled(fm_self()) && !fm_cancelled(s->activity))
    event(s, "warn", "%s was cancelled: the pipeline ends", name);
}

static async void run_part(struct subscription *s, const char *name,
                           async void (*part)(struct subscription *) throws(struct fm_closed)) {
  fm_set_namef(fm_self(), "%s %s", s->instrument->symbol, name);
  defer part_ends(s, name);
  try {
    part(s);
  } catch (struct fm_closed e) {
    (void)e; // the part beside it has ended
  }
}

static void begin(struct subscription *s) {
  s->activity = fm_self();
  s->last = s->lost = s->received = s->drawn = s->shown = 0;
  s->figures = (struct figures){ 0 };
  s->attempts = 0;
  s->connected = false;
  fm_chan_init(&s->points, QUEUE);
  fm_chan_init(&s->samples, QUEUE);
  fm_set_name(s->activity, s->instrument->symbol);
  event(s, "info", "subscribed: %d prices a second", s->rate);
}

static void end(struct subscription *s) {
  bool cancelled = fm_cancelled(s->activity);
  event(s, cancelled ? "warn" : "info",
        cancelled ? "cancelled: %llu prices received" : "ended: %llu prices received",
        (unsigned long long)s->received);
  fm_chan_free(&s->points);
  fm_chan_free(&s->samples);
}

async void pipeline(struct subscription *s) {
  begin(s);
  defer end(s);
  scope (parts) {
    fm_set_namef(parts, "%s pipeline", s->instrument->symbol);
    spawn run_part(s, "fetch", fetch);
    spawn run_part(s, "process", process);
    spawn run_part(s, "chart", chart);
  }
}
