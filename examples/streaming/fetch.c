// fetch.c: the first part of a pipeline. Prices come from a WebSocket of the server, or are made
// here when there is none. Both keep three minutes for a pipeline that does not take them.
//
// The server sends as many prices as the page has asked for. The page asks for more when it has
// passed prices on: so a pipeline that stands still holds the server back, not the browser's
// memory.
#include "pipeline.h"
#include "events.h"

#include <fermata/time.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RETRY_FIRST = 500, RETRY_MOST = 15000 }; // milliseconds

char server_url[256];
bool use_server;

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// A new subscription begins with as much of the past as a chart can show.
static int64_t since(const struct subscription *s) {
  int64_t oldest = now_ms() - (int64_t)LONGEST_WINDOW * 1000;
  return s->last > oldest ? s->last : oldest;
}

static async void pass_on(struct subscription *s, struct point p) throws(struct fm_closed) {
  fm_send(&s->points, p); // waits while the pipeline is full
  s->last = p.time;
  s->received++;
}

static void note_lost(struct subscription *s, uint64_t n) {
  s->lost += n;
  event(s, "warn", "%llu prices were lost: the pipeline stood still for too long",
        (unsigned long long)n);
}

// ---- generated prices ----
// As the server does: what is more than three minutes old is lost.
static async void generate(struct subscription *s) throws(struct fm_closed) {
  s->state = "generated";
  event(s, "info", "prices are generated in the page");
  for (int64_t next = since(s) / MARKET_TICK * MARKET_TICK + MARKET_TICK; !use_server;
       next += MARKET_TICK) {
    int64_t late = now_ms() - next;
    if (late > (int64_t)MARKET_KEPT * MARKET_TICK) {
      int64_t over = (late / MARKET_TICK - MARKET_KEPT) * MARKET_TICK;
      note_lost(s, (uint64_t)market_between(next - MARKET_TICK, next + over, s->rate));
      next += over;
    }
    if (!market_due(next, s->rate))
      continue;
    if (late < 0)
      fm_sleep((uint64_t)-late);
    pass_on(s, (struct point){ next, market_price(s->index, next) });
  }
}

// ---- prices of the server ----
struct bad_message {
  char text[40];
};

static async void take_line(struct subscription *s, const char *line)
    throws(struct fm_closed, struct bad_message) {
  struct point p;
  long long time;
  unsigned long long n;
  if (sscanf(line, "price %lld %lf", &time, &p.price) == 2) {
    p.time = time;
    pass_on(s, p);
  } else if (sscanf(line, "lost %llu", &n) == 1) {
    note_lost(s, n);
  } else {
    struct bad_message e;
    snprintf(e.text, sizeof e.text, "%s", line);
    throw e;
  }
}

// Returns how many prices the message had.
static async int take_message(struct subscription *s, char *text)
    throws(struct fm_closed, struct bad_message) {
  int n = 0;
  for (char *line = text, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end)
      *end++ = '\0';
    n += *line == 'p';
    take_line(s, line);
  }
  return n;
}

static void send_number(struct subscription *s, const char *word, int n) {
  char text[24];
  snprintf(text, sizeof text, "%s %d", word, n);
  try {
    fm_web_send_text(s->socket, text);
  } catch (struct fm_web_error e) {
    (void)e; // the connection has ended: the next receive says why
  }
}

static void ask_for(struct subscription *s, int n) {
  send_number(s, "more", n);
}

static async void follow(struct subscription *s)
    throws(struct fm_closed, struct bad_message, struct fm_web_error, struct fm_web_closed) {
  char url[400];
  s->state = "connecting";
  snprintf(url, sizeof url, "%s%s?rate=%d&since=%lld", server_url, s->instrument->symbol, s->rate,
           (long long)since(s));
  s->socket = fm_web_connect(url, "fermata.prices");
  s->connected = true;
  defer {
    s->connected = false;
    fm_web_close(s->socket); // also when the pipeline is cancelled
  }
  event(s, "info", s->attempts ? "reconnected" : "connected to the server");
  s->state = "live";
  s->attempts = 0;
  for (ask_for(s, CREDIT);;) {
    fm_web_message m = fm_web_receive(s->socket);
    defer free(m.data);
    ask_for(s, take_message(s, m.data));
  }
}

// Half to one and a half of a time that doubles: pages that lost a server together do not come
// back together.
static async void wait_before_retry(struct subscription *s) {
  unsigned doublings = s->attempts < 6 ? s->attempts : 6;
  unsigned wait = RETRY_FIRST << doublings;
  if (wait > RETRY_MOST)
    wait = RETRY_MOST;
  wait = wait / 2 + (unsigned)rand() % wait;
  s->attempts++;
  s->state = "waiting";
  s->retry = fm_now() + (uint64_t)wait * 1000000;
  event(s, "warn", "attempt %u in %.1f s", s->attempts, wait / 1000.0);
  fm_sleep(wait);
}

static async void follow_server(struct subscription *s) throws(struct fm_closed) {
  for (s->attempts = 0;; wait_before_retry(s)) {
    try {
      follow(s);
    } catch (struct fm_web_closed e) {
      event(s, "error", "the connection has ended: %d %s", e.code, e.reason);
    } catch (struct fm_web_error e) {
      event(s, "error", "%s", e.message);
    } catch (struct bad_message e) {
      event(s, "error", "the server says '%s'", e.text);
    }
  }
}

// ---- either ----
async void fetch(struct subscription *s) throws(struct fm_closed) {
  for (;;) {
    scope (now) { // change_source cancels it
      s->fetching = now;
      fm_set_name(now, use_server ? "from the server" : "generated prices");
      if (use_server)
        follow_server(s);
      else
        generate(s);
    }
  }
}

void set_rate(struct subscription *s, int rate) {
  s->rate = market_rate(rate);
  if (s->connected)
    send_number(s, "rate", s->rate);
}

void change_source(struct subscription *s) {
  fm_cancel(s->fetching);
}
