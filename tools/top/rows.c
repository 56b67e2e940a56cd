// rows.c: an answer of the program as rows, and a row as a line of text:
//
//         ID STATE  TURNS/S  LOAD    TIME QUEUE  NAME         PLACE      WAITS FOR
//        1:9 waits      914   0.0     0.2 s   -   - ticker    tree.c:11  a timer
//
// Names come from the program. A character that the terminal cannot show, or that it would obey, is
// shown as `?`; a text that is too wide is cut by columns, not by bytes.
#include "top.h"

#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

// ---- texts of so many columns ----
// The next character, and how many bytes it has. What is not UTF-8 is U+FFFD.
static unsigned decode(const char *s, int *n) {
  unsigned char c = (unsigned char)*s;
  int more = c < 0xc2 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : 0;
  unsigned code = more ? c & (0x3fu >> more) : c;
  *n = 1;
  for (; more > 0; more--, ++*n) {
    if (((unsigned char)s[*n] & 0xc0) != 0x80)
      return 0xfffd;
    code = code << 6 | ((unsigned char)s[*n] & 0x3f);
  }
  return c >= 0x80 && *n == 1 ? 0xfffd : code;
}

// In the terminal's characters; how many columns it takes.
static int encode(char to[16], unsigned code) {
  wchar_t wide = (wchar_t)code;
  mbstate_t state = { 0 };
  int columns = iswprint((wint_t)wide) ? wcwidth(wide) : -1;
  size_t n = columns >= 0 ? wcrtomb(to, wide, &state) : (size_t)-1;
  if (n == (size_t)-1) {
    strcpy(to, "?");
    return 1;
  }
  to[n] = '\0';
  return columns;
}

int width_of(const char *text) {
  char one[16];
  int width = 0;
  int n;
  for (; *text; text += n)
    width += encode(one, decode(text, &n));
  return width;
}

const char *after_columns(const char *text, int columns) {
  char one[16];
  int width = 0;
  for (int n; *text; text += n)
    if ((width += encode(one, decode(text, &n))) > columns)
      break;
  return text;
}

// The last column of a text that is cut is `~`.
int fit(char *to, size_t room, const char *text, int columns) {
  bool cut = width_of(text) > columns;
  int most = cut ? columns - 1 : columns;
  int used = 0;
  size_t at = 0;
  int n;
  for (; *text; text += n) {
    char one[16];
    int width = encode(one, decode(text, &n));
    if (used + width > most || at + strlen(one) + 2 > room)
      break;
    strcpy(to + at, one);
    at += strlen(one);
    used += width;
  }
  if (cut && columns > 0) {
    to[at++] = '~';
    used++;
  }
  to[at] = '\0';
  return used;
}

// Filled with spaces.
static void fit_column(char *to, size_t room, const char *text, int columns) {
  int used = fit(to, room, text, columns);
  size_t at = strlen(to);
  while (used++ < columns && at + 1 < room)
    to[at++] = ' ';
  to[at] = '\0';
}

// A place is cut at its beginning: its line says most.
static void fit_end(char *to, size_t room, const char *text, int columns) {
  int over = width_of(text) - columns;
  if (over <= 0 || columns < 2) {
    fit_column(to, room, text, columns);
    return;
  }
  *to = '~';
  fit_column(to + 1, room - 1, after_columns(text, over + 1), columns - 1);
}

// ---- rows ----
static Row row_of(const Json *x) {
  const char *paused = value_text(x, "paused");
  const Json *matches = json_get(x, "matches");
  Row r = {
    .id = value_text(x, "id"),
    .name = value_text(x, "name"),
    .state = value_text(x, "state"),
    .kind = value_text(x, "kind"),
    .file = value_text(x, "file"),
    .waits = value_text(x, "waits_for"),
    .depth = (int)json_number(x, "depth"),
    .line = (int)json_number(x, "line"),
    .rate = json_number(x, "turns_per_s"),
    .load = json_number(x, "load"),
    .ms = json_number(x, "time_ms"),
    .queue = (int)json_number(x, "queue"),
    .values = json_get(x, "values") ? (int)json_number(x, "values") : -1,
    .capacity = (int)json_number(x, "capacity"),
    .below = (int)json_number(x, "below"),
    .cancelled = json_is(x, "cancelled"),
    .paused = strcmp(paused, "here") == 0,
    .paused_above = strcmp(paused, "above") == 0,
    .folded = json_is(x, "folded"),
    .matches = !matches || matches->number != 0,
  };
  r.all_rate = r.rate + json_number(x, "below_turns_per_s");
  r.all_load = r.load + json_number(x, "below_load");
  r.all_ms = r.ms + json_number(x, "below_time_ms");
  return r;
}

