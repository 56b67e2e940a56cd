// stats.h: the structures that the counters of `make stats` share. See stats.c.
#pragma once
#include "lex.h"

typedef struct {
  char *name;   // as given
  char *text;   // its content, ends with a NUL
  int area;     // index of the folder on the command line
  int lines;    // all of them
  int coded;    // lines with a token
  int widest;   // columns of the widest line
  int too_wide; // lines with more than MAX_COLUMNS
  Tokens tokens;
} File;

typedef struct {
  const File *file;
  char name[64];
  int first, last; // lines: of its declaration, of its closing brace
  int complexity;  // 1 and the decisions in it
} Function;

typedef struct {
  Function *at;
  size_t count;
  size_t room;
} Functions;

// Adds the functions that a file defines.
void find_functions(const File *file, Functions *out);

// A run of equal lines, of at least MIN_REPEATED lines of code.
typedef struct {
  const File *file[2];
  int line[2];
  int length; // lines of code
} Repeat;

typedef struct {
  Repeat *at;
  size_t count;
  size_t room;
  int lines; // lines of code that repeat earlier ones
} Repeats;

enum { MIN_REPEATED = 6 };

void find_repeats(const File *files, size_t count, Repeats *out);
