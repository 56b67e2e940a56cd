// stream-marbles.c: diagrams of streams, for tests: `--a--(bc)-|`.
//
// A diagram becomes a list of events, each with its column. The source waits for the moment of each
// event. The comparison writes down the events of a stream in the same form, and prints both lists
// if they differ.
#include "stream.h"

#include <string.h>

typedef struct Mark {
  uint64_t column;
  char what; // a value, or '|' or '#'
} Mark;

typedef struct Marks {
  Mark *at;
  size_t n;
  size_t room;
  uint64_t columns; // of the whole diagram
} Marks;

static void add(Marks *m, uint64_t column, char what) {
  if (m->n == m->room) {
    m->room = m->room ? 2 * m->room : 16;
    m->at = fm__stream_grown(m->at, m->room * sizeof *m->at);
  }
  m->at[m->n++] = (Mark){ column, what };
}

static bool is_over(const Marks *m) {
  return m->n && strchr("|#", m->at[m->n - 1].what);
}

// ---- text to marks ----
static void wrong(const char *text, const char *what) {
  char message[160];
  snprintf(message, sizeof message, "the diagram \"%.80s\" %s", text, what);
  fm__stream_fatal(message);
}

static bool is_value(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

static void check(const Marks *m, const char *text, char c) {
  if (is_over(m) && c != '-')
    wrong(text, "goes on after its end");
  if (c != '-' && !is_value(c) && !strchr("|#", c))
    wrong(text,
          "has a character that means nothing: use - ( ) | # and letters or "
          "digits");
}

// The events of a group are all in one column.
static Marks parse(const char *text) {
  Marks m = { NULL, 0, 0, 0 };
  bool grouped = false;
  for (const char *p = text; *p; p++) {
    bool bracket = *p == '(' || *p == ')';
    if (*p == ' ')
      continue;
    if (bracket && (*p == '(') == grouped)
      wrong(text, "has a parenthesis without its partner");
    if (bracket)
      grouped = !grouped;
    else
      check(&m, text, *p);
    if (!bracket && *p != '-')
      add(&m, m.columns, *p);
    if (!grouped)
      m.columns++;
  }
  if (grouped)
    wrong(text, "has a parenthesis without its partner");
  return m;
}

// ---- the source ----
typedef struct Play {
  uint64_t from; // when it was opened
  size_t i;
} Play;

static Play *play(fm__cursor *c) {
  return (Play *)(void *)c->state;
}

static void marbles_open(fm__cursor *c) {
  play(c)->from = fm_now();
}

static async void wait_until(uint64_t when) {
  uint64_t now = fm_now();
  if (now < when)
    fm_sleep(fm__ms_until(when, now));
}

static async void never(void) {
  fm_sem none;
  fm_sem_init(&none, 0);
  fm_sem_wait(&none);
}

static async bool marbles_next(fm__cursor *c, void *out) throws(fm_error) {
  const fm__stream *s = c->seen.of;
  Play *at = play(c);
  if (at->i == s->count)
    never();
  const Mark *m = (const Mark *)(void *)s->data + at->i;
  wait_until(at->from + m->column * 1000000);
  at->i++;
  if (m->what == '#')
    throw(struct fm_marble){ (int)m->column };
  *(char *)out = m->what;
  return m->what != '|';
}

static const fm__kind marbles_kind = { .name = "marbles",
                                       .state = sizeof(Play),
                                       .open = marbles_open,
                                       .next = marbles_next };

fm__stream *fm__stream_marbles(const char *text) {
  fm__stream *s = fm__stream_new(&marbles_kind, 1, 0);
  Marks m = parse(text);
  s->data = (char *)m.at;
  s->count = m.n;
  return s;
}

// ---- the comparison ----
static void print_marks(FILE *to, const char *head, const Marks *m) {
  fputs(head, to);
  for (size_t i = 0; i < m->n; i++)
    fprintf(to, " %c@%llu", m->at[i].what, (unsigned long long)m->at[i].column);
  fputc('\n', to);
}

static bool are_equal(const Marks *a, const Marks *b) {
  if (a->n != b->n)
    return false;
  for (size_t i = 0; i < a->n; i++)
    if (a->at[i].what != b->at[i].what || a->at[i].column != b->at[i].column)
      return false;
  return true;
}

static uint64_t column(uint64_t from) {
  return (fm_now() - from) / 1000000;
}

static async void watch(fm__stream *s, Marks *got) {
  uint64_t from = fm_now();
  fm__stream *open = fm__stream_open(s);
  defer fm__stream_closed(&open);
  char x = 0;
  try {
    while (fm__stream_next(open, &x))
      add(got, column(from), x);
    add(got, column(from), '|');
  } catch (fm_error *e) {
    (void)e;
    add(got, column(from), '#');
  }
}

enum {
  LATER = 1000
}; // columns within which a stream has to end, after its diagram

async bool fm__marbles_match(fm__stream *s, const char *text) {
  Marks want = parse(text);
  Marks got = { NULL, 0, 0, 0 };
  defer fm__stream_free(want.at);
  defer fm__stream_free(got.at);
  uint64_t limit = want.columns + (is_over(&want) ? LATER : 0);
  race {
  case watch(s, &got):
    break;
  case fm_sleep(limit ? limit : 1):
    break;
  }
  // A diagram without an end says nothing of what comes after it.
  while (!is_over(&want) && got.n && got.at[got.n - 1].column >= want.columns)
    got.n--;
  if (are_equal(&want, &got))
    return true;
  print_marks(stderr, "marbles: expected", &want);
  print_marks(stderr, "         but got ", &got);
  return false;
}
