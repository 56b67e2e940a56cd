// requests.c: the protocol of `fermata top`, as docs/top.md describes it: a request is a line of
// words, an answer is a line of JSON.
//
//     take                         copies the trees of all domains: domains, with figures
//     rows WORD=VALUE… [filter=…]  a page of the rows of the last `take`
//     fold ID|all, unfold ID|all   rows below that node are left out; are shown
//     cancel ID, pause ID, resume ID, detail ID
//
// An ID is DOMAIN:NUMBER. A domain answers within a moment unless an activity computes without a
// pause or blocks the thread. The server waits for PATIENCE, and not at all for a domain that has
// kept it waiting before: its next answer is used when it comes.
#include "top/viewer.h"
#include "top/top-path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t PATIENCE = 150000000; // nanoseconds
static const uint64_t SOON = 50000000; // a shot that is younger is shown again
enum {
  COST = 100
}; // a shot is taken at most in one part of so many of the time

void fm__top_error(fm__top_viewer *v, const char *why) {
  fm__text_add(&v->out, "{\"type\":\"error\",\"why\":");
  fm__text_string(&v->out, why);
  fm__text_add(&v->out, "}\n");
}

void fm__top_hello(fm__top_viewer *v) {
  char program[256];
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = '\0';
  fm__text_add(&v->out,
               "{\"type\":\"hello\",\"fermata\":\"top\",\"version\":%d,"
               "\"runtime\":\"%s\",\"pid\":%ld,\"program\":",
               FM__TOP_VERSION,
               fm_version(),
               (long)getpid());
  fm__text_string(&v->out, program);
  fm__text_add(&v->out, "}\n");
}

// ---- shots ----
static void shot_unref(fm__top_shot *s) {
  if (s && --s->references == 0)
    fm__top_shot_free(s);
}

void fm__top_drop_shots(fm__top_viewer *v) {
  for (size_t i = 0; i < v->count; i++)
    shot_unref(v->shots[i]);
  v->count = 0;
}

static void forget(fm__top_known *k) {
  if (k->pending)
    fm__top_ask_unref(k->pending);
  shot_unref(k->last);
}

// The domains that there are now; both lists are in the order of their numbers.
static void find_domains(fm__top_server *s) {
  static const fm__top_known nothing;
  fm__top_outside now[FM__MOST_DOMAINS];
  size_t n = fm__top_domains(now, FM__MOST_DOMAINS);
  size_t from = 0;
  fm__top_known old[FM__MOST_DOMAINS];
  size_t before = s->domains;
  memcpy(old, s->known, before * sizeof *old);
  for (size_t i = 0; i < n; i++) {
    while (from < before && old[from].outside.domain < now[i].domain)
      forget(&old[from++]);
    bool same = from < before && old[from].outside.domain == now[i].domain;
    s->known[i] = same ? old[from++] : nothing;
    s->known[i].outside = now[i];
  }
  while (from < before)
    forget(&old[from++]);
  s->domains = n;
}

// A shot costs its domain some time: so that it is at most a hundredth, the next one comes later.
static bool is_due(const fm__top_known *k, uint64_t now) {
  if (k->pending)
    return false;
  if (!k->last || k->changed)
    return true;
  uint64_t pause = k->last->cost * COST;
  return now - k->last->at >= (pause > SOON ? pause : SOON);
}

static void receive(fm__top_known *k, uint64_t until) {
  if (!k->pending || !fm__top_answered(k->pending, until))
    return;
  fm__top_shot *s = k->pending->shot;
  k->pending->shot = NULL;
  fm__top_ask_unref(k->pending);
  k->pending = NULL;
  if (!s)
    return;
  fm__top_shot_finish(s);
  shot_unref(k->last);
  k->last = s;
}

static void take_shots(fm__top_server *s, fm__top_viewer *v) {
  find_domains(s);
  uint64_t now = fm__clock();
  for (size_t i = 0; i < s->domains; i++)
    if (is_due(&s->known[i], now)) {
      s->known[i].pending =
          fm__top_asks(s->known[i].outside.domain, FM__ASK_SHOT, 0);
      s->known[i].asked = now;
      s->known[i].changed = false;
    }
  fm__top_drop_shots(v);
  for (size_t i = 0; i < s->domains; i++) {
    fm__top_known *k = &s->known[i];
    receive(k, k->asked == now ? now + PATIENCE : 0);
    if (!k->last)
      continue;
    k->last->references++;
    v->shots[v->count++] = k->last;
  }
}

