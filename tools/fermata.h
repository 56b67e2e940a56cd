// fermata.h: what the commands of `fermata` share.
#ifndef FERMATA_TOOL_H
#define FERMATA_TOOL_H

#include "driver/driver.h"

// ---- a file with options of fmcc before it and arguments of the program after it ----
typedef struct Run {
  Arena arena;
  // options of fmcc; after: those that must follow the file (libraries)
  Vec before;
  Vec after;
  char *file;  // NULL: none is given
  char **args; // arguments of the program; NULL at the end
} Run;
void read_run(Run *r, char **words);
void run_free(Run *r);
// Compiles the file to a temporary place. NULL: it has errors; *status is the compiler's.
char *compile_run(Run *r, const char *argv0, int *status);

// The script for gdb. NULL: not found, and reported.
char *find_script(Arena *a, const char *argv0);

// ---- explore/explore.c ----
int explore(const char *argv0, char **words);

// ---- report/record.c, report/report.c ----
int record(const char *argv0, char **words);
int report(const char *argv0, char **words);

// ---- top/top.c ----
int top(char **words);

#endif
