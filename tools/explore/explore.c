// explore.c: `fermata explore`: runs a program under many schedules until one fails.
//
// In: options, and a program or a file in C. Out: 0: no schedule fails; 1: one does, and it is
// told; 2: the program cannot be explored. With --replay the program's own status.
//
// The order of schedules is what found most seeded bugs soonest: the default; one that switches at
// each automatic yield; then in turn one by chance, and one with a single deviation from the
// default. Of the latter, those at places that had none yet come first.
#include "explore.h"
#include "../fermata.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOUND = 1, CANNOT = 2 }; // exit statuses
enum { SOON = 200000 };         // choices that take a moment

// clang-format off
static const char help[] =
    "Usage: fermata explore [options] [fmcc options] FILE|PROGRAM [arguments]\n"
    "\n"
    "Runs the program (a file in C is compiled first) under many schedules, each in\n"
    "a process of its own and in virtual time, until one fails: by an exit status,\n"
    "a signal, an error that nobody catches, a deadlock, a sanitizer's report, a run\n"
    "that does not end, or a wrong output. The schedule is made as short as possible\n"
    "and told. The exit status is 0 if none fails, 1 if one does, 2 if the program\n"
    "cannot be explored.\n"
    "\n"
    "  -n N, --schedules=N  schedules to try (1000)\n"
    "  --seconds=N          end after so many seconds\n"
    "  --seed=N             of the schedules by chance (1)\n"
    "  --jobs=N             runs at a time (one for each processor)\n"
    "  --expect=FILE        the output must be this file's content\n"
    "  --timeout=SECONDS    of one run (10)\n"
    "  --real-time          timers wait in real time\n"
    "  --sanitize           compile with -fsanitize=atomicity\n"
    "  --pairs              list all places between which no switch was tried\n"
    "  --replay=SCHEDULE    run once, with this schedule; the status is the program's\n"
    "  --gdb                with --replay: under gdb\n";
// clang-format on

// ---- options ----
static bool number_of(const char *word, const char *text, uint64_t *n) {
  char *end;
  errno = 0;
  *n = strtoull(text, &end, 10);
  if (*text >= '0' && *text <= '9' && !*end && !errno)
    return true;
  complain("explore: %s: expected a number", word);
  return false;
}

