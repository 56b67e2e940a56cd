// fermata.c: the `fermata` command.
//   fermata run [fmcc options] FILE [ARGUMENTS]     compiles FILE to a temporary place and runs it
//   fermata gdb [gdb options] PROGRAM [ARGUMENTS]   runs gdb with Fermata's script for it
//   fermata explore [options] FILE [ARGUMENTS]      runs it under many schedules, see explore.h
//   fermata record [options] FILE [ARGUMENTS]       runs it and writes a trace, see report.h
//   fermata report [options] TRACE                  tells what is in it
//   fermata top [options] [PID]                     watches a running program, see top/top.h
// In: a command line. Out: the program's exit status, 128 + n if signal n ended it; gdb replaces
// this process. It needs fmcc in its own directory and ../share/fermata/fermata-gdb.py. It shares
// options.c, option-table.c, process.c, toolchain.c and base.c with fmcc.
#include "fermata.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

const char program_name[] = "fermata";
const char run_hint[] = "";

// clang-format off
static const char help[] =
    "Usage: fermata run [fmcc options] FILE [arguments]\n"
    "       fermata gdb [gdb options] PROGRAM [arguments | core file | process]\n"
    "       fermata explore [options] [fmcc options] FILE|PROGRAM [arguments]\n"
    "       fermata record [options] [fmcc options] FILE|PROGRAM [arguments]\n"
    "       fermata report [options] TRACE\n"
    "       fermata top [options] [PID]\n"
    "       fermata --help | --version\n"
    "\n"
    "run    compiles FILE with fmcc to a temporary place and runs it with the\n"
    "       arguments. The exit status is the program's, 128 + n if signal n ended\n"
    "       it, or the compiler's if it finds errors.\n"
    "gdb    runs gdb on PROGRAM, which was compiled with -g, with commands for async\n"
    "       functions and activities (in gdb: help fermata). With arguments for the\n"
    "       program gdb gets --args, unless the first argument is a core file or a\n"
    "       process, or gdb's options name what is to be debugged.\n"
    "explore  runs the program under many schedules, in virtual time, until one\n"
    "       fails; tells what happened. Its options: fermata explore --help.\n"
    "record runs the program and writes a trace of all activities: PROGRAM.fmtrace.\n"
    "       Its options: fermata record --help.\n"
    "report makes a page of a trace: what ran, waited and interrupted; or a text\n"
    "       (--text). Its options: fermata report --help.\n"
    "top    shows the activities of a running program, live; without PID the programs\n"
    "       that can be watched. Its options: fermata top --help.\n";
// clang-format on

static int say(const char *text) {
  fputs(text, stdout);
  return stdout_written() ? 0 : 1;
}

static int usage(void) {
  fputs(help, stderr);
  return 1;
}

// The first word that is neither an option nor an option's argument is the file. The words after it
// are the program's arguments.
void read_run(Run *r, char **words) {
  for (; *words && !r->file; words++) {
    Item *it = classify(&r->arena, *words, words[1]);
    if (it->id == OPT_INPUT) {
      r->file = *words;
      continue;
    }
    Vec *to = it->id == OPT_LIB ? &r->after : &r->before;
    vec_push(to, it->word[0]);
    if (it->word[1])
      vec_push(to, *++words);
  }
  r->args = words;
}

static void add_all(Vec *to, const Vec *from) {
  for (size_t i = 0; i < from->len; i++)
    vec_push(to, from->at[i]);
}

static char *find_fmcc(Arena *a, const char *argv0) {
  char *root = find_root(a, argv0);
  char *path = root ? arena_printf(a, "%s/bin/fmcc", root) : NULL;
  return path && is_program(path) ? path : "fmcc";
}

static char *program_path(Arena *a, const char *file) {
  const char *slash = strrchr(file, '/');
  const char *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  return temp_path(a,
                   len && strcmp(name, "-") != 0 ? arena_text(a, name, len)
                                                 : "program");
}

char *compile_run(Run *r, const char *argv0, int *status) {
  Vec words = { 0 };
  char *program = program_path(&r->arena, r->file);
  vec_push(&words, find_fmcc(&r->arena, argv0));
  add_all(&words, &r->before);
  vec_push(&words, r->file);
  add_all(&words, &r->after);
  vec_push(&words, "-o");
  vec_push(&words, program);
  *status = run_command(&words, (Redirect){ 0 });
  vec_free(&words);
  return *status == 0 ? program : NULL;
}

void run_free(Run *r) {
  vec_free(&r->before);
  vec_free(&r->after);
  arena_free(&r->arena);
}