// ---- take ----
// 'R', 'S' … of /proc; '?': not known
static char thread_state(int thread) {
  char path[64];
  char text[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  FILE *f = fopen(path, "re");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f)
    fclose(f);
  text[n] = '\0';
  const char *name_end = strrchr(text, ')');
  return name_end && name_end[1] ? name_end[2] : '?';
}

static const char *name_in(const fm__top_shot *s, uint64_t number) {
  for (size_t i = 0; s && i < s->count; i++)
    if (s->rows[i].number == number)
      return s->rows[i].name;
  return NULL;
}

static void put_busy(fm__top_text *t, const fm__top_known *k) {
  char state = thread_state(k->outside.thread);
  fm__text_add(t,
               ",\"busy\":{\"ms\":%llu,\"thread\":\"%s\"",
               (unsigned long long)(fm__clock() - k->asked) / 1000000,
               state == 'R' || state == '?' ? "computes"
                                            : "is blocked in a call");
  if (k->outside.running) {
    fm__text_add(t,
                 ",\"running\":\"%llu:%llu\",\"name\":",
                 (unsigned long long)k->outside.domain,
                 (unsigned long long)k->outside.running);
    fm__text_string(t, name_in(k->last, k->outside.running));
  }
  fm__text_add(t, "}");
}

static void put_shot(fm__top_text *t, const fm__top_shot *s) {
  fm__text_add(t,
               ",\"service\":%s,\"starts\":%zu,\"rows\":%zu",
               s->service ? "true" : "false",
               s->starts,
               s->count);
  for (size_t i = 0; i < FM__TOP_STATES; i++)
    fm__text_add(t, ",\"%s\":%u", fm__top_state_names[i], s->states[i]);
  fm__text_add(t,
               ",\"turns_per_s\":%.1f,\"load\":%.4f,\"turns\":%.0f,"
               "\"time_ms\":%.3f,\"counted\":%.4f",
               s->rate,
               s->load,
               s->turns,
               s->ns / 1e6,
               s->counted);
  fm__text_add(t,
               ",\"age_ms\":%llu,\"cost_us\":%llu,\"complete\":%s",
               (unsigned long long)(fm__clock() - s->at) / 1000000,
               (unsigned long long)s->cost / 1000,
               s->complete ? "true" : "false");
}

static void put_domain(fm__top_text *t, const fm__top_known *k) {
  fm__text_add(t,
               "{\"domain\":%llu,\"thread\":%d,\"idle\":%s",
               (unsigned long long)k->outside.domain,
               k->outside.thread,
               k->outside.sleeping ? "true" : "false");
  if (k->last)
    put_shot(t, k->last);
  if (k->pending)
    put_busy(t, k);
  fm__text_add(t, "}");
}

static void take(fm__top_server *s, fm__top_viewer *v) {
  take_shots(s, v);
  fm__text_add(&v->out, "{\"type\":\"take\",\"domains\":[");
  for (size_t i = 0; i < s->domains; i++) {
    fm__text_add(&v->out, i ? "," : "");
    put_domain(&v->out, &s->known[i]);
  }
  fm__text_add(&v->out, "]}\n");
}

// ---- rows ----
typedef struct Page {
  fm__top_wish wish;
  size_t first, count;
  fm__top_id focus;
} Page;

static bool read_number(const char *text, const char *end, uint64_t *n) {
  char *after;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *n = strtoull(text, &after, 10);
  return after == end && !errno;
}

static bool read_id(const char *text, fm__top_id *id) {
  const char *colon = strchr(text, ':');
  return colon && read_number(text, colon, &id->domain) &&
         read_number(colon + 1, text + strlen(text), &id->number);
}

static bool read_key(const char *value, fm__top_key *key) {
  for (int k = 0; k < FM__TOP_KEYS; k++)
    if (strcmp(value, fm__top_key_names[k]) == 0) {
      *key = (fm__top_key)k;
      return true;
    }
  return false;
}

