// record.c: `fermata record`: runs a program that writes a trace in the compact form.
//
// In: options, and a program or a file in C. Out: the trace; the program's exit status, 128 + n if
// signal n ended it, or the compiler's if it finds errors. The program itself writes the trace:
// this command sets FERMATA_TRACE and FERMATA_TRACE_KEEP.
#include "record.h"
#include "../fermata.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// clang-format off
static const char help[] =
    "Usage: fermata record [options] [fmcc options] FILE|PROGRAM [arguments]\n"
    "\n"
    "Runs the program (a file in C is compiled first) and writes a trace of all its\n"
    "activities, for `fermata report`. The exit status is the program's.\n"
    "\n"
    "  -o TRACE        the file to write (PROGRAM.fmtrace in this directory); %p in it\n"
    "                  is the number of the process\n"
    "  --last SECONDS  keep the last seconds only, of at most 256 MB\n"
    "  --ring MB       keep so many megabytes only\n"
    "  --sanitize      compile with -fsanitize=atomicity: the report then knows which\n"
    "                  gaps were interrupted by an activity that wrote what this one\n"
    "                  uses\n"
    "\n"
    "With --last or --ring the file is a ring buffer: it can be copied or reported at\n"
    "any time while the program runs, and has the last events however the program\n"
    "ends.\n";
// clang-format on

// ---- options ----
static bool number_of(const char *option, const char *text, const char **to) {
  size_t digits = text ? strspn(text, "0123456789") : 0;
  if (digits && digits < 8 && !text[digits] && strtol(text, NULL, 10) > 0) {
    *to = text;
    return true;
  }
  complain("record: %s: expected a number", option);
  return false;
}

// The value of `--name VALUE` or `--name=VALUE`; *taken: how many words it has, 0: another option.
static const char *value_of(char **words, const char *name, int *taken) {
  size_t n = strlen(name);
  *taken = 0;
  if (strncmp(words[0], name, n) != 0 || (words[0][n] && words[0][n] != '='))
    return NULL;
  *taken = words[0][n] ? 1 : words[1] ? 2 : 1;
  return words[0][n] ? words[0] + n + 1 : words[1];
}

// How many words it has taken; 0: it is an option of fmcc; -1: an error was reported.
static int take_option(Record *r, char **words) {
  int taken;
  const char *value = value_of(words, "--last", &taken);
  if (taken)
    return number_of("--last", value, &r->seconds) ? taken : -1;
  value = value_of(words, "--ring", &taken);
  if (taken)
    return number_of("--ring", value, &r->megabytes) ? taken : -1;
  if (strcmp(words[0], "--sanitize") == 0) {
    r->sanitize = true;
    return 1;
  }
  if (strncmp(words[0], "-o", 2) != 0)
    return 0;
  r->path = words[0][2] ? words[0] + 2 : words[1];
  if (!r->path)
    complain("record: -o: expected the name of a file");
  return !r->path ? -1 : words[0][2] ? 1 : 2;
}

bool record_options(Record *r, char **words) {
  Vec rest = { 0 };
  Item *it = NULL;
  while (*words && !(it && it->id == OPT_INPUT)) {
    int taken = take_option(r, words);
    if (taken < 0) {
      vec_free(&rest);
      return false;
    }
    words += taken;
    if (taken)
      continue;
    it = classify(&r->run.arena, *words, words[1]);
    vec_push(&rest, *words++);
    if (it->word[1])
      vec_push(&rest, *words++);
  }
  for (; *words; words++)
    vec_push(&rest, *words);
  vec_push(&rest, NULL);
  r->words = rest;
  read_run(&r->run, (char **)rest.at);
  return true;
}

// ---- the program ----
static bool is_compiled(const char *path) {
  char head[4] = "";
  FILE *f = fopen(path, "rb");
  size_t n = f ? fread(head, 1, sizeof head, f) : 0;
  if (f)
    fclose(f);
  return n >= 2 &&
         (memcmp(head, "\177ELF", 4) == 0 || memcmp(head, "#!", 2) == 0) &&
         access(path, X_OK) == 0;
}

