// fermata.c: the `fermata` command.
//   fermata run [fmcc options] FILE [ARGUMENTS]     compiles FILE to a temporary place and runs it
// In: a command line. Out: the program's exit status, 128 + n if signal n ended it.
// Needs fmcc beside itself, and of the driver options.c, process.c, toolchain.c and base.c.
#include "driver.h"

#include <stdlib.h>

const char program_name[] = "fermata";
const char run_hint[] = "";

static const char help[] =
  "Usage: fermata run [fmcc options] FILE [arguments]\n"
  "       fermata --help | --version\n"
  "\n"
  "run    compiles FILE with fmcc to a temporary place and runs it with the arguments. The exit status is the\n"
  "       program's, 128 + n if signal n ended it, or that of the compiler if it finds errors.\n";

static int usage(void) {
  fputs(help, stderr);
  return 1;
}

typedef struct Run {
  Arena arena;
  Vec before, after;                              // fmcc's options; those that must follow the file: libraries
  char *file;
  char **args;                                    // the program's, NULL at the end
} Run;

// The first word that is neither an option nor an option's argument is the file; what follows belongs to the program.
static void read_run(Run *r, char **words) {
  for (; *words && !r->file; words++) {
    Item *it = classify(&r->arena, *words, words[1]);
    if (it->id == OPT_INPUT) {
      r->file = *words;
      continue;
    }
    Vec *to = it->id == OPT_LIB ? &r->after : &r->before;
    vec_push(to, it->word[0]);
    if (it->word[1]) vec_push(to, *++words);
  }
  r->args = words;
}

static void add_all(Vec *to, const Vec *from) {
  for (size_t i = 0; i < from->len; i++) vec_push(to, from->at[i]);
}

static char *find_fmcc(Arena *a, const char *argv0) {
  char *root = find_root(a, argv0), *path = root ? arena_printf(a, "%s/bin/fmcc", root) : NULL;
  return path && is_program(path) ? path : "fmcc";
}

static char *program_path(Arena *a, const char *file) {
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
  size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  return temp_path(a, len && strcmp(name, "-") != 0 ? arena_text(a, name, len) : "program");
}

static int compile(Run *r, const char *argv0, char *program) {
  Vec words = {0};
  vec_push(&words, find_fmcc(&r->arena, argv0));
  add_all(&words, &r->before);
  vec_push(&words, r->file);
  add_all(&words, &r->after);
  vec_push(&words, "-o");
  vec_push(&words, program);
  int status = run_command(&words, (Redirect){0});
  vec_free(&words);
  return status;
}

static int run_program(const Run *r, char *program) {
  Vec words = {0};
  vec_push(&words, program);
  for (char **p = r->args; *p; p++) vec_push(&words, *p);
  int status = run_forwarding(&words);
  vec_free(&words);
  return status;
}

static int run(const char *argv0, char **words) {
  Run r = {0};
  read_run(&r, words);
  if (!r.file) {
    complain("run: which file? as in: fermata run hello.c");
    return 1;
  }
  char *program = program_path(&r.arena, r.file);
  int status = compile(&r, argv0, program);
  if (status == 0) status = run_program(&r, program);
  remove_temps();
  vec_free(&r.before);
  vec_free(&r.after);
  arena_free(&r.arena);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2) return usage();
  if (strcmp(argv[1], "run") == 0) return run(argv[0], argv + 2);
  if (strcmp(argv[1], "--version") == 0) return printf("fermata " FM_VERSION "\n") < 0;
  if (strcmp(argv[1], "--help") == 0) return fputs(help, stdout) < 0;
  complain("unknown command '%s'; there is: run; see fermata --help", argv[1]);
  return 1;
}
