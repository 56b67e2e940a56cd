// main.c: the oracle. BASE stands for files: BASE.core has programs, BASE.c the same as one unit.
//     oracle gen SEED                a random program
//     oracle batch FIRST COUNT BASE  makes both of COUNT programs that the machine has room for, of
//                                    seeds from FIRST on; BASE.seeds has the seeds
//     oracle unit BASE               makes BASE.c
//     oracle jobs BASE               lines for the standard input of the unit's program
//     oracle check BASE              reads what that program prints, and says what is wrong
//     oracle shorter BASE TO         makes TO.core and TO.c: the first program, shorter by one step
//     oracle pick BASE N             prints program N
//     oracle drop BASE N...          makes both files without these programs
//     oracle trace FILE              the traces in the order of the queue
//     oracle outcomes FILE           all traces
//     oracle walk BASE               runs each program in a few random schedules
//     oracle explain BASE            reads such a line; both traces of program 0 side by side
// ORACLE_RULES=FILE: adds to FILE how often each rule was used.
#include "search.h"
#include "shorten.h"

#include <stdlib.h>
#include <string.h>

enum {
  MEMBER_LIMIT = 20000,
  SMALL_LIMIT = 2000,
  MAX_PROGRAMS = 2000,
  MAX_OUTCOMES = 64,
  RARE = 12,        // an outcome of a small program has at least this chance, 1 of RARE
  SCHEDULES = 200,  // for which so many schedules are tried
  SMALL_PROGRAMS = 2, // of a batch
  HANGS = 128 + 14,   // the status after SIGALRM
};

static FILE *open_file(const char *base, const char *suffix, const char *mode) {
  char name[1000];
  snprintf(name, sizeof name, "%s%s", base, suffix);
  FILE *f = fopen(name, mode);
  if (!f) {
    perror(name);
    exit(2);
  }
  return f;
}

// ---- programs in, units out ----
static void write_unit(FILE *to, Node *const *programs, int n) {
  fputs("#include \"prelude.h\"\n\n", to);
  for (int i = 0; i < n; i++)
    source_write(to, programs[i], i);
  fputs("int main(void) {\n  static const program all[] = {\n", to);
  for (int i = 0; i < n; i++) {
    const int *at = programs[i]->at;
    fprintf(to, "    { p%d_f0, { %d, %d, %d }, { %d, %d }, %d },\n", i, at[0], at[1], at[2],
            at[3], at[4], core_has(programs[i], SHARE));
  }
  fputs("  };\n  return batch(all);\n}\n", to);
}

static int read_all(const char *base, Node **programs) {
  FILE *in = open_file(base, ".core", "r");
  int n = 0;
  for (Node *p; n < MAX_PROGRAMS && (p = core_read(in)); n++)
    programs[n] = p;
  fclose(in);
  return n;
}

static int unit(const char *base) {
  Node *programs[MAX_PROGRAMS];
  int n = read_all(base, programs);
  FILE *out = open_file(base, ".c", "w");
  write_unit(out, programs, n);
  fclose(out);
  return 0;
}

static int broken(const Node *tree) {
  fprintf(stderr, "oracle: an invariant does not hold: %s (after %s)\n", machine.why, machine.rule);
  core_write(stderr, tree);
  return 1;
}

static bool has_room(Node *tree) {
  static State m;
  Program *p = core_program(tree);
  bool fine = search_fifo(p, &m);
  if (machine.trouble == BROKEN)
    exit(broken(tree));
  core_program_free(p);
  return fine && m.traced >= 3;
}

static int batch(unsigned long long seed, int count, const char *base) {
  FILE *core = open_file(base, ".core", "w");
  FILE *seeds = open_file(base, ".seeds", "w");
  for (int n = 0; n < count; seed++) {
    Node *p = gen_program(seed);
    if (has_room(p)) {
      core_write(core, p);
      fprintf(seeds, "%llu\n", seed);
      n++;
    }
    core_free(p);
  }
  fclose(core);
  fclose(seeds);
  return unit(base);
}

static int by_size(const void *a, const void *b) {
  return core_size(*(Node *const *)a) - core_size(*(Node *const *)b);
}

// The shortest ones come first.
static int shorter(const char *base, const char *to) {
  enum { MOST = 120 };
  Node *programs[MAX_PROGRAMS];
  Node *found[MAX_PROGRAMS];
  read_all(base, programs);
  int size = core_size(programs[0]);
  int n = 0;
  Node *p;
  for (int i = 0; n < MAX_PROGRAMS && (p = shorten(programs[0], i)); i++)
    if (core_size(p) < size && has_room(p))
      found[n++] = p;
  qsort(found, (size_t)n, sizeof *found, by_size);
  FILE *core = open_file(to, ".core", "w");
  for (int i = 0; i < n && i < MOST; i++)
    core_write(core, found[i]);
  fclose(core);
  return n ? unit(to) : 1;
}

