// top.c: `fermata top`: what a running program does. In: a command line. Out: a live view (live.c),
// or text, or JSON. The program's side is runtime/top/; docs/top.md describes both.
#include "top.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// clang-format off
static const char help[] =
    "Usage: fermata top                    lists the programs that can be watched\n"
    "       fermata top [options] PID      watches one, live; ? shows the keys\n"
    "       fermata top --once [options] PID    prints its activities as text\n"
    "       fermata top --json [options] PID    prints them as JSON\n"
    "       fermata top --cancel=ID | --pause=ID | --resume=ID | --stack=ID PID\n"
    "\n"
    "A program can be watched that was started with FERMATA_TOP=1, or that has got\n"
    "SIGUSR2 (kill -USR2 PID) and does not use that signal itself.\n"
    "\n"
    "--sort=KEY      tree, number, name, state, place, wait, turns, load, time,\n"
    "                queue or below; the largest first, names from a to z\n"
    "--reverse       the other way round\n"
    "--flat          a list, not a tree\n"
    "--filter=TEXT   activities with TEXT in name, state, place or wait\n"
    "--delay=SECONDS between two looks (1); of --once and --json: the time in which\n"
    "                turns are counted (0.3; 0: not counted)\n"
    "--cancel=ID     cancels an activity or scope; --pause=ID and --resume=ID stop it\n"
    "                and let it go on; --stack=ID prints its backtrace. ID is the\n"
    "                number in the first column; without DOMAIN: in the first domain\n"
    "                that has it. Several are done in order.\n";
// clang-format on

typedef struct Action {
  const char *verb, *id;
} Action;

typedef struct TopOptions {
  bool once, json;
  View wish;
  bool reverse;
  double delay; // -1: not given
  long pid;     // 0: not given
  Action actions[16];
  size_t count;
} TopOptions;

const char *const sort_names[] = { "tree",  "number", "name",  "state",
                                   "place", "wait",   "turns", "load",
                                   "time",  "queue",  "below", NULL };

// ---- the command line ----
static bool is_sort(const char *name) {
  for (size_t i = 0; sort_names[i]; i++)
    if (strcmp(sort_names[i], name) == 0)
      return true;
  complain("top: --sort=%s: expected tree, number, name, state, place, wait, "
           "turns, load, time, queue or below",
           name);
  return false;
}

static bool is_id(const char *text) {
  size_t n = strspn(text, "0123456789");
  if (n && text[n] == ':')
    n += strspn(text + n + 1, "0123456789") ? 1 : 0;
  n += strspn(text + n, "0123456789");
  return n && !text[n];
}

static bool read_pid(TopOptions *o, const char *word) {
  char *end;
  errno = 0;
  long pid = strtol(word, &end, 10);
  if (!isdigit((unsigned char)*word) || *end || errno || pid <= 0 || o->pid) {
    complain("top: %s: expected one number of a process; `fermata top` lists "
             "the programs that can be watched",
             word);
    return false;
  }
  o->pid = pid;
  return true;
}

static bool read_delay(TopOptions *o, const char *value) {
  char *end;
  o->delay = strtod(value, &end);
  if (end == value || *end || !(o->delay >= 0) || o->delay > 3600) {
    complain("top: --delay=%s: expected seconds", value);
    return false;
  }
  return true;
}

// The text after `--name=`, in the same word or the next one. NULL: it is another option.
static const char *value_of(char ***at, const char *name) {
  size_t n = strlen(name);
  if (strncmp(**at, name, n) != 0)
    return NULL;
  if ((**at)[n] == '=')
    return **at + n + 1;
  return (**at)[n] || !(*at)[1] ? NULL : *++*at;
}

static bool add_action(TopOptions *o, const char *verb, const char *id) {
  if (!is_id(id) || o->count == sizeof o->actions / sizeof *o->actions) {
    complain("top: %s: expected NUMBER or DOMAIN:NUMBER, at most 16 times", id);
    return false;
  }
  o->actions[o->count++] = (Action){ verb, id };
  return true;
}

static bool read_flag(TopOptions *o, const char *word) {
  const struct {
    const char *name;
    bool *flag;
  } flags[] = {
    { "--once", &o->once },
    { "--json", &o->json },
    { "--flat", &o->wish.flat },
    { "--reverse", &o->reverse },
  };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strcmp(word, flags[i].name) == 0)
      return *flags[i].flag = true;
  return false;
}