Page page_of(Arena *a, const Json *answer) {
  const Json *list = json_get(answer, "rows");
  Page p = { .first = (size_t)json_number(answer, "first"),
             .total = (size_t)json_number(answer, "total"),
             .focus = json_get(answer, "focus")
                          ? (long)json_number(answer, "focus")
                          : -1 };
  for (const Json *x = list ? list->first : NULL; x; x = x->next)
    p.count++;
  p.rows = arena_alloc(a, (p.count + 1) * sizeof *p.rows);
  size_t n = 0;
  for (const Json *x = list ? list->first : NULL; x; x = x->next)
    p.rows[n++] = row_of(x);
  return p;
}

// ---- a line ----
// With the signs of the tree: `-` open, `+` folded.
static char *name_text(char *to, size_t room, const Row *r, bool flat) {
  int indent = flat ? 0 : r->depth - 1;
  const char *sign = flat ? "" : r->folded ? "+ " : r->below ? "- " : "  ";
  size_t at = (size_t)snprintf(
      to, room, "%*s%s%s", indent < 60 ? indent : 60, "", sign, r->name);
  if (r->folded && at < room)
    snprintf(to + at, room - at, " (+%d)", r->below);
  return to;
}

static char *place_text(char *to, size_t room, const Row *r) {
  const char *slash = strrchr(r->file, '/');
  const char *file = slash ? slash + 1 : r->file;
  snprintf(to, room, r->line ? "%s:%d" : "%s", file, r->line);
  return to;
}

static char *waits_text(char *to, size_t room, const Row *r) {
  char values[64] = "";
  if (r->values >= 0 && r->capacity)
    snprintf(values, sizeof values, " (%d of %d)", r->values, r->capacity);
  snprintf(to,
           room,
           "%s%s%s%s%s%s",
           r->waits,
           values,
           r->cancelled && (r->waits[0]) ? ", " : "",
           r->cancelled ? "cancelled" : "",
           r->paused || r->paused_above
               ? (r->waits[0] || r->cancelled ? ", " : "")
               : "",
           r->paused         ? "paused"
           : r->paused_above ? "paused above"
                             : "");
  return to;
}

static int most(int x, int y) {
  return x > y ? x : y;
}
static int least(int x, int y) {
  return x < y ? x : y;
}

Columns columns_for(const Page *p, int width, bool flat) {
  char text[1024];
  enum { NARROW = 72 };
  Columns c = { 4, 5, 9, width && width < NARROW };
  for (size_t i = 0; i < p->count; i++) {
    const Row *r = &p->rows[i];
    c.name = most(c.name, width_of(name_text(text, sizeof text, r, flat)));
    c.place = most(c.place, width_of(place_text(text, sizeof text, r)));
    c.waits = most(c.waits, width_of(waits_text(text, sizeof text, r)));
  }
  if (!width)
    return c;
  int rest = most(width - (c.narrow ? FIXED_NARROW : FIXED_COLUMNS) - 4, 12);
  if (c.name + c.place + c.waits > rest) {
    c.place = least(c.place, most(rest * 2 / 5, 5));
    c.name = least(c.name, most((rest - c.place) * 3 / 5, 4));
    c.waits = most(rest - c.name - c.place, 0);
  }
  return c;
}

void head_text(char *to, size_t room, const Columns *c) {
  snprintf(to,
           room,
           "%9s %-6s %8s%s  %-*s  %-*s  %s",
           "ID",
           "STATE",
           "TURNS/S",
           c->narrow ? "" : "  LOAD    TIME QUE",
           c->name,
           "NAME",
           c->place,
           "PLACE",
           "WAITS FOR");
}