static int pick(const char *base, int number) {
  Node *programs[MAX_PROGRAMS];
  if (number >= read_all(base, programs))
    return 1;
  core_write(stdout, programs[number]);
  return 0;
}

// The numbers that follow change.
static int drop(const char *base, char **numbers) {
  Node *programs[MAX_PROGRAMS];
  bool gone[MAX_PROGRAMS] = { false };
  int n = read_all(base, programs);
  int left = 0;
  for (; *numbers; numbers++)
    if (atoi(*numbers) >= 0 && atoi(*numbers) < n)
      gone[atoi(*numbers)] = true;
  FILE *core = open_file(base, ".core", "w");
  for (int i = 0; i < n; i++)
    if (!gone[i] && ++left)
      core_write(core, programs[i]);
  fclose(core);
  return left ? unit(base) : 1;
}

// ---- traces ----
static void print_trace(const State *m, void *arg) {
  (void)arg;
  for (int i = 0; i < m->traced; i++)
    printf("%s%d:%d", i ? " " : "", m->trace[i].place, m->trace[i].value);
  printf("\n");
}

static int trace(FILE *from, bool all) {
  static State m;
  for (Node *tree; (tree = core_read(from));) {
    Program *p = core_program(tree);
    bool fine =
        all ? search_all(p, false, 100 * SMALL_LIMIT, print_trace, NULL) : search_fifo(p, &m);
    if (!fine)
      printf("%s (after %s)\n", machine.trouble ? machine.why : "too many states", machine.rule);
    else if (!all)
      print_trace(&m, NULL);
  }
  return 0;
}

// Every second walk has automatic yields.
static int walk_all(const char *base) {
  enum { WALKS = 6 };
  static State m;
  Node *trees[MAX_PROGRAMS];
  int n = read_all(base, trees);
  srand(1);
  for (int i = 0; i < n * WALKS; i++) {
    Program *p = core_program(trees[i / WALKS]);
    machine.tick = i % 2;
    machine_start(&m, p);
    for (int choices; (choices = machine_advance(&m, true)) && !machine.trouble;)
      machine_choose(&m, rand() % choices);
    if (machine.trouble == BROKEN)
      return broken(trees[i / WALKS]);
    core_program_free(p);
  }
  return 0;
}

// ---- small programs: each outcome is reached ----
typedef struct Outcomes {
  int count;
  double least; // the smallest chance of one
  struct {
    Trace trace;
    double chance;
    bool seen;
  } each[MAX_OUTCOMES];
} Outcomes;

static bool same(const State *m, const Trace *t) {
  if (m->traced != t->count)
    return false;
  for (int i = 0; i < t->count; i++)
    if (m->trace[i].place != t->token[i].place || m->trace[i].value != t->token[i].value)
      return false;
  return true;
}

static bool add_outcome(Outcomes *o, const State *m, double chance) {
  int i = 0;
  while (i < o->count && !same(m, &o->each[i].trace))
    i++;
  if (i == MAX_OUTCOMES)
    return false;
  if (i == o->count) {
    o->each[i].trace.count = m->traced;
    o->each[i].chance = 0;
    o->each[i].seen = false;
    for (int k = 0; k < m->traced; k++) {
      o->each[i].trace.token[k].place = m->trace[k].place;
      o->each[i].trace.token[k].value = m->trace[k].value;
    }
    o->count++;
  }
  o->each[i].chance += chance;
  return true;
}

// Without merging equal states, so that chances add up.
static bool walk(Outcomes *o, State *m, double chance, int *paths) {
  int n = machine_advance(m, true);
  if (machine.trouble || ++*paths > SMALL_LIMIT)
    return false;
  if (!n)
    return add_outcome(o, m, chance);
  State *copy = malloc(sizeof *copy);
  bool fine = true;
  for (int i = 0; fine && i < n; i++) {
    *copy = *m;
    machine_choose(copy, i);
    fine = walk(o, copy, chance / n, paths);
  }
  free(copy);
  return fine;
}

static bool is_small(const Program *p, Outcomes *o) {
  static State m;
  int paths = 0;
  machine.tick = false;
  machine_start(&m, p);
  o->count = 0;
  if (!walk(o, &m, 1, &paths) || o->count < 2)
    return false;
  for (int i = 0; i < o->count; i++)
    if (o->each[i].chance < 1.0 / RARE)
      return false;
  return true;
}