static bool read_word(Page *p, const char *name, const char *value) {
  uint64_t n = 0;
  if (strcmp(name, "sort") == 0)
    return read_key(value, &p->wish.key);
  if (strcmp(name, "focus") == 0)
    return read_id(value, &p->focus);
  if (!read_number(value, value + strlen(value), &n))
    return false;
  if (strcmp(name, "first") == 0)
    p->first = n;
  else if (strcmp(name, "count") == 0)
    p->count = n < FM__MOST_ROWS ? n : FM__MOST_ROWS;
  else if (strcmp(name, "flat") == 0)
    p->wish.flat = n;
  else if (strcmp(name, "up") == 0)
    p->wish.upwards = n;
  else
    return false;
  return true;
}

// The filter is the rest of the line.
static bool read_page(Page *p, char *rest) {
  while (rest && *rest) {
    char *value = strchr(rest, '=');
    if (!value)
      return false;
    *value++ = '\0';
    if (strcmp(rest, "filter") == 0) {
      p->wish.filter = value;
      return true;
    }
    char *space = strchr(value, ' ');
    if (space)
      *space++ = '\0';
    if (!read_word(p, rest, value))
      return false;
    rest = space;
  }
  return true;
}

static void put_text(fm__top_text *t, const char *name, const char *value) {
  if (!value)
    return;
  fm__text_add(t, ",\"%s\":", name);
  fm__text_string(t, value);
}

static void put_id(fm__top_text *t, const fm__top_seen *x, uint32_t row) {
  fm__text_add(t,
               "\"%llu:%llu\"",
               (unsigned long long)x->shot->domain,
               (unsigned long long)x->shot->rows[row].number);
}

static void put_place(fm__top_text *t, const fm__top_row *r) {
  put_text(t, "function", r->function);
  put_text(t, "file", r->file);
  if (r->line)
    fm__text_add(t, ",\"line\":%u", r->line);
  put_text(t, "waits_for", r->wants);
  if (r->queue)
    fm__text_add(t, ",\"queue\":%u", r->queue);
  if (r->fills)
    fm__text_add(t, ",\"values\":%u,\"capacity\":%u", r->filled, r->cap);
}

static void put_figures(fm__top_text *t, const fm__top_seen *x) {
  const fm__top_row *r = &x->shot->rows[x->row];
  fm__text_add(t,
               ",\"turns_per_s\":%.1f,\"load\":%.4f,\"turns\":%.0f,"
               "\"time_ms\":%.3f",
               r->rate,
               r->load,
               r->turns,
               r->ns / 1e6);
  if (r->below)
    fm__text_add(t,
                 ",\"below\":%u,\"children\":%u,\"below_turns_per_s\":%.1f,"
                 "\"below_load\":%.4f,\"below_time_ms\":%.3f",
                 r->below,
                 r->children,
                 x->rate - r->rate,
                 x->load - r->load,
                 (x->ns - r->ns) / 1e6);
}

static void put_row(fm__top_text *t, const fm__top_seen *x) {
  const fm__top_row *r = &x->shot->rows[x->row];
  fm__text_add(t, "{\"id\":");
  put_id(t, x, x->row);
  if (r->parent != FM__TOP_NONE) {
    fm__text_add(t, ",\"parent\":");
    put_id(t, x, r->parent);
  }
  fm__text_add(t, ",\"depth\":%u", r->depth);
  put_text(t, "name", r->name);
  put_text(t, "kind", r->kind);
  put_text(t, "state", fm__top_state_names[r->state]);
  put_place(t, r);
  if (r->cancelled)
    fm__text_add(t, ",\"cancelled\":true");
  if (r->held)
    fm__text_add(t, ",\"paused\":%s", r->stopped ? "\"here\"" : "\"above\"");
  put_figures(t, x);
  if (x->folded)
    fm__text_add(t, ",\"folded\":true");
  if (!x->matches)
    fm__text_add(t, ",\"matches\":false");
  fm__text_add(t, "}");
}

// -1: it is not among the rows.
static long index_of(const fm__top_view *v, fm__top_id id) {
  for (size_t i = 0; i < v->count; i++)
    if (v->seen[i].shot->domain == id.domain &&
        v->seen[i].shot->rows[v->seen[i].row].number == id.number)
      return (long)i;
  return -1;
}

