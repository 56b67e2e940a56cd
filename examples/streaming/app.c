// app.c: the page: instruments, controls, the live tree. See README.md, and docs/streaming.md.
//
//     main
//       show              every 200 ms: figures, queues and the tree
//       clicks, changes   the user's buttons and menus
//       instruments
//         scope           what the user may cancel, pause and resume
//           NORD          one instrument: pipeline.c
//             NORD fetch, NORD process, NORD chart
//           KILN …
#include "pipeline.h"
#include "events.h"
#include "tree.h"
#include "view.h"

#include <fermata/time.h>
#include <fermata/trace.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHOW_MS = 200, RATE = 10, WINDOW = 30 };

typedef fm_chan(int) Numbers;

static struct subscription subscriptions[MARKET_INSTRUMENTS];
static fm_activity all; // the scope of all instruments
static Numbers starts;  // instruments that are to be started

void event(struct subscription *s, const char *kind, const char *format, ...) {
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  view_event(s->index, kind, text);
}

// ---- instruments ----
// The children of the scope are the instruments. Stopping all cancels the scope, which unwinds to
// its end; the next one takes its place.
static async void instruments(void) {
  for (;;) {
    scope (s) {
      all = s;
      fm_set_name(s, "all instruments");
      for (;;) {
        int i;
        if (fm_recv_or_closed(&starts, &i) && !fm_alive(subscriptions[i].activity)) {
          auto t = spawn pipeline(&subscriptions[i]);
          subscriptions[i].activity = fm_id(t);
          fm_detach(t);
        }
      }
    }
  }
}

static void start(struct subscription *s) {
  if (!fm_alive(s->activity))
    fm_try_send(&starts, s->index);
}

// ---- what the user does ----
// "pause", on an instrument, on all of them, or on another node of the tree.
static void act(const char *verb, fm_activity on) {
  if (!strcmp(verb, "cancel") || !strcmp(verb, "stop"))
    fm_cancel(on);
  else if (!strcmp(verb, "pause"))
    fm_pause(on);
  else if (!strcmp(verb, "resume"))
    fm_resume(on);
}

static void note(const char *verb, struct subscription *s, const char *what) {
  if (!fm_alive(s->activity) || (strcmp(verb, "pause") && strcmp(verb, "resume")))
    return;
  event(s, "pause", "%s%s%s", !strcmp(verb, "pause") ? "paused" : "resumed", *what ? ": " : "",
        what);
}

static void act_on_all(const char *verb) {
  for (int i = 0; i < MARKET_INSTRUMENTS; i++) {
    if (!strcmp(verb, "start"))
      start(&subscriptions[i]);
    note(verb, &subscriptions[i], "all");
  }
  act(verb, all);
}

static void act_on_instrument(const char *verb, struct subscription *s) {
  if (!strcmp(verb, "start"))
    start(s);
  note(verb, s, "");
  act(verb, s->activity);
}

// The instrument that the node belongs to is told of it, too.
static void act_on_node(const char *verb, uint64_t number) {
  fm_activity node = tree_find(all, number);
  const char *name = fm_name_of(node);
  char text[40];
  snprintf(text, sizeof text, "%s", *name ? name : "a part");
  for (int i = 0; i < MARKET_INSTRUMENTS; i++) {
    struct subscription *s = &subscriptions[i];
    bool own = fm_alive(s->activity) && tree_find(s->activity, number).node;
    if (own || number == all.generation)
      note(verb, s, s->activity.generation == number ? "" : own ? text : "all");
  }
  act(verb, node);
}

// The id of a button is VERB-INSTRUMENT, VERB-all or VERB-node-NUMBER.
static void on_click(const char *id) {
  char verb[8];
  unsigned long long number;
  int i;
  if (sscanf(id, "%7[a-z]-node-%llu", verb, &number) == 2)
    act_on_node(verb, number);
  else if (sscanf(id, "%7[a-z]-%d", verb, &i) == 2 && i >= 0 && i < MARKET_INSTRUMENTS)
    act_on_instrument(verb, &subscriptions[i]);
  else if (sscanf(id, "%7[a-z]-al%1[l]", verb, (char[2]){ 0 }) == 2)
    act_on_all(verb);
}

static void set(const char *what, struct subscription *s, int value) {
  if (!strcmp(what, "speed") && market_rate(value) != s->rate) {
    set_rate(s, value);
    event(s, "info", "speed: %d prices a second", s->rate);
  } else if (!strcmp(what, "window") && value > 0 && value <= LONGEST_WINDOW) {
    s->window = value;
  }
}

static void set_source(bool server) {
  use_server = server && *server_url;
  for (int i = 0; i < MARKET_INSTRUMENTS; i++)
    change_source(&subscriptions[i]);
}

// The id of a menu is speed-INSTRUMENT, window-INSTRUMENT, speed-all, window-all, or source.
static void on_change(const char *id, const char *value) {
  char what[8];
  int i;
  if (!strcmp(id, "source"))
    set_source(!strcmp(value, "server"));
  else if (sscanf(id, "%7[a-z]-%d", what, &i) == 2 && i >= 0 && i < MARKET_INSTRUMENTS)
    set(what, &subscriptions[i], atoi(value));
  else if (sscanf(id, "%7[a-z]-al%1[l]", what, (char[2]){ 0 }) == 2)
    for (i = 0; i < MARKET_INSTRUMENTS; i++)
      set(what, &subscriptions[i], atoi(value));
}

static async void clicks(void) throws(struct fm_web_error) {
  fm_web_listener l = fm_web_listen("body", "click", 0);
  defer fm_web_unlisten(l);
  for (;;) {
    fm_web_event e = fm_web_next(l);
    on_click(e.target);
  }
}