// "server.fmtrace" of "src/server.c".
static const char *default_path(Record *r) {
  const char *slash = strrchr(r->run.file, '/');
  const char *name = slash ? slash + 1 : r->run.file;
  const char *dot = strrchr(name, '.');
  int n = dot && dot > name && !is_compiled(r->run.file) ? (int)(dot - name)
                                                         : (int)strlen(name);
  if (n == 1 && *name == '-')
    return "run.fmtrace";
  return arena_printf(&r->run.arena, "%.*s.fmtrace", n, name);
}

static bool ends_in_json(const char *path) {
  size_t n = strlen(path);
  return n >= 5 && strcmp(path + n - 5, ".json") == 0;
}

static char *find_program(Record *r, const char *argv0, int *status) {
  Run *run = &r->run;
  char *path = run->file;
  bool compiled = is_compiled(path);
  *status = 1;
  if (compiled && r->sanitize) {
    complain("record: --sanitize is for files in C; compile %s with "
             "-fsanitize=atomicity",
             path);
    return NULL;
  }
  vec_push(&run->before, "-g"); // for the lines of spawns
  if (r->sanitize)
    vec_push(&run->before, "-fsanitize=atomicity");
  if (!compiled)
    return compile_run(run, argv0, status);
  return strchr(path, '/') ? path : arena_printf(&run->arena, "./%s", path);
}

static void set_environment(const Record *r) {
  char keep[64] = "";
  setenv("FERMATA_TRACE", r->path, 1);
  if (r->seconds || r->megabytes)
    snprintf(keep,
             sizeof keep,
             "%s%s%s%s%s",
             r->seconds ? r->seconds : "",
             r->seconds ? "s" : "",
             r->seconds && r->megabytes ? "," : "",
             r->megabytes ? r->megabytes : "",
             r->megabytes ? "M" : "");
  if (*keep)
    setenv("FERMATA_TRACE_KEEP", keep, 1);
  else
    unsetenv("FERMATA_TRACE_KEEP");
}

static int run_program(const Record *r, char *program) {
  Vec words = { 0 };
  vec_push(&words, program);
  for (char **p = r->run.args; *p; p++)
    vec_push(&words, *p);
  int status = run_forwarding(&words);
  vec_free(&words);
  return status;
}

// Whether the program has written a trace: it may be no program of Fermata.
static bool was_written(const Record *r, const struct stat *before) {
  struct stat now;
  if (strstr(r->path, "%p"))
    return true;
  return stat(r->path, &now) == 0 &&
         (now.st_ino != before->st_ino ||
          now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
          now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

int record_run(Record *r, const char *argv0) {
  int status;
  struct stat before = { 0 };
  if (!r->run.file) {
    complain("record: no file is given; for example: fermata record hello.c");
    return 1;
  }
  if (!r->path)
    r->path = default_path(r);
  if (ends_in_json(r->path)) {
    complain("record: -o %s: a name that ends in .json would be a trace for "
             "ui.perfetto.dev; "
             "`fermata report --perfetto` makes one of this command's",
             r->path);
    return 1;
  }
  char *program = find_program(r, argv0, &status);
  if (!program)
    return status;
  stat(r->path, &before);
  set_environment(r);
  status = run_program(r, program);
  if (was_written(r, &before))
    r->written = true;
  else if (status != 127 && status != 126)
    complain("record: %s has written no trace: no activity has run in it, or "
             "it is not a program "
             "of Fermata",
             r->run.file);
  return status;
}

void record_free(Record *r) {
  remove_temps();
  run_free(&r->run);
  vec_free(&r->words);
}

int record(const char *argv0, char **words) {
  Record r = { 0 };
  if (words[0] && strcmp(words[0], "--help") == 0) {
    fputs(help, stdout);
    return stdout_written() ? 0 : 1;
  }
  int status = 1;
  if (record_options(&r, words)) {
    status = record_run(&r, argv0);
    if (r.written)
      fprintf(stderr,
              "fermata: the trace is in %s; see it by: fermata report %s\n",
              r.path,
              r.path);
  }
  record_free(&r);
  return status;
}