static void rows(fm__top_viewer *v, char *rest) {
  Page p = { .count = 50, .wish.filter = "" };
  if (!read_page(&p, rest)) {
    fm__top_error(v, "rows: unknown word or value");
    return;
  }
  if (!fm__top_look(&v->view, v->shots, v->count, &p.wish, &v->folds)) {
    fm__top_error(v, "out of memory");
    return;
  }
  fm__text_add(&v->out,
               "{\"type\":\"rows\",\"total\":%zu,\"first\":%zu",
               v->view.count,
               p.first);
  if (p.focus.number)
    fm__text_add(&v->out, ",\"focus\":%ld", index_of(&v->view, p.focus));
  fm__text_add(&v->out, ",\"rows\":[");
  for (size_t i = p.first; i < v->view.count && i - p.first < p.count; i++) {
    fm__text_add(&v->out, i > p.first ? "," : "");
    put_row(&v->out, &v->view.seen[i]);
  }
  fm__text_add(&v->out, "]}\n");
}

// ---- fold, cancel, pause, resume, detail ----
static void fold(fm__top_viewer *v, const char *what, bool folded) {
  fm__top_id id;
  if (strcmp(what, "all") == 0) {
    fm__top_fold_all(&v->folds, folded);
  } else if (read_id(what, &id)) {
    fm__top_fold(&v->folds, id, folded);
  } else {
    fm__top_error(v, "expected DOMAIN:NUMBER or `all`");
    return;
  }
  fm__text_add(&v->out, "{\"type\":\"done\"}\n");
}

static void put_lines(fm__top_text *t, char *text) {
  bool more = false;
  for (char *line = text; line && *line; more = true) {
    char *end = strchr(line, '\n');
    if (end)
      *end = '\0';
    fm__text_add(t, more ? "," : "");
    fm__text_string(t, line);
    line = end ? end + 1 : NULL;
  }
}

static void put_outcome(fm__top_viewer *v, fm__top_ask *q, bool answered) {
  if (!answered && q->what == FM__ASK_DETAIL) {
    fm__top_error(v, "the domain is busy: its thread does not come to a pause");
  } else if (!answered) {
    fm__text_add(&v->out, "{\"type\":\"done\",\"later\":true}\n");
  } else if (q->outcome == FM__TOP_GONE) {
    fm__top_error(v, "no such activity: it has ended");
  } else if (q->what == FM__ASK_DETAIL) {
    fm__text_add(&v->out, "{\"type\":\"detail\",\"lines\":[");
    put_lines(&v->out, q->text);
    fm__text_add(&v->out, "]}\n");
  } else {
    fm__text_add(&v->out,
                 "{\"type\":\"done\",\"effect\":%s}\n",
                 q->outcome == FM__TOP_DONE ? "true" : "false");
  }
}

// The next shot is to show it.
static void note_change(fm__top_server *s, uint64_t domain) {
  for (size_t i = 0; i < s->domains; i++)
    s->known[i].changed |= s->known[i].outside.domain == domain;
}

static void act(fm__top_server *s,
                fm__top_viewer *v,
                enum fm__top_what what,
                const char *text) {
  fm__top_id id;
  if (!read_id(text, &id)) {
    fm__top_error(v, "expected DOMAIN:NUMBER");
    return;
  }
  fm__top_ask *q = fm__top_asks(id.domain, what, id.number);
  if (!q) {
    fm__top_error(v, "no such domain: it has ended");
    return;
  }
  bool answered = fm__top_answered(q, fm__clock() + PATIENCE);
  put_outcome(v, q, answered);
  fm__top_ask_unref(q);
  if (what != FM__ASK_DETAIL)
    note_change(s, id.domain);
}

void fm__top_request(fm__top_server *s, fm__top_viewer *v, char *line) {
  static const struct {
    const char *word;
    enum fm__top_what what;
  } acts[] = {
    { "cancel", FM__ASK_CANCEL },
    { "pause", FM__ASK_PAUSE },
    { "resume", FM__ASK_RESUME },
    { "detail", FM__ASK_DETAIL },
  };
  char *rest = line + strcspn(line, " ");
  if (*rest)
    *rest++ = '\0';
  if (strcmp(line, "take") == 0) {
    take(s, v);
    return;
  }
  if (strcmp(line, "rows") == 0) {
    rows(v, rest);
    return;
  }
  if (strcmp(line, "fold") == 0 || strcmp(line, "unfold") == 0) {
    fold(v, rest, *line == 'f');
    return;
  }
  for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
    if (strcmp(line, acts[i].word) == 0) {
      act(s, v, acts[i].what, rest);
      return;
    }
  fm__top_error(v, "unknown request");
}