static async void changes(void) throws(struct fm_web_error) {
  fm_web_listener l = fm_web_listen("body", "change", 0);
  defer fm_web_unlisten(l);
  for (;;) {
    fm_web_event e = fm_web_next(l);
    on_change(e.target, e.value);
  }
}

// ---- what the user sees ----
// Of a node and those below it.
struct pauses {
  bool own, held;
  char part[32]; // the name of the first one below that is paused by itself
};

static bool look(const fm_info *i, void *to) {
  struct pauses *p = to;
  if (i->depth == 0) {
    p->own = i->paused;
    p->held = i->held;
  } else if (i->paused && !*p->part) {
    snprintf(p->part, sizeof p->part, "%s", i->name);
  }
  return true;
}

static struct pauses pauses_of(fm_activity a) {
  struct pauses p = { 0 };
  fm_visit(a, look, &p);
  return p;
}

static void write_card(FILE *to, struct subscription *s) {
  bool runs = fm_alive(s->activity);
  struct pauses p = runs ? pauses_of(s->activity) : (struct pauses){ 0 };
  const struct figures *f = &s->figures;
  double wait = s->retry > fm_now() ? (double)(s->retry - fm_now()) / 1e9 : 0;
  fprintf(to,
          "{\"runs\":%d,\"paused\":%d,\"held\":%d,\"state\":\"%s\",\"wait\":%.1f,\"attempt\":%u,"
          "\"rate\":%d,\"window\":%d,",
          runs, p.own, p.held, s->state ? s->state : "connecting", wait, s->attempts, s->rate,
          s->window);
  fputs("\"part\":", to);
  json_string(to, p.part);
  fprintf(to,
          ",\"points\":%zu,\"samples\":%zu,\"received\":%llu,\"lost\":%llu,\"shown\":%zu,"
          "\"drawn\":%llu,",
          runs ? fm_chan_count(&s->points) : (size_t)0,
          runs ? fm_chan_count(&s->samples) : (size_t)0, (unsigned long long)s->received,
          (unsigned long long)s->lost, s->shown, (unsigned long long)s->drawn);
  fprintf(to,
          "\"count\":%zu,\"first\":%.6f,\"last\":%.6f,\"low\":%.6f,\"high\":%.6f,\"mean\":%.6f,"
          "\"deviation\":%.6f}",
          f->count, f->first, f->last, f->low, f->high, f->mean, f->deviation);
}

static void show_all(void) {
  char *text = NULL;
  size_t n;
  FILE *to = open_memstream(&text, &n);
  if (!to)
    return;
  struct pauses p = pauses_of(all);
  fprintf(to, "{\"server\":%d,\"use\":%d,\"paused\":%d,\"queue\":%d,\"cards\":[", *server_url != 0,
          use_server, p.own, QUEUE);
  for (int i = 0; i < MARKET_INSTRUMENTS; i++) {
    if (i)
      fputc(',', to);
    write_card(to, &subscriptions[i]);
  }
  fputs("],\"tree\":", to);
  tree_write(to, all);
  fputc('}', to);
  if (fclose(to) == 0)
    view_update(text);
  free(text);
}

static async void show(void) {
  fm_timer t = fm_every(SHOW_MS);
  for (;; fm_tick(&t)) {
    fm_web_frame(); // nobody looks at a page that is hidden
    show_all();
  }
}

// ---- the beginning ----
// A page that comes from the server has a header that says so. A page from a file has no server.
static async void find_server(void) throws(struct fm_web_error) {
  const struct fm_web_request how = { .method = "HEAD" };
  char *page = fm_web_eval("/^https?:$/.test(location.protocol) ? location.href : ''");
  defer free(page);
  if (!*page)
    return;
  fm_web_response r = fm_web_fetch(page, &how);
  defer fm_web_discard(&r);
  char *path = fm_web_header(&r, "X-Fermata-Stream");
  defer free(path);
  if (!path)
    return;
  char *origin = fm_web_eval("location.origin.replace('http', 'ws')");
  defer free(origin);
  snprintf(server_url, sizeof server_url, "%s%s", origin, path);
}

static bool prepare(struct subscription *s, int i) {
  size_t room = (CHART_MOST + QUEUE) * sizeof(double);
  *s =
      (struct subscription){ .index = i, .instrument = &market[i], .rate = RATE, .window = WINDOW };
  s->times = malloc(room);
  s->prices = malloc(room);
  s->smooths = malloc(room);
  return s->times && s->prices && s->smooths;
}

static bool begin(void) {
  char text[2000] = "[";
  size_t n = 1;
  srand((unsigned)time(NULL));
  fm_chan_init(&starts, FM_UNBOUNDED);
  for (int i = 0; i < MARKET_INSTRUMENTS; i++) {
    const struct instrument *m = &market[i];
    if (!prepare(&subscriptions[i], i))
      return false;
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "%s{\"symbol\":\"%s\",\"name\":\"%s\",\"unit\":\"%s\",\"digits\":%d}",
                          i ? "," : "", m->symbol, m->name, m->unit, m->digits);
  }
  snprintf(text + n, sizeof text - n, "]");
  view_begin(text);
  return true;
}

async int main(void) {
  if (!begin())
    return 1;
  try {
    find_server();
  } catch (struct fm_web_error e) {
    printf("no server: %s\n", e.message); // prices are generated then
  }
  use_server = *server_url;
  act_on_all("start");
  try {
    scope (page) {
      fm_set_name(page, "the page");
      spawn show();
      spawn clicks();
      spawn changes();
      spawn instruments();
    }
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
  }
  return 0;
}