static bool read_option(TopOptions *o, char ***at) {
  static const struct {
    const char *name, *verb;
  } actions[] = {
    { "--cancel", "cancel" },
    { "--pause", "pause" },
    { "--resume", "resume" },
    { "--stack", "detail" },
  };
  const char *value;
  if (read_flag(o, **at))
    return true;
  if ((value = value_of(at, "--sort")))
    return is_sort(o->wish.sort = value);
  if ((value = value_of(at, "--filter"))) {
    o->wish.filter = value;
    return true;
  }
  if ((value = value_of(at, "--delay")))
    return read_delay(o, value);
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if ((value = value_of(at, actions[i].name)))
      return add_action(o, actions[i].verb, value);
  complain("top: unknown option %s; see fermata top --help", **at);
  return false;
}

static bool read_options(TopOptions *o, char **words) {
  for (char **at = words; *at; at++)
    if (!(**at == '-' ? read_option(o, &at) : read_pid(o, *at)))
      return false;
  // Names are read from a to z, figures from the largest on.
  const char *sort = o->wish.sort;
  bool upwards = strcmp(sort, "turns") != 0 && strcmp(sort, "load") != 0 &&
                 strcmp(sort, "time") != 0 && strcmp(sort, "queue") != 0 &&
                 strcmp(sort, "below") != 0;
  o->wish.up = upwards != o->reverse;
  if (o->pid || (!o->once && !o->json && !o->count))
    return true;
  complain("top: no process is given; `fermata top` lists the programs that "
           "can be watched");
  return false;
}

// ---- text and JSON ----
static void sleep_for(double seconds) {
  struct timespec t = { (time_t)seconds,
                        (long)((seconds - (double)(time_t)seconds) * 1e9) };
  while (nanosleep(&t, &t) != 0 && errno == EINTR)
    continue;
}

// The first look begins to count; the second has what was counted meanwhile. NULL: reported.
static char *take(Client *c, Arena *a, const TopOptions *o) {
  double delay = o->delay < 0 ? 0.3 : o->delay;
  char *line = client_ask(c, a, "take\n");
  if (!line || delay == 0)
    return line;
  sleep_for(delay);
  return client_ask(c, a, "take\n");
}

static char *page_request(const TopOptions *o, Arena *a, size_t first) {
  return arena_printf(a,
                      "rows first=%zu count=1000 sort=%s up=%d flat=%d "
                      "filter=%s\n",
                      first,
                      o->wish.sort,
                      o->wish.up,
                      o->wish.flat,
                      o->wish.filter);
}

static void print_domains(const char *line, Arena *a) {
  const Json *domains = json_get(json_read(a, line), "domains");
  char text[1024];
  for (const Json *d = domains ? domains->first : NULL; d; d = d->next) {
    domain_text(text, sizeof text, d);
    puts(text);
  }
}

static void print_page(const Page *p, bool flat) {
  char text[8192];
  Columns c = columns_for(p, 0, flat);
  if (p->first == 0) {
    head_text(text, sizeof text, &c);
    puts(text);
  }
  for (size_t i = 0; i < p->count; i++) {
    row_text(text, sizeof text, &p->rows[i], &c, flat);
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ')
      text[--n] = '\0';
    puts(text);
  }
}

// The rows as they came: `…,"rows":[` is followed by them, and by `]}`.
static void print_json_page(char *line, bool more) {
  char *rows = strstr(line, "\"rows\":[");
  size_t n = strlen(line);
  if (!rows || n < 2 || rows[8] == ']')
    return;
  line[n - 2] = '\0';
  printf("%s\n%s", more ? "," : "", rows + 8);
}

// All pages are of the same look.
static bool print_pages(Client *c, const TopOptions *o) {
  for (size_t first = 0, total = 1; first < total;) {
    Arena a = { 0 };
    char *line = client_ask(c, &a, page_request(o, &a, first));
    if (!line) {
      arena_free(&a);
      return false;
    }
    Page p = page_of(&a, json_read(&a, line));
    total = p.count ? p.total : 0;
    if (o->json)
      print_json_page(line, first > 0);
    else
      print_page(&p, o->wish.flat);
    first += p.count;
    arena_free(&a);
  }
  return true;
}

