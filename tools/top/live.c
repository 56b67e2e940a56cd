// live.c: the live view. One request is under way at a time; keys are taken meanwhile, so a program
// that does not answer never holds the terminal. What a key asks for becomes a request; the answer
// changes the model, and the screen shows the model.
//
// The program sorts, filters and folds (requests.c of the runtime); the view asks for the rows that
// fit on the screen. It follows the selected activity by its number, wherever that moves.
#include "top.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE = 32 };
static const double LATE =
    3; // seconds after which a missing answer is reported

typedef struct Live {
  Model m;
  char *queue[QUEUE]; // requests that are to be sent
  size_t waiting;
  bool asked;       // a request is under way
  double asked_at;  // since when
  double look_next; // when the next look is due
  bool quit;
} Live;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void note(Model *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void note(Model *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(m->note, sizeof m->note, format, args);
  va_end(args);
}

// ---- requests ----
// A request for rows makes an older one that was not sent superfluous.
static void drop_rows(Live *l) {
  size_t n = 0;
  for (size_t i = 0; i < l->waiting; i++)
    if (strncmp(l->queue[i], "rows", 4) == 0)
      free(l->queue[i]);
    else
      l->queue[n++] = l->queue[i];
  l->waiting = n;
}

static void ask(Live *l, char *request) {
  if (l->waiting == QUEUE)
    free(request);
  else
    l->queue[l->waiting++] = request;
}

static void ask_rows(Live *l) {
  Model *m = &l->m;
  drop_rows(l);
  ask(l,
      xasprintf(
          "rows first=%zu count=%zu sort=%s up=%d flat=%d%s%s filter=%s\n",
          m->first,
          screen_rows(m),
          sort_names[m->sort],
          m->up,
          m->flat,
          m->selected_id[0] ? " focus=" : "",
          m->selected_id,
          m->filter));
}

static void look(Live *l) {
  ask(l, xstrdup("take\n"));
  l->look_next = now() + l->m.delay;
}

static void send_next(Live *l) {
  if (l->asked || !l->waiting || l->m.ended)
    return;
  l->asked = client_send(l->m.client, l->queue[0]);
  l->m.ended = !l->asked;
  l->asked_at = now();
  free(l->queue[0]);
  l->waiting--;
  memmove(l->queue, l->queue + 1, l->waiting * sizeof *l->queue);
}

// ---- the selected row ----
static const Row *row_at(const Model *m, size_t index) {
  const Page *p = &m->page;
  return index >= p->first && index - p->first < p->count
             ? &p->rows[index - p->first]
             : NULL;
}

static const Row *selected_row(const Model *m) {
  const Row *r = row_at(m, m->selected);
  return r && strcmp(r->id, m->selected_id) == 0 ? r : NULL;
}

static void select_shown(Model *m) {
  const Row *r = row_at(m, m->selected);
  snprintf(m->selected_id, sizeof m->selected_id, "%s", r ? r->id : "");
}

// true: other rows have to be shown.
static bool scroll_to_selected(Model *m) {
  size_t rows = screen_rows(m);
  size_t first = m->first;
  if (m->selected < first)
    first = m->selected;
  else if (rows && m->selected >= first + rows)
    first = m->selected - rows + 1;
  bool moved = first != m->first;
  m->first = first;
  return moved;
}

static void select_index(Live *l, long index) {
  Model *m = &l->m;
  long last = (long)m->page.total - 1;
  m->selected = (size_t)(index < 0      ? 0
                         : index > last ? (last < 0 ? 0 : last)
                                        : index);
  select_shown(m);
  if (scroll_to_selected(m) || !m->selected_id[0])
    ask_rows(l);
}

// ---- answers ----
static void got_rows(Live *l, Arena *a, const Json *answer) {
  Model *m = &l->m;
  Page p = page_of(a, answer);
  arena_free(&m->page_arena);
  m->page_arena = *a;
  *a = (Arena){ 0 };
  m->page = p;
  if (m->selected_id[0] && p.focus >= 0)
    m->selected = (size_t)p.focus;
  if (p.total && m->selected >= p.total)
    m->selected = p.total - 1;
  if (p.focus < 0)
    select_shown(m);
  if (scroll_to_selected(m) || (p.total && p.first >= p.total))
    ask_rows(l);
}

static void got_take(Live *l, Arena *a, const Json *answer) {
  arena_free(&l->m.take_arena);
  l->m.take_arena = *a;
  *a = (Arena){ 0 };
  l->m.take = answer;
  ask_rows(l);
}

static void got_lines(Live *l, Arena *a, const Json *answer) {
  Model *m = &l->m;
  const Json *lines = json_get(answer, "lines");
  arena_free(&m->lines_arena);
  m->lines_arena = *a;
  *a = (Arena){ 0 };
  m->line_count = m->line_first = 0;
  for (const Json *x = lines ? lines->first : NULL; x; x = x->next)
    if (m->line_count < LINES_MOST)
      m->lines[m->line_count++] = x->text ? x->text : "";
  m->at = AT_DETAIL;
}

static void got_done(Live *l, const Json *answer) {
  const Json *effect = json_get(answer, "effect");
  if (json_is(answer, "later"))
    note(&l->m, "It will be done when the domain comes to a pause.");
  else if (effect && !effect->number)
    note(&l->m, "No effect: it was so already.");
  else if (effect)
    note(&l->m, "Done.");
  if (effect)
    look(l);
  else
    ask_rows(l);
}

static void got_answer(Live *l, char *line) {
  Arena a = { 0 };
  const Json *answer = json_read(&a, line);
  const char *type = value_text(answer, "type");
  l->asked = false;
  if (strcmp(type, "take") == 0)
    got_take(l, &a, answer);
  else if (strcmp(type, "rows") == 0)
    got_rows(l, &a, answer);
  else if (strcmp(type, "detail") == 0)
    got_lines(l, &a, answer);
  else if (strcmp(type, "done") == 0)
    got_done(l, answer);
  else
    note(&l->m,
         "%.200s",
         answer ? value_text(answer, "why") : "An answer is not understood.");
  arena_free(&a);
}

static void receive(Live *l) {
  for (;;) {
    Arena a = { 0 };
    char *line;
    Got got = client_receive(l->m.client, &a, 0, &line);
    if (got == GOT_LINE)
      got_answer(l, line);
    if (got == GOT_END)
      l->m.ended = true;
    arena_free(&a);
    if (got != GOT_LINE)
      return;
  }
}

// ---- keys ----
// clang-format off
static const char *const help_lines[] = {
  "fermata top: the activities of a running program",
  "",
  "  Up Down k j    select an activity       Home End g G   the first, the last",
  "  PgUp PgDn      a page up, down          q Ctrl-C       quit",
  "  Right l +      show what is below it    Left h -       fold it, or go up",
  "  *              fold all, or none        Space          fold or unfold it",
  "  s S            sort by the next column, by the one before",
  "  r              reverse the order        t              tree or list",
  "  /              filter: Enter keeps it, Esc ends it",
  "  Enter b        its backtrace, and the object that it waits for",
  "  c              cancel it and all below it (asks first)",
  "  p              pause it and all below it; let it go on",
  "  f              freeze the view          < >            slower, faster",
  "",
  "ID       DOMAIN:NUMBER. The number is that of fm_dump and of traces.",
  "STATE    waits, ready, paused, atomic (in an atomic), ending (its children",
  "         live), ended (its task is held); or scope, race, shield.",
  "TURNS/S  how often it runs; LOAD: percent of the time in which it runs;",
  "TIME     the same in all, since somebody watches. Folded: with all below.",
  "QUE      how many wait for the same object; (3 of 4): values in a channel.",
  "",
  "A domain that is BUSY does not answer: an activity computes without a pause,",
  "or blocks the thread. Its rows are those of the last answer.",
};
// clang-format on

static void show_help(Model *m) {
  m->line_count = sizeof help_lines / sizeof *help_lines;
  memcpy(m->lines, help_lines, sizeof help_lines);
  m->line_first = 0;
  m->at = AT_HELP;
}

static void act(Live *l, const char *verb) {
  if (!selected_row(&l->m))
    note(&l->m, "No activity is selected.");
  else
    ask(l, xasprintf("%s %s\n", verb, l->m.selected_id));
}

static void set_fold(Live *l, bool folded) {
  const Row *r = selected_row(&l->m);
  if (r && r->below && r->folded != folded)
    act(l, folded ? "fold" : "unfold");
}

// Of an activity that is folded, or has nothing below it, to its parent.
static void fold_or_go_up(Live *l) {
  const Row *r = selected_row(&l->m);
  if (r && r->below && !r->folded) {
    set_fold(l, true);
    return;
  }
  for (size_t i = l->m.selected; r && i-- > l->m.page.first;)
    if (row_at(&l->m, i) && row_at(&l->m, i)->depth < r->depth) {
      select_index(l, (long)i);
      return;
    }
}

static void change_sort(Live *l, int step) {
  int n = 0;
  while (sort_names[n])
    n++;
  l->m.sort = (l->m.sort + step + n) % n;
  // figures from the largest on, names from a to z
  l->m.up = l->m.sort < 6;
  note(&l->m, "Sorted by %s.", sort_names[l->m.sort]);
  ask_rows(l);
}

static void change_delay(Live *l, double factor) {
  double delay = l->m.delay * factor;
  l->m.delay = delay < 0.1 ? 0.1 : delay > 60 ? 60 : delay;
  note(&l->m, "A look every %.1f s.", l->m.delay);
  l->look_next = now() + l->m.delay;
}

static void pause_or_resume(Live *l) {
  const Row *r = selected_row(&l->m);
  if (r && r->paused_above && !r->paused)
    note(&l->m, "It is paused by a node above it: resume that one.");
  else
    act(l, r && r->paused ? "resume" : "pause");
}

static void begin_filter(Live *l) {
  strcpy(l->m.before, l->m.filter);
  l->m.at = AT_FILTER;
}

static void begin_cancel(Live *l) {
  if (selected_row(&l->m))
    l->m.at = AT_CANCEL;
}

// true: it was one of these keys.
static bool move_key(Live *l, int key) {
  long at = (long)l->m.selected;
  long page = (long)screen_rows(&l->m);
  switch (key) {
  case KEY_GO_UP:
  case 'k':
    select_index(l, at - 1);
    return true;
  case KEY_GO_DOWN:
  case 'j':
    select_index(l, at + 1);
    return true;
  case KEY_PAGE_UP:
    select_index(l, at - page);
    return true;
  case KEY_PAGE_DOWN:
    select_index(l, at + page);
    return true;
  case KEY_FIRST:
  case 'g':
    select_index(l, 0);
    return true;
  case KEY_LAST:
  case 'G':
    select_index(l, (long)l->m.page.total - 1);
    return true;
  }
  return false;
}

static bool fold_key(Live *l, int key) {
  const Row *r = selected_row(&l->m);
  switch (key) {
  case KEY_GO_RIGHT:
  case 'l':
  case '+':
    set_fold(l, false);
    return true;
  case KEY_GO_LEFT:
  case 'h':
  case '-':
    fold_or_go_up(l);
    return true;
  case ' ':
    set_fold(l, r && !r->folded);
    return true;
  case '*':
    l->m.all_folded = !l->m.all_folded;
    ask(l, xstrdup(l->m.all_folded ? "fold all\n" : "unfold all\n"));
    return true;
  }
  return false;
}

static bool view_key(Live *l, int key) {
  Model *m = &l->m;
  switch (key) {
  case 's':
  case 'S':
    change_sort(l, key == 's' ? 1 : -1);
    return true;
  case 'r':
    m->up = !m->up;
    ask_rows(l);
    return true;
  case 't':
    m->flat = !m->flat;
    ask_rows(l);
    return true;
  case 'f':
    m->frozen = !m->frozen;
    note(m, m->frozen ? "Frozen: f goes on." : "Going on.");
    return true;
  case '<':
  case '>':
    change_delay(l, key == '<' ? 1.5 : 1 / 1.5);
    return true;
  }
  return false;
}

static void rows_key(Live *l, int key) {
  l->m.note[0] = '\0';
  if (move_key(l, key) || fold_key(l, key) || view_key(l, key))
    return;
  switch (key) {
  case 'q':
  case 3:
    l->quit = true;
    break;
  case '?':
    show_help(&l->m);
    break;
  case '/':
    begin_filter(l);
    break;
  case '\n':
  case '\r':
  case 'b':
    act(l, "detail");
    break;
  case 'c':
    begin_cancel(l);
    break;
  case 'p':
    pause_or_resume(l);
    break;
  }
}

static void filter_key(Live *l, int key) {
  Model *m = &l->m;
  size_t n = strlen(m->filter);
  if (key == '\n' || key == '\r') {
    m->at = AT_ROWS;
  } else if (key == KEY_ESCAPE || key == 3) {
    m->filter[0] = '\0';
    m->at = AT_ROWS;
  } else if (key == KEY_ERASE && n) {
    do // a whole character of UTF-8
      m->filter[--n] = '\0';
    while (n && ((unsigned char)m->filter[n - 1] & 0xc0) == 0x80);
  } else if (key >= ' ' && key < 0x100 && n + 1 < sizeof m->filter) {
    m->filter[n] = (char)key;
    m->filter[n + 1] = '\0';
  }
  m->selected = m->first = 0;
  m->selected_id[0] = '\0';
  ask_rows(l);
}

static void cancel_key(Live *l, int key) {
  l->m.at = AT_ROWS;
  if (key == 'y' || key == 'Y')
    act(l, "cancel");
  else
    note(&l->m, "Nothing was cancelled.");
}

static void lines_key(Model *m, int key) {
  if ((key == KEY_GO_DOWN || key == 'j') && m->line_first + 1 < m->line_count)
    m->line_first++;
  else if ((key == KEY_GO_UP || key == 'k') && m->line_first)
    m->line_first--;
  else if (key != KEY_GO_DOWN && key != KEY_GO_UP && key != 'j' && key != 'k')
    m->at = AT_ROWS;
}

static void on_key(Live *l, int key) {
  if (key == KEY_CHANGED) {
    scroll_to_selected(&l->m);
    ask_rows(l);
  } else if (l->m.ended) {
    l->quit = true;
  } else if (l->m.at == AT_FILTER) {
    filter_key(l, key);
  } else if (l->m.at == AT_CANCEL) {
    cancel_key(l, key);
  } else if (l->m.at == AT_DETAIL || l->m.at == AT_HELP) {
    lines_key(&l->m, key);
  } else {
    rows_key(l, key);
  }
}

// ---- the loop ----
static void wait_for_events(const Live *l) {
  struct pollfd p[] = { { .fd = STDIN_FILENO, .events = POLLIN },
                        { .fd = l->m.ended ? -1 : l->m.client->fd,
                          .events = POLLIN } };
  double rest = l->look_next - now();
  bool idle = l->m.frozen || l->m.ended;
  int ms = idle || l->asked ? 500 : rest > 0 ? (int)(rest * 1000) + 1 : 0;
  poll(p, 2, ms); // also a signal ends it: the size of the terminal has changed
}

static void note_lateness(Live *l) {
  double late = now() - l->asked_at;
  if (l->m.ended)
    note(&l->m,
         "The program has ended, or has closed the connection. Any key.");
  else if (l->asked && late > LATE)
    note(
        &l->m,
        "No answer for %.0f s: the process is stopped, or the machine is busy.",
        late);
}

static void step(Live *l) {
  int key;
  wait_for_events(l);
  while (!l->quit && (key = screen_key()) != KEY_NONE)
    on_key(l, key);
  if (!l->m.ended)
    receive(l);
  if (!l->m.frozen && !l->asked && !l->waiting && now() >= l->look_next)
    look(l);
  send_next(l);
  note_lateness(l);
  screen_draw(&l->m);
}

static void live_free(Live *l) {
  while (l->waiting)
    free(l->queue[--l->waiting]);
  arena_free(&l->m.take_arena);
  arena_free(&l->m.page_arena);
  arena_free(&l->m.lines_arena);
}

static int index_of_sort(const char *name) {
  int i = 0;
  while (strcmp(sort_names[i], name) != 0)
    i++;
  return i;
}

int live(Client *c, const View *wish, double delay, const char *program) {
  Live l = { .m = { .client = c,
                    .program = program,
                    .sort = index_of_sort(wish->sort),
                    .up = wish->up,
                    .flat = wish->flat,
                    .delay = delay < 0.1 ? 0.1 : delay } };
  snprintf(l.m.filter, sizeof l.m.filter, "%s", wish->filter);
  if (!screen_begin())
    return 1;
  while (!l.quit)
    step(&l);
  screen_end();
  bool ended = l.m.ended;
  if (ended)
    complain("top: process %ld has ended, or has closed the connection",
             c->pid);
  live_free(&l);
  return ended ? 1 : 0;
}