static int jobs(const char *base) {
  static Outcomes o;
  Node *trees[MAX_PROGRAMS];
  int n = read_all(base, trees);
  int small = 0;
  for (int i = 0; i < n; i++) {
    printf("%d fifo off\n%d random:%d off\n%d random:%d off\n", i, i, i + 1, i, i + 1000);
    printf("%d fifo always\n%d random:%d always\n", i, i, i + 2000);
    Program *p = core_program(trees[i]);
    if (small < SMALL_PROGRAMS && is_small(p, &o) && ++small)
      for (int k = 0; k < SCHEDULES; k++)
        printf("%d random:%d off\n", i, k + 5000);
    core_program_free(p);
  }
  return 0;
}

// ---- comparing ----
static bool parse_trace(char *text, Trace *t) {
  char *save;
  t->count = 0;
  for (char *w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
    if (t->count == MAX_TRACE) {
      t->longer = true;
      return true;
    }
    if (sscanf(w, "%d:%d", &t->token[t->count].place, &t->token[t->count].value) != 2)
      return false;
    t->count++;
  }
  return true;
}

typedef struct Tally {
  int exact, member, unknown, wrong, outcomes;
} Tally;

typedef struct Line {
  int number, status;
  char sched[60], tick[60];
  bool read;
  Trace trace;
} Line;

static Line parse_line(char *text) {
  Line l = { 0 };
  int used;
  if (sscanf(text, "%d %59s %59s %d%n", &l.number, l.sched, l.tick, &l.status, &used) != 4) {
    fprintf(stderr, "oracle: not a line of a batch: %s\n", text);
    exit(2);
  }
  l.read = (l.status <= 1 || l.status == HANGS) && parse_trace(text + used, &l.trace);
  return l;
}

static bool is_exact(const Line *l) {
  return !strcmp(l->sched, "fifo") && !strcmp(l->tick, "off");
}

static Answer answer(const Program *p, const Line *l) {
  static State m;
  if (!l->read)
    return NO;
  if (l->trace.longer)
    return UNKNOWN;
  bool fine = search_fifo(p, &m);
  if (fine && same(&m, &l->trace))
    return YES;
  if (is_exact(l))
    return fine ? NO : UNKNOWN;
  return search_member(p, &l->trace, strcmp(l->tick, "off") != 0, MEMBER_LIMIT);
}

// A small program: whether all its outcomes have come.
typedef struct Small {
  int number; // of the program; -1: none
  Outcomes outcomes;
} Small;

static void note_outcome(Small *s, const Line *l) {
  Outcomes *o = &s->outcomes;
  for (int i = 0; i < o->count; i++)
    if (o->each[i].trace.count == l->trace.count &&
        !memcmp(o->each[i].trace.token, l->trace.token,
                sizeof l->trace.token[0] * (size_t)l->trace.count))
      o->each[i].seen = true;
}

static void end_small(Small *s, Tally *t) {
  for (int i = 0; s->number >= 0 && i < s->outcomes.count; i++) {
    t->outcomes++;
    if (s->outcomes.each[i].seen)
      continue;
    t->wrong++;
    printf("misses %d: outcome %d of %d never came\n", s->number, i, s->outcomes.count);
  }
  s->number = -1;
}

static bool is_one_of_many(const Line *l) {
  return !strncmp(l->sched, "random:", 7) && atoi(l->sched + 7) >= 5000;
}

static void check_line(Program *const *programs, Line *l, Tally *tally, Small *s) {
  if (s->number != l->number)
    end_small(s, tally);
  if (is_one_of_many(l) && s->number < 0 && is_small(programs[l->number], &s->outcomes))
    s->number = l->number;
  if (s->number >= 0 && l->read)
    note_outcome(s, l);
  Answer a = answer(programs[l->number], l);
  tally->exact += is_exact(l) && a == YES;
  tally->member += !is_exact(l) && a == YES;
  tally->unknown += a == UNKNOWN;
  tally->wrong += a == NO;
  if (a == NO)
    printf("differs %d %s %s %d\n", l->number, l->sched, l->tick, l->status);
}

static int check(const char *base) {
  static Small small;
  Node *trees[MAX_PROGRAMS];
  Program *programs[MAX_PROGRAMS];
  char text[20000];
  Tally t = { 0 };
  int n = read_all(base, trees);
  int lines = 0;
  small.number = -1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 0; i < n; i++)
    programs[i] = core_program(trees[i]);
  for (; fgets(text, sizeof text, stdin); lines++) {
    Line l = parse_line(text);
    if (l.number < n)
      check_line(programs, &l, &t, &small);
  }
  end_small(&small, &t);
  printf("%d exact, %d members, %d unknown, %d outcomes, %d differ\n", t.exact, t.member,
         t.unknown, t.outcomes, t.wrong);
  return t.wrong > 0 || lines < n;
}