static void time_text(char *to, size_t room, double ms) {
  if (ms < 1000)
    snprintf(to, room, "%.1fms", ms);
  else if (ms < 1000000)
    snprintf(to, room, "%.1fs", ms / 1000);
  else
    snprintf(to, room, "%.0fmin", ms / 60000);
}

static void rate_text(char *to, size_t room, double rate) {
  if (rate >= 1e7)
    snprintf(to, room, "%.1fM", rate / 1e6);
  else if (rate && rate < 10)
    snprintf(to, room, "%.1f", rate);
  else
    snprintf(to, room, "%.0f", rate);
}

// Of a folded node the figures are those of its whole subtree.
void row_text(
    char *to, size_t room, const Row *r, const Columns *c, bool flat) {
  char text[1024];
  char name[1024];
  char place[512];
  char waits[1024];
  char time[32];
  char rate[32];
  char queue[16] = "-";
  const char *state = r->paused ? "paused" : r->state;
  fit_column(name, sizeof name, name_text(text, sizeof text, r, flat), c->name);
  fit_end(place, sizeof place, place_text(text, sizeof text, r), c->place);
  fit(waits, sizeof waits, waits_text(text, sizeof text, r), c->waits);
  time_text(time, sizeof time, r->folded ? r->all_ms : r->ms);
  rate_text(rate, sizeof rate, r->folded ? r->all_rate : r->rate);
  if (r->queue)
    snprintf(queue, sizeof queue, "%d", r->queue);
  char middle[64];
  snprintf(middle,
           sizeof middle,
           " %5.1f %7s %3s",
           100 * (r->folded ? r->all_load : r->load),
           time,
           queue);
  snprintf(to,
           room,
           "%9s %-6s %8s%s  %s  %s  %s",
           r->id,
           strcmp(state, "open") == 0 ? r->kind : state,
           rate,
           c->narrow ? "" : middle,
           name,
           place,
           waits);
}

// ---- domains ----
static size_t add_busy(char *to, size_t room, const Json *busy) {
  char name[128];
  fit(name, sizeof name, value_text(busy, "name"), 40);
  const char *running = value_text(busy, "running");
  return (size_t)snprintf(to,
                          room,
                          " BUSY for %.1f s: its thread %s%s%s%s%s; as it was "
                          "before:",
                          json_number(busy, "ms") / 1000,
                          value_text(busy, "thread"),
                          *running ? " in #" : ", outside of activities",
                          *running ? strchr(running, ':') + 1 : "",
                          *name ? " " : "",
                          name);
}

void domain_text(char *to, size_t room, const Json *d) {
  char rate[32];
  const Json *busy = json_get(d, "busy");
  size_t at = (size_t)snprintf(to,
                               room,
                               "domain %.0f%s:",
                               json_number(d, "domain"),
                               json_is(d, "service") ? " (service)" : "");
  if (busy)
    at += add_busy(to + at, room - at, busy);
  if (at >= room)
    return;
  rate_text(rate, sizeof rate, json_number(d, "turns_per_s"));
  at += (size_t)snprintf(to + at,
                         room - at,
                         " %.0f nodes, %.0f wait",
                         json_number(d, "rows"),
                         json_number(d, "waits"));
  static const char *const states[] = { "ready",  "paused", "atomic",
                                        "ending", "ended",  NULL };
  for (size_t i = 0; states[i] && at < room; i++)
    if (json_number(d, states[i]) || i == 0)
      at += (size_t)snprintf(to + at,
                             room - at,
                             ", %.0f %s",
                             json_number(d, states[i]),
                             states[i]);
  if (at < room)
    at += (size_t)snprintf(to + at,
                           room - at,
                           "; %s turns/s, load %.1f %%",
                           rate,
                           100 * json_number(d, "load"));
  double counted = json_number(d, "counted");
  if (at < room && counted && counted < 0.995)
    at += (size_t)
        snprintf(to + at, room - at, " (%.1f %% counted)", 100 * counted);
  if (at < room && json_number(d, "starts"))
    at += (size_t)snprintf(to + at,
                           room - at,
                           ", %.0f to begin",
                           json_number(d, "starts"));
  const Json *complete = json_get(d, "complete");
  if (at < room && complete && !complete->number)
    snprintf(to + at, room - at, ", not all: out of memory");
}