static int print_all(Client *c, const TopOptions *o) {
  Arena a = { 0 };
  char *line = take(c, &a, o);
  bool ok = line;
  const char *domains = line ? strstr(line, "\"domains\":") : NULL;
  if (ok && o->json)
    printf("{\"version\":1,\"pid\":%ld,%.*s,\"rows\":[",
           c->pid,
           (int)strlen(domains) - 1,
           domains);
  else if (ok)
    print_domains(line, &a);
  ok = ok && print_pages(c, o);
  if (ok && o->json)
    puts("\n]}");
  arena_free(&a);
  return ok && stdout_written() ? 0 : 1;
}

// ---- actions ----
// A number alone is looked for in all domains. NULL: reported.
static const char *full_id(Client *c, Arena *a, const char *id) {
  if (strchr(id, ':'))
    return id;
  char *line = client_ask(c, a, "take\n");
  const Json *list = line ? json_get(json_read(a, line), "domains") : NULL;
  for (const Json *d = list ? list->first : NULL; d; d = d->next) {
    char *full = arena_printf(a, "%.0f:%s", json_number(d, "domain"), id);
    char *request = arena_printf(a, "rows count=0 focus=%s\n", full);
    char *answer = client_ask(c, a, request);
    if (!answer)
      return NULL;
    if (page_of(a, json_read(a, answer)).focus >= 0)
      return full;
  }
  if (line)
    complain("top: no activity %s: it has ended, or never was", id);
  return NULL;
}

static void print_lines(const Json *lines) {
  char text[4096];
  for (const Json *l = lines ? lines->first : NULL; l; l = l->next) {
    fit(text, sizeof text, l->text ? l->text : "", 1000);
    puts(text);
  }
}

static bool act(Client *c, const Action *what) {
  Arena a = { 0 };
  const char *id = full_id(c, &a, what->id);
  char *line =
      id ? client_ask(c, &a, arena_printf(&a, "%s %s\n", what->verb, id))
         : NULL;
  const Json *answer = line ? json_read(&a, line) : NULL;
  const Json *effect = json_get(answer, "effect");
  if (answer && strcmp(what->verb, "detail") == 0)
    print_lines(json_get(answer, "lines"));
  else if (json_is(answer, "later"))
    printf("%s %s: when its domain comes to a pause\n", what->verb, id);
  else if (answer && effect && !effect->number)
    printf("%s %s: no effect: it was so already\n", what->verb, id);
  else if (answer)
    printf("%s %s: done\n", what->verb, id);
  arena_free(&a);
  return answer != NULL;
}

static int act_all(Client *c, const TopOptions *o) {
  for (size_t i = 0; i < o->count; i++)
    if (!act(c, &o->actions[i]))
      return 1;
  if (o->once || o->json)
    return print_all(c, o);
  return stdout_written() ? 0 : 1;
}

// ---- the command ----
static int list(void) {
  if (list_programs() == 0)
    puts("No program can be watched. Start one with FERMATA_TOP=1, or send a "
         "Fermata\nprogram SIGUSR2: kill -USR2 PID.");
  return stdout_written() ? 0 : 1;
}

static char *program_of(Arena *a, long pid) {
  char path[64];
  char name[256] = "";
  snprintf(path, sizeof path, "/proc/%ld/comm", pid);
  FILE *f = fopen(path, "re");
  if (f && fgets(name, sizeof name, f))
    name[strcspn(name, "\n")] = '\0';
  if (f)
    fclose(f);
  return arena_text(a, name, strlen(name));
}

int top(char **words) {
  TopOptions o = { .wish = { .sort = "tree", .filter = "" }, .delay = -1 };
  if (words[0] && strcmp(words[0], "--help") == 0) {
    fputs(help, stdout);
    return stdout_written() ? 0 : 1;
  }
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC, "C");
  if (!read_options(&o, words))
    return 1;
  if (!o.pid)
    return list();
  Client c;
  if (!client_open(&c, o.pid))
    return 1;
  Arena a = { 0 };
  int status =
      o.once || o.json || o.count
          ? (o.count ? act_all(&c, &o) : print_all(&c, &o))
          : live(&c, &o.wish, o.delay < 0 ? 1 : o.delay, program_of(&a, o.pid));
  client_close(&c);
  arena_free(&a);
  return status;
}