// ---- both traces ----
// What the machine did, as far as it could do what was seen.
static void closest(const Program *p, const Line *l, State *m) {
  if (is_exact(l)) {
    search_fifo(p, m);
    return;
  }
  Closest c = search_closest(p, &l->trace, strcmp(l->tick, "off") != 0, MEMBER_LIMIT, m);
  if (m->over && m->traced == l->trace.count && agreement(m, &l->trace) == m->traced)
    return;
  printf("No schedule of the machine has this trace. The closest one agrees for %d tokens.\n",
         c.agrees);
  printf("Then the machine prints");
  for (int i = 0; i < c.nexts; i++)
    printf("%s %d:%d", i ? " or" : "", c.next[i].place, c.next[i].value);
  printf("%s.\n", c.nexts ? "" : " nothing more");
}

static void print_side(char *text, size_t size, bool there, int place, int value) {
  if (there)
    snprintf(text, size, "%d:%d", place, value);
  else
    snprintf(text, size, "-");
}

// The rules that the machine used up to the first difference; the last of them is the one at which
// the two part.
static int explain(const char *base) {
  enum { BEFORE = 25, AFTER_IT = 10 };
  static State m;
  Node *trees[MAX_PROGRAMS];
  char text[20000];
  read_all(base, trees);
  Program *p = core_program(trees[0]);
  if (!fgets(text, sizeof text, stdin))
    return 2;
  Line l = parse_line(text);
  machine.log = true;
  if (!l.read)
    printf("The program ended with status %d.\n", l.status);
  closest(p, &l, &m);
  printf("place:value of each put(place, value)\n%-12s %-12s    %s\n", "machine", "Fermata",
         "the machine's rules before it");
  int same = agreement(&m, &l.trace);
  int end = m.traced > l.trace.count ? m.traced : l.trace.count;
  int i = same > BEFORE ? same - BEFORE : 0;
  if (i)
    printf("(the first %d are the same)\n", i);
  for (; i < end && i < same + AFTER_IT; i++) {
    char here[40], there[40];
    print_side(here, sizeof here, i < m.traced, m.trace[i].place, m.trace[i].value);
    print_side(there, sizeof there, i < l.trace.count, l.trace.token[i].place,
               l.trace.token[i].value);
    printf("%-12s %-12s %s", here, there, i == same ? "<-" : "  ");
    if (i <= same)
      machine_log_print(i);
    printf("\n");
  }
  if (i < end)
    printf("(and %d more)\n", end - i);
  if (same == end)
    printf("the traces are the same\n");
  return 0;
}

static void write_rules(void) {
  const char *name = getenv("ORACLE_RULES");
  const char *const *names;
  const unsigned long *counts;
  FILE *f = name ? fopen(name, "a") : NULL;
  if (!f)
    return;
  int n = machine_rules(&names, &counts);
  for (int i = 0; i < n; i++)
    fprintf(f, "%s %lu\n", names[i], counts[i]);
  fclose(f);
}

static int usage(void) {
  fprintf(stderr,
          "usage: oracle gen|batch|unit|jobs|check|shorter|pick|drop|trace|outcomes|walk|"
          "explain\n");
  return 2;
}

static int command(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "gen") && argc == 3) {
    core_write(stdout, gen_program(strtoull(argv[2], NULL, 10)));
    return 0;
  }
  if (!strcmp(what, "batch") && argc == 5)
    return batch(strtoull(argv[2], NULL, 10), atoi(argv[3]), argv[4]);
  if (!strcmp(what, "shorter") && argc == 4)
    return shorter(argv[2], argv[3]);
  if (!strcmp(what, "drop") && argc > 3)
    return drop(argv[2], argv + 3);
  if (!strcmp(what, "pick") && argc == 4)
    return pick(argv[2], atoi(argv[3]));
  if (argc != 3)
    return usage();
  if (!strcmp(what, "unit"))
    return unit(argv[2]);
  if (!strcmp(what, "jobs"))
    return jobs(argv[2]);
  if (!strcmp(what, "check"))
    return check(argv[2]);
  if (!strcmp(what, "walk"))
    return walk_all(argv[2]);
  if (!strcmp(what, "explain"))
    return explain(argv[2]);
  if (!strcmp(what, "trace") || !strcmp(what, "outcomes"))
    return trace(open_file(argv[2], "", "r"), what[0] == 'o');
  return usage();
}

int main(int argc, char **argv) {
  int status = command(argc, argv);
  write_rules();
  return status;
}
