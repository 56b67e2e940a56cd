// screen.c: draws the live view, by ncurses: a title, a line for each domain, the rows, a last line
// with a message or the keys. Colours only underline what the text says: NO_COLOR and terminals
// without colours lose nothing.
#include "top.h"

#include <ncurses.h>
#include <stdlib.h>
#include <unistd.h>

enum { PLAIN, READY, PAUSED, CANCELLED, DIM, BUSY };
static bool colours;

bool screen_begin(void) {
  const char *term = getenv("TERM");
  const char *no_color = getenv("NO_COLOR");
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
    complain("top: the live view needs a terminal; there are --once and "
             "--json");
    return false;
  }
  if (!term || !*term || strcmp(term, "dumb") == 0) {
    complain("top: TERM=%s: this terminal cannot show the live view; there is "
             "--once",
             term ? term : "");
    return false;
  }
  // unlike initscr, it returns where the terminal is not known
  if (!newterm(NULL, stdout, stdin)) {
    complain("top: TERM=%s: ncurses does not know this terminal; there is "
             "--once",
             term);
    return false;
  }
  raw(); // Ctrl-C is a key, so that the terminal is always put in order
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  curs_set(0);
  set_escdelay(25);
  colours = has_colors() && !(no_color && *no_color);
  if (colours) {
    start_color();
    use_default_colors();
    init_pair(READY, COLOR_GREEN, -1);
    init_pair(PAUSED, COLOR_YELLOW, -1);
    init_pair(CANCELLED, COLOR_RED, -1);
    init_pair(DIM, COLOR_BLUE, -1);
    init_pair(BUSY, COLOR_RED, -1);
  }
  return true;
}

void screen_end(void) {
  endwin();
}

// ---- lines ----
static void put(int y, const char *text, attr_t how, int colour) {
  char shown[4096];
  if (y < 0 || y >= LINES)
    return;
  fit(shown, sizeof shown, text, COLS);
  attrset(how);
  if (colours && colour)
    attron(COLOR_PAIR(colour));
  mvaddstr(y, 0, shown);
  if (how & A_REVERSE)
    for (int x = width_of(text); x < COLS; x++)
      addch(' ');
  attrset(A_NORMAL);
}

static const Json *domains_of(const Model *m) {
  const Json *list = json_get(m->take, "domains");
  return list ? list->first : NULL;
}

// At most a quarter of the screen.
static int domain_lines(const Model *m) {
  int n = 0;
  for (const Json *d = domains_of(m); d; d = d->next)
    n++;
  int most = LINES / 4 > 1 ? LINES / 4 : 1;
  return n < most ? n : most;
}

// Above the rows: title, domains, heads. Below: one line.
size_t screen_rows(const Model *m) {
  int n = LINES - 3 - domain_lines(m);
  return n > 0 ? (size_t)n : 0;
}

static void draw_title(const Model *m) {
  char text[512];
  snprintf(text,
           sizeof text,
           "fermata top: %s (%ld)  sorted by %s%s%s%s%s%s",
           m->program,
           m->client->pid,
           sort_names[m->sort],
           m->flat ? ", list" : "",
           m->frozen ? ", frozen" : "",
           m->filter[0] ? "  filter: " : "",
           m->filter,
           m->ended ? "  ENDED" : "");
  put(0, text, A_BOLD, PLAIN);
}

static void draw_domains(const Model *m) {
  char text[1024];
  int y = 1;
  int lines = domain_lines(m);
  for (const Json *d = domains_of(m); d && y <= lines; d = d->next, y++) {
    domain_text(text, sizeof text, d);
    bool busy = json_get(d, "busy");
    put(y, text, busy ? A_BOLD : A_NORMAL, busy ? BUSY : PLAIN);
    if (y == lines && d->next)
      put(y, "… and more domains", A_NORMAL, PLAIN);
  }
}

static int colour_of(const Row *r) {
  if (!r->matches)
    return DIM;
  if (r->cancelled)
    return CANCELLED;
  if (r->paused || r->paused_above)
    return PAUSED;
  return strcmp(r->state, "ready") == 0 ? READY : PLAIN;
}

static void draw_rows(const Model *m) {
  char text[4096];
  Columns c = columns_for(&m->page, COLS, m->flat);
  int y = 1 + domain_lines(m);
  head_text(text, sizeof text, &c);
  put(y++, text, A_REVERSE, PLAIN);
  for (size_t i = m->first; i < m->first + screen_rows(m); i++, y++) {
    if (i < m->page.first || i - m->page.first >= m->page.count)
      continue;
    const Row *r = &m->page.rows[i - m->page.first];
    row_text(text, sizeof text, r, &c, m->flat);
    put(y, text, i == m->selected ? A_REVERSE : A_NORMAL, colour_of(r));
  }
}

// Returns the line after it.
static int put_wrapped(int y, const char *text) {
  char part[4096];
  do {
    const char *rest = after_columns(text, COLS);
    if (rest == text)
      rest += *rest != 0; // no character is wider than the screen
    snprintf(part, sizeof part, "%.*s", (int)(rest - text), text);
    if (y < LINES - 1)
      put(y, part, A_NORMAL, PLAIN);
    y++;
    text = rest;
  } while (*text);
  return y;
}

static void draw_lines(const Model *m) {
  int y = 0;
  for (size_t i = m->line_first; i < m->line_count && y < LINES - 1; i++)
    y = put_wrapped(y, m->lines[i]);
  put(LINES - 1,
      "Up and Down scroll, any other key goes back",
      A_REVERSE,
      PLAIN);
}

static void draw_last(const Model *m) {
  char text[512];
  if (m->at == AT_FILTER)
    snprintf(text, sizeof text, "filter: %s_", m->filter);
  else if (m->at == AT_CANCEL)
    snprintf(text,
             sizeof text,
             "Cancel %s and all below it? y or n",
             m->selected_id);
  else if (m->note[0])
    snprintf(text, sizeof text, "%s", m->note);
  else
    snprintf(text,
             sizeof text,
             "%zu of %zu  ? help  s sort  / filter  Enter backtrace  c cancel  "
             "p pause  q quit",
             m->page.total ? m->selected + 1 : 0,
             m->page.total);
  put(LINES - 1, text, A_REVERSE, PLAIN);
}

void screen_draw(const Model *m) {
  erase();
  if (m->at == AT_DETAIL || m->at == AT_HELP) {
    draw_lines(m);
  } else {
    draw_title(m);
    draw_domains(m);
    draw_rows(m);
    draw_last(m);
  }
  refresh();
}

// ---- keys ----
int screen_key(void) {
  static const struct {
    int theirs, ours;
  } keys[] = {
    { ERR, KEY_NONE },
    { KEY_UP, KEY_GO_UP },
    { KEY_DOWN, KEY_GO_DOWN },
    { KEY_LEFT, KEY_GO_LEFT },
    { KEY_RIGHT, KEY_GO_RIGHT },
    { KEY_PPAGE, KEY_PAGE_UP },
    { KEY_NPAGE, KEY_PAGE_DOWN },
    { KEY_HOME, KEY_FIRST },
    { KEY_END, KEY_LAST },
    { KEY_BACKSPACE, KEY_ERASE },
    { 0x7f, KEY_ERASE },
    { 8, KEY_ERASE },
    { 0x1b, KEY_ESCAPE },
    { KEY_RESIZE, KEY_CHANGED },
    { KEY_ENTER, '\n' },
  };
  int key = getch();
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i].theirs == key)
      return keys[i].ours;
  return key < 0x100 ? key : 0;
}
