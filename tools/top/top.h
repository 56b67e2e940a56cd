// top.h: what the files of `fermata top` share. docs/top.md describes the command and the protocol.
//
//     top.c         options; the list of programs; --once, --json, --cancel …
//     client.c      finds the socket of a process, connects, sends requests, receives answers
//     json.c        the answers as trees
//     rows.c        an answer as rows; a row as text of so many columns
//     live.c        the live view: what the user sees and has asked for; the keys
//     screen.c      draws it, by ncurses; no-screen.c stands in where that is missing
#ifndef FERMATA_TOP_H
#define FERMATA_TOP_H

#include "../fermata.h"

// ---- json.c ----
typedef enum { J_NULL, J_BOOL, J_NUMBER, J_TEXT, J_LIST, J_OBJECT } JsonKind;
typedef struct Json Json;
struct Json {
  JsonKind kind;
  const char *name;   // in an object; else NULL
  const char *text;   // of J_TEXT
  double number;      // of J_NUMBER, J_BOOL
  Json *first, *next; // elements of a list or object
};
// NULL: it is not JSON. The text stays in use.
Json *json_read(Arena *a, const char *text);
const Json *json_get(const Json *object, const char *name);   // NULL: none
double json_number(const Json *object, const char *name);     // 0: none
const char *value_text(const Json *object, const char *name); // "": none
bool json_is(const Json *object, const char *name);           // it is true

// ---- client.c ----
typedef struct Client {
  int fd;
  long pid;
  char *in; // what has been received
  size_t used, room;
} Client;
// false: reported, with what to do.
bool client_open(Client *c, long pid);
void client_close(Client *c);
// false: the connection is lost.
bool client_send(Client *c, const char *request);
typedef enum { GOT_LINE, GOT_NOTHING, GOT_END } Got;
// A line, in memory of the arena; GOT_NOTHING: none within so many milliseconds.
Got client_receive(Client *c, Arena *a, int ms, char **line);
// The answer to a request. NULL: none, and reported, or an error that the program reports.
char *client_ask(Client *c, Arena *a, const char *request);
// Prints the programs of this user that can be watched. Returns how many.
size_t list_programs(void);

// ---- rows.c ----
typedef struct Row {
  const char *id, *name, *state, *kind, *file, *waits;
  int depth, line;
  double rate, load, ms;             // its own
  double all_rate, all_load, all_ms; // with those below it
  int queue, values, capacity;       // values -1: it is not a channel
  int below;
  bool cancelled, paused, paused_above, folded, matches;
} Row;
typedef struct Page {
  Row *rows;
  size_t count, first, total;
  long focus; // -1: not among the rows
} Page;
Page page_of(Arena *a, const Json *answer);

// The text in the terminal's characters, at most so many columns wide; what cannot be shown is `?`.
// Returns how many columns it has.
int fit(char *to, size_t room, const char *text, int columns);
int width_of(const char *text);
// The rest of the text after so many columns.
const char *after_columns(const char *text, int columns);
typedef struct Columns { // widths of the last three
  int name, place, waits;
  bool narrow; // load, time and queue are left out, because the terminal is
} Columns;
enum { FIXED_COLUMNS = 44, FIXED_NARROW = 26 }; // width of the others
// Widths for a page, of which all lines together may have so many columns; 0: as many as it takes.
Columns columns_for(const Page *p, int width, bool flat);
void head_text(char *to, size_t room, const Columns *c);
void row_text(char *to, size_t room, const Row *r, const Columns *c, bool flat);
// "9 wait, 1 is ready …", of one domain, or what is wrong with it
void domain_text(char *to, size_t room, const Json *domain);

// ---- live.c ----
typedef struct View {
  const char *sort, *filter;
  bool up, flat;
} View;
extern const char *const sort_names[]; // NULL at the end
int live(Client *c, const View *wish, double delay, const char *program);

// What is on the screen.
enum { NOTE = 256, LINES_MOST = 200, DOMAINS_MOST = 64 };
typedef struct Model {
  Client *client;
  const char *program;
  // the view
  int sort;
  bool up, flat, all_folded, frozen;
  char filter[128];
  double delay; // seconds
  // what was received
  Arena take_arena, page_arena, lines_arena;
  const Json *take; // NULL: nothing yet
  Page page;
  size_t first;         // the row at the top of the screen
  size_t selected;      // its number among all rows
  char selected_id[48]; // "": the one at that number
  // what is being done
  char note[NOTE]; // the last line; "": the keys
  enum { AT_ROWS, AT_FILTER, AT_CANCEL, AT_DETAIL, AT_HELP } at;
  const char *lines[LINES_MOST]; // of AT_DETAIL, AT_HELP
  size_t line_count, line_first;
  char before[128]; // AT_FILTER: the filter that Esc brings back
  bool ended;       // the connection is lost
} Model;

// ---- screen.c ----
bool screen_begin(void); // false: reported
void screen_end(void);
void screen_draw(const Model *m);
size_t screen_rows(const Model *m); // how many fit
// A key: a character, or one of these. KEY_NONE: there is none.
enum {
  KEY_NONE = 0x1000,
  KEY_GO_UP,
  KEY_GO_DOWN,
  KEY_GO_LEFT,
  KEY_GO_RIGHT,
  KEY_PAGE_UP,
  KEY_PAGE_DOWN,
  KEY_FIRST,
  KEY_LAST,
  KEY_ERASE,
  KEY_ESCAPE,
  KEY_CHANGED // the size of the terminal
};
int screen_key(void);

#endif