// The value of --name=VALUE; NULL: it is another option.
static const char *value_of(const char *word, const char *name) {
  size_t n = strlen(name);
  return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

typedef enum { TAKEN, WRONG, NOT_OURS } Taken;

static Taken take_number(Explore *x, const char *word) {
  static const char *const names[] = {
    "--schedules", "--seconds", "--seed", "--jobs", "--timeout"
  };
  const char *value = NULL;
  uint64_t n;
  size_t i = 0;
  for (; i < COUNT(names) && !(value = value_of(word, names[i])); i++)
    continue;
  if (!value)
    return NOT_OURS;
  if (!number_of(word, value, &n))
    return WRONG;
  switch (i) {
  case 0:
    x->schedules = n;
    break;
  case 1:
    x->seconds = n;
    break;
  case 2:
    x->seed = n;
    break;
  case 3:
    x->jobs = n ? n : 1;
    break;
  case 4:
    x->timeout = n ? n : 1;
    break;
  }
  return TAKEN;
}

static Taken take_option(Explore *x, const char *word) {
  const char *value;
  if ((value = value_of(word, "--expect")))
    x->expect = value;
  else if ((value = value_of(word, "--replay")))
    x->replay = value;
  else if (strcmp(word, "--real-time") == 0)
    x->real_time = true;
  else if (strcmp(word, "--pairs") == 0)
    x->all_pairs = true;
  else if (strcmp(word, "--sanitize") == 0)
    x->sanitize = true;
  else if (strcmp(word, "--gdb") == 0)
    x->gdb = true;
  else
    return take_number(x, word);
  return TAKEN;
}

// Takes the options of this command from among those of fmcc, up to the file. `rest`: the other
// words. false: an error was reported.
static bool take_options(Explore *x, char **words, Vec *rest) {
  for (Item *it = NULL; *words && !(it && it->id == OPT_INPUT); words++) {
    uint64_t n;
    Taken t = take_option(x, *words);
    it = NULL;
    if (t == WRONG)
      return false;
    if (t == TAKEN)
      continue;
    if (strcmp(*words, "-n") == 0 && words[1]) {
      if (!number_of("-n", *++words, &n))
        return false;
      x->schedules = n;
      continue;
    }
    it = classify(&x->arena, *words, words[1]);
    vec_push(rest, *words);
    if (it->word[1])
      vec_push(rest, *++words);
  }
  for (; *words; words++)
    vec_push(rest, *words);
  vec_push(rest, NULL);
  if (x->gdb && !x->replay)
    complain("explore: --gdb is for --replay");
  return !x->gdb || x->replay;
}

// ---- the program ----
static bool is_executable(const char *path) {
  char head[4] = "";
  FILE *f = fopen(path, "rb");
  size_t n = f ? fread(head, 1, sizeof head, f) : 0;
  if (f)
    fclose(f);
  return n == sizeof head && memcmp(head, "\177ELF", 4) == 0 &&
         access(path, X_OK) == 0;
}

static void name_command(Explore *x, char **words) {
  Vec all = { 0 };
  Buf line = { 0 };
  for (; *words; words++)
    vec_push(&all, *words);
  quote_words(&all, &line);
  x->command = arena_printf(&x->arena, "%s", line.data);
  buf_free(&line);
  vec_free(&all);
}

// The words of the program; 0: it can be run.
static int find_program(Explore *x, Run *r, const char *argv0, Vec *words) {
  char *path = r->file;
  int status = 0;
  if (x->gdb) {
    char *script = find_script(&x->arena, argv0);
    if (!script)
      return CANNOT;
    vec_push(words, "gdb");
    vec_push(words, "-ix");
    vec_push(words, script);
    vec_push(words, "--args");
  }
  bool compiled = is_executable(path);
  if (compiled && x->sanitize) {
    complain("explore: --sanitize is for files in C; compile %s with "
             "-fsanitize=atomicity",
             path);
    return CANNOT;
  }
  vec_push(&r->before, "-g"); // sanitizers name lines then
  if (x->sanitize)
    vec_push(&r->before, "-fsanitize=atomicity");
  if (!compiled && !(path = compile_run(r, argv0, &status)))
    return CANNOT;
  if (!strchr(path, '/'))
    path = arena_printf(&x->arena, "./%s", path);
  vec_push(words, path);
  for (char **p = r->args; *p; p++)
    vec_push(words, *p);
  vec_push(words, NULL);
  x->program = (char **)words->at;
  return 0;
}

// ---- which schedules ----
typedef struct Search {
  Explore *x;
  Coverage *coverage;
  fm__x_deviation *delays; // single deviations from the default
  size_t delay_count, delayed;
  size_t started, ended; // runs
  Slot *failed;          // of the failing run with the lowest number; or NULL
  Failure failure;
  uint32_t others; // domains beside the first, at most in one run
  bool any;        // a run had activities
} Search;

// Each place in turn gives one, then each its next one.
static void list_delays(Search *s, const fm__x_file *f) {
  size_t n = f->choice_count < FM__X_CHOICES ? f->choice_count : FM__X_CHOICES;
  uint32_t *seen = xmalloc(FM__X_PLACES * sizeof *seen);
  uint32_t *round = xmalloc((n + 1) * sizeof *round);
  uint32_t rounds = 0;
  memset(seen, 0, FM__X_PLACES * sizeof *seen);
  for (size_t i = 0; i < n; i++) {
    round[i] = seen[f->open[i].place]++;
    rounds = round[i] >= rounds ? round[i] + 1 : rounds;
  }
  s->delays = xmalloc((n + 1) * sizeof *s->delays);
  if (rounds > 256) // the rest is too much to be tried
    rounds = 256;
  for (uint32_t r = 0; r < rounds; r++)
    for (size_t i = 0; i < n; i++)
      if (round[i] == r)
        s->delays[s->delay_count++] =
            (fm__x_deviation){ activity_hash(f, f->open[i].after),
                               activity_hash(f, f->open[i].other),
                               f->open[i].number,
                               0 };
  free(seen);
  free(round);
}

static Schedule next_schedule(Search *s) {
  size_t n = s->started;
  if (n == 1)
    return (Schedule){ .how = FM__X_SWITCH };
  if (n % 2 == 0 || s->delayed == s->delay_count)
    return (Schedule){ .how = FM__X_MIX, .seed = s->x->seed + n };
  return (Schedule){ .how = FM__X_DEFAULT,
                     .given = &s->delays[s->delayed++],
                     .count = 1 };
}

// A run has ended.
static void note_end(Search *s, Slot *slot) {
  Failure f = run_failure(s->x, slot);
  s->ended++;
  s->any |= slot->file->process != 0;
  if (slot->file->others > s->others)
    s->others = slot->file->others;
  coverage_add(s->coverage, slot->file);
  if (f.kind == FINE || (s->failed && s->failed->number < slot->number))
    return;
  s->failed = slot;
  s->failure = f;
}

static bool is_over(const Search *s, uint64_t until) {
  return s->failed || s->started >= s->x->schedules ||
         (until && now_ns() > until);
}

static void start_idle(Search *s, uint64_t until) {
  Explore *x = s->x;
  for (size_t i = 0; i < x->jobs; i++) {
    Slot *slot = &x->slots[i];
    if (slot->process || is_over(s, until))
      continue;
    slot->number = s->started;
    run_start(x, slot, next_schedule(s), false);
    s->started++;
  }
}

static void search(Search *s) {
  Explore *x = s->x;
  uint64_t until = x->seconds ? now_ns() + x->seconds * 1000000000u : 0;
  run_start(x, &x->slots[0], (Schedule){ .how = FM__X_DEFAULT }, false);
  s->started = 1;
  note_end(s, run_wait(x));
  list_delays(s, x->slots[0].file);
  x->patience = x->slots[0].file->choices * 50 + SOON;
  for (;;) {
    start_idle(s, until);
    Slot *slot = run_wait(x);
    if (!slot)
      return;
    note_end(s, slot);
  }
}

// ---- the report ----
static void print_words(int fd, const char *title) {
  enum { MOST = 4000 };
  Buf text = { 0 };
  output_read(fd, &text);
  const char *from = text.data;
  if (text.len > MOST) {
    from = text.data + text.len - MOST;
    from += strcspn(from, "\n");
    from += *from == '\n';
  }
  if (*from)
    printf("%s%s\n", title, from == text.data ? "" : " (its end)");
  for (const char *end; *from; from = end + (*end == '\n')) {
    end = from + strcspn(from, "\n");
    printf("  | %.*s\n", (int)(end - from), from);
  }
  buf_free(&text);
}

static void print_again(const Explore *x, const fm__x_file *f) {
  Buf schedule = { 0 };
  schedule_print(f, &schedule);
  printf("run it again: fermata explore --replay='%s' %s%s\n",
         schedule.data,
         x->sanitize ? "--sanitize " : "",
         x->command);
  buf_free(&schedule);
}

static void tell_run(Explore *x, Schedule s, size_t all, size_t tries) {
  Slot *slot = &x->slots[0];
  Failure f = run_whole(x, slot, s, true);
  Buf how = { 0 };
  run_describe(x, slot, f, &how);
  print_words(slot->err, "its last words:");
  if (!all)
    printf("it fails without any deviation from the default schedule:\n");
  else
    printf("%zu of %zu deviations from the default schedule %s enough (%zu "
           "tries):\n",
           s.count,
           all,
           s.count == 1 ? "is" : "are",
           tries);
  story_print(slot->file, stdout);
  printf("  then %s\n", how.data);
  print_again(x, slot->file);
  buf_free(&how);
}

static void tell_failure(Search *s) {
  Explore *x = s->x;
  Failure f = s->failure;
  Buf how = { 0 };
  size_t tries = 0;
  run_describe(x, s->failed, f, &how);
  printf("schedule %zu of %zu fails: %s\n",
         s->failed->number + 1,
         x->schedules,
         how.data);
  if (s->failed->number == 0 && f.kind == HANGS)
    x->patience = SOON; // enough for the story
  Schedule made = schedule_made(&x->arena, s->failed->file);
  Failure again = run_whole(x, &x->slots[0], made, false);
  if (!same_failure(again, f)) {
    how.len = 0;
    run_describe(x, &x->slots[0], again, &how);
    printf("under the same schedule once more, %s: something else decides "
           "(threads, input, random numbers, uninitialised memory)\n",
           how.data);
  } else {
    Schedule best = schedule_shorten(x, made, f, &tries);
    tell_run(x, best, made.count, tries);
  }
  buf_free(&how);
}

// What the schedules do not decide.
static void print_limits(const Search *s) {
  if (!s->any)
    printf("the program has run no activities: there is nothing to explore\n");
  if (s->others)
    printf("%u more %s in threads of %s own: their order was not explored\n",
           s->others,
           s->others == 1 ? "domain runs" : "domains run",
           s->others == 1 ? "its" : "their");
}

static int run_search(Explore *x) {
  Search s = { .x = x, .coverage = coverage_new() };
  search(&s);
  if (s.failed)
    tell_failure(&s);
  else
    printf("%zu schedules, none fails\n", s.ended);
  print_limits(&s);
  if (s.any && (!s.failed || x->all_pairs))
    coverage_print(s.coverage, x->all_pairs, stdout);
  coverage_free(s.coverage);
  free(s.delays);
  return stdout_written() ? s.failed ? FOUND : 0 : CANNOT;
}

// ---- one schedule ----
static int run_replay(Explore *x) {
  Slot *s = &x->slots[0];
  Schedule schedule;
  if (!schedule_read(&x->arena, x->replay, &schedule))
    return CANNOT;
  Failure f = run_whole(x, s, schedule, false);
  if (s->file->missed)
    advise("explore: %u of %zu deviations could not be made: the schedule is "
           "of another program, or of other input",
           s->file->missed,
           schedule.count);
  return f.kind == SIGNAL  ? 128 + f.code
         : f.kind == HANGS ? FM__X_HANGS
                           : f.code;
}

static int run_all(Explore *x) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  if (!slots_open(x))
    return CANNOT;
  int status = x->replay ? run_replay(x) : run_search(x);
  slots_close(x);
  return status;
}

