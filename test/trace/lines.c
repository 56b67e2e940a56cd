// lines.c [--open] FILE: reads a trace strictly as JSON, checks what holds for each one, and prints a line for each event, to be looked
// through: "DOMAIN NUMBER (NAME OF THE TRACK) PHASE NAME KEY=VALUE …". With --open the end may be missing: the process was killed.
//
// On each track slices follow each other: none begins before the last one has ended, and an activity's begins where that ended; time
// never goes back; who has slices has a name; an arrow ends where one has begun.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 14, TEXT = 2048 };

typedef struct Track {
  int pid;
  long tid;
  char name[TEXT];
  char slice[TEXT];                               // that is open; "": none
  double time;                                    // of the last event
  double ended;                                   // of the last slice; -1: there was none
} Track;

typedef struct Event {
  char phase[8], name[TEXT], args[TEXT], id[TEXT];
  int pid;
  long tid;
  double ts;
} Event;

static char *at, *text;
static Track *tracks;
static int ntracks;
static char (*arrows)[TEXT];
static int narrows;

static void fail(const char *why) {
  fprintf(stderr, "byte %ld: %s: %.80s\n", (long)(at - text), why, at);
  exit(1);
}

// ---- JSON ----
static void space(void) { at += strspn(at, " \n\t\r"); }

static int take(char c) {
  space();
  if (*at != c) return 0;
  at++;
  return 1;
}

static void need(char c) {
  char why[] = "expected 'c'";
  why[10] = c;
  if (!take(c)) fail(why);
}

static void string(char *to) {
  char *end = to + TEXT - 8;
  need('"');
  while (*at != '"') {
    if ((unsigned char)*at < ' ') fail("a control character in a string");
    if (*at == '\\') {
      if (at[1] != 'u' || strspn(at + 2, "0123456789abcdef") < 4) fail("an unknown escape");
    }
    if (to < end) *to++ = *at;
    at++;
  }
  at++;
  *to = '\0';
}

static double number(void) {
  char *end;
  space();
  double x = strtod(at, &end);
  if (end == at) fail("expected a number");
  at = end;
  return x;
}

static void args(char *to) {
  char key[TEXT], value[TEXT];
  need('{');
  do {
    string(key);
    need(':');
    space();
    if (*at == '"') string(value);
    else snprintf(value, sizeof value, "%.0f", number());
    to += snprintf(to, 300, " %s=%.250s", key, value);
  } while (take(','));
  need('}');
}

static void member(Event *e) {
  char key[TEXT], other[TEXT];
  string(key);
  need(':');
  if (strcmp(key, "ph") == 0) string(other), snprintf(e->phase, sizeof e->phase, "%.7s", other);
  else if (strcmp(key, "name") == 0) string(e->name);
  else if (strcmp(key, "id") == 0) string(e->id);
  else if (strcmp(key, "args") == 0) args(e->args);
  else if (strcmp(key, "pid") == 0) e->pid = (int)number();
  else if (strcmp(key, "tid") == 0) e->tid = (long)number();
  else if (strcmp(key, "ts") == 0) e->ts = number();
  else string(other);
}

// ---- what holds ----
static Track *track_of(const Event *e) {
  for (int i = 0; i < ntracks; i++)
    if (tracks[i].pid == e->pid && tracks[i].tid == e->tid) return &tracks[i];
  if (ntracks == MOST) fail("too many tracks");
  tracks[ntracks] = (Track){ .pid = e->pid, .tid = e->tid, .ended = -1 };
  return &tracks[ntracks++];
}

static void begins(const Event *e, Track *t) {
  if (!*t->name) fail("a track without a name");
  if (*t->slice) fail("a slice within a slice");
  if (e->tid && t->ended >= 0 && t->ended != e->ts) fail("a gap between two slices");
  snprintf(t->slice, sizeof t->slice, "%s", e->name);
}

static void ends(const Event *e, Track *t) {
  if (!*t->slice) fail("the end of a slice that did not begin");
  t->ended = e->ts;
}

static void arrow(const Event *e) {
  for (int i = 0; i < narrows; i++)
    if (strcmp(arrows[i], e->id) == 0) {
      if (*e->phase == 's') fail("an arrow begins twice");
      memcpy(arrows[i], arrows[--narrows], TEXT);
      return;
    }
  if (*e->phase == 'f') fail("the end of an arrow that did not begin");
  if (narrows == MOST) fail("too many arrows");
  memcpy(arrows[narrows++], e->id, TEXT);
}

static void check(const Event *e) {
  Track *t = track_of(e);
  if (*e->phase != 'M' && e->ts < t->time) fail("time goes back");
  if (*e->phase != 'M') t->time = e->ts;
  switch (*e->phase) {
  case 'M':
    if (strcmp(e->name, "thread_name") == 0) snprintf(t->name, sizeof t->name, "%s", e->args + strlen(" name="));
    break;
  case 'B': begins(e, t); break;
  case 'E': ends(e, t); break;
  case 's': case 'f': arrow(e); break;
  case 'i': case 'C': break;
  default: fail("an unknown phase");
  }
  printf("%d %ld (%s) %s %s%s\n", e->pid, e->tid, t->name, e->phase, *e->phase == 'E' ? t->slice : e->name, e->args);
  if (*e->phase == 'E') *t->slice = '\0';
}

static void event(void) {
  static Event e;
  memset(&e, 0, sizeof e);
  need('{');
  do member(&e);
  while (take(','));
  need('}');
  check(&e);
}

static void read_all(const char *path) {
  FILE *in = fopen(path, "r");
  if (!in || fseek(in, 0, SEEK_END) != 0) { perror(path); exit(1); }
  long n = ftell(in);
  rewind(in);
  at = text = calloc(1, (size_t)n + 1);
  tracks = calloc(MOST, sizeof *tracks);
  arrows = calloc(MOST, sizeof *arrows);
  if (!text || !tracks || !arrows || fread(text, 1, (size_t)n, in) != (size_t)n) { perror(path); exit(1); }
  fclose(in);
}

int main(int argc, char **argv) {
  int open = argc == 3 && strcmp(argv[1], "--open") == 0;
  if (argc != 2 + open) return 2;
  read_all(argv[1 + open]);
  need('[');
  do {
    space();
    if (open && !*at) return 0;
    event();
  } while (take(','));
  need(']');
  space();
  if (*at) fail("more behind the end");
  return 0;
}