static int run_program(const Run *r, char *program) {
  Vec words = { 0 };
  vec_push(&words, program);
  for (char **p = r->args; *p; p++)
    vec_push(&words, *p);
  int status = run_forwarding(&words);
  vec_free(&words);
  return status;
}

static int run(const char *argv0, char **words) {
  Run r = { 0 };
  read_run(&r, words);
  if (!r.file) {
    complain("run: no file is given; for example: fermata run hello.c");
    return 1;
  }
  int status;
  char *program = compile_run(&r, argv0, &status);
  if (program)
    status = run_program(&r, program);
  remove_temps();
  run_free(&r);
  return status;
}

// ---- gdb ----
// Whether the option of gdb takes the next word as its argument: `-ex COMMAND`, but not
// `--option=value`.
static bool takes_argument(const char *word) {
  static const char *const names[] = {
    "x",
    "ex",
    "eval-command",
    "ix",
    "iex",
    "init-command",
    "init-eval-command",
    "eix",
    "eiex",
    "command",
    "s",
    "symbols",
    "e",
    "exec",
    "se",
    "c",
    "core",
    "p",
    "pid",
    "d",
    "directory",
    "cd",
    "D",
    "data-directory",
    "i",
    "interpreter",
    "b",
    "l",
    "tty",
    "t",
    "early-init-command",
    "early-init-eval-command",
  };
  const char *name = word + (word[1] == '-' ? 2 : 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool is_args(const char *word) {
  return strcmp(word, "--args") == 0 || strcmp(word, "-args") == 0;
}

// Whether the word after the program names a core file or, as a number, a process.
static bool is_core_or_process(const char *word) {
  char head[18] = "";
  if (word[strspn(word, "0123456789")] == 0)
    return true;
  FILE *f = fopen(word, "rb");
  size_t n = f ? fread(head, 1, sizeof head, f) : 0;
  if (f)
    fclose(f);
  // ET_CORE, in either byte order
  return n == sizeof head && memcmp(head, "\177ELF", 4) == 0 &&
         head[16] + head[17] == 4;
}

char *find_script(Arena *a, const char *argv0) {
  char *root = find_root(a, argv0);
  char *path =
      root ? arena_printf(a, "%s/share/fermata/fermata-gdb.py", root) : NULL;
  if (path && access(path, R_OK) == 0)
    return path;
  complain("gdb: %s: %s",
           path ? path : "fermata-gdb.py",
           strerror(path ? errno : ENOENT));
  return NULL;
}

// Options come before the program; the words after the program are its arguments.
static void gdb_words(Vec *words, char *script, char **rest) {
  vec_push(words, "gdb");
  vec_push(words, "-ix"); // before the program is loaded
  vec_push(words, script);
  for (; *rest && (*rest)[0] == '-' && !is_args(*rest); rest++) {
    vec_push(words, *rest);
    if (takes_argument(*rest) && rest[1])
      vec_push(words, *++rest);
  }
  if (rest[0] && !is_args(rest[0]) && rest[1] && !is_core_or_process(rest[1]))
    vec_push(words, "--args");
  for (; *rest; rest++)
    vec_push(words, *rest);
  vec_push(words, NULL);
}

static int debug(const char *argv0, char **rest) {
  Arena arena = { 0 };
  Vec words = { 0 };
  char *script = find_script(&arena, argv0);
  if (!script)
    return 1;
  gdb_words(&words, script, rest);
  fflush(NULL);
  execvp("gdb", (char **)words.at);
  complain(errno == ENOENT ? "gdb is not installed, or not in PATH" : "gdb: %s",
           strerror(errno));
  vec_free(&words);
  arena_free(&arena);
  return 127;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return usage();
  if (strcmp(argv[1], "run") == 0)
    return run(argv[0], argv + 2);
  if (strcmp(argv[1], "gdb") == 0)
    return debug(argv[0], argv + 2);
  if (strcmp(argv[1], "explore") == 0)
    return explore(argv[0], argv + 2);
  if (strcmp(argv[1], "record") == 0)
    return record(argv[0], argv + 2);
  if (strcmp(argv[1], "report") == 0)
    return report(argv[0], argv + 2);
  if (strcmp(argv[1], "top") == 0)
    return top(argv + 2);
  if (strcmp(argv[1], "--version") == 0)
    return say("fermata " FM_VERSION "\n");
  if (strcmp(argv[1], "--help") == 0)
    return say(help);
  complain(
      "unknown command '%s'; there are: run, gdb, explore, record, report, "
      "top; see fermata --help",
      argv[1]);
  return 1;
}