static bool read_expected(Explore *x) {
  buf_add(&x->expected, "", 0);
  if (!x->expect || buf_read_file(&x->expected, x->expect))
    return true;
  complain("explore: %s: %s", x->expect, strerror(errno));
  return false;
}

int explore(const char *argv0, char **words) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  Explore x = { .schedules = 1000,
                .seed = 1,
                .timeout = 10,
                .patience = 10000000,
                .jobs = processors > 0 ? (size_t)processors : 1 };
  Run r = { 0 };
  Vec program = { 0 };
  Vec rest = { 0 };
  if (words[0] && strcmp(words[0], "--help") == 0) {
    fputs(help, stdout);
    return stdout_written() ? 0 : 1;
  }
  if (!take_options(&x, words, &rest) || !read_expected(&x))
    return CANNOT;
  name_command(&x, (char **)rest.at);
  read_run(&r, (char **)rest.at);
  int status = CANNOT;
  if (!r.file)
    complain("explore: no file is given; for example: fermata explore test.c");
  else if ((status = find_program(&x, &r, argv0, &program)) == 0)
    status = run_all(&x);
  remove_temps();
  run_free(&r);
  vec_free(&program);
  vec_free(&rest);
  buf_free(&x.expected);
  arena_free(&x.arena);
  return status;
}
