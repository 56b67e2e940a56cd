// stats.c: how the code reads, in numbers. For each folder (or file) given: files,
// lines, tokens in a line of code, functions and their lengths, their cyclomatic
// complexity, the widest line, repeated lines. Then the worst of each kind, and
// whether the bars are kept that CONTRIBUTING.md gives reasons for.
//
//     stats [--check] FOLDER...     --check: status 1 where a bar is not kept
//     stats --functions FOLDER...   COMPLEXITY LINES FILE:LINE NAME of each function
//
// Reads *.c and *.h. lex.c makes tokens, functions.c finds functions, repeats.c
// repeated lines.
#include "stats.h"
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_COLUMNS = 100,
  MAX_COMPLEXITY = 15,
  SHOWN = 10,
};
static const double max_tokens = 8, max_complex_share = 1.5;

typedef struct {
  char **areas; // the folders given
  int area_count;
  File *files;
  size_t count;
  size_t room;
  Functions functions;
  Repeats repeats;
} Stats;

// A row of the table: one folder, or all of them.
typedef struct {
  int files;
  int lines;
  int coded;
  int widest;
  int too_wide;
  int functions;
  int complex;
  size_t tokens;
  int median, ninety; // lines of functions
} Row;

// ---- reading ----
static char *read_text(const char *name) {
  FILE *in = fopen(name, "rb");
  if (!in) {
    perror(name);
    exit(2);
  }
  size_t length = 0;
  size_t room = 1 << 16;
  char *text = malloc(room + 1);
  while (text) {
    length += fread(text + length, 1, room - length, in);
    if (length < room)
      break;
    room *= 2;
    text = realloc(text, room + 1);
  }
  if (!text)
    abort();
  text[length] = 0;
  fclose(in);
  return text;
}

// Columns are characters, not bytes.
static void measure_lines(File *f) {
  int columns = 0;
  for (const char *p = f->text; *p; p++) {
    if (*p != '\n') {
      columns += ((unsigned char)*p & 0xC0) != 0x80;
      continue;
    }
    f->lines++;
    if (columns > f->widest)
      f->widest = columns;
    f->too_wide += columns > MAX_COLUMNS;
    columns = 0;
  }
}

static void measure_tokens(File *f) {
  lex(f->text, &f->tokens);
  int line = 0;
  for (size_t i = 0; i < f->tokens.count; i++) {
    f->coded += f->tokens.at[i].line != line;
    line = f->tokens.at[i].line;
  }
}

static void add_file(Stats *s, const char *name, int area) {
  if (s->count == s->room) {
    s->room = s->room ? s->room * 2 : 64;
    s->files = realloc(s->files, s->room * sizeof *s->files);
  }
  char *copy = strdup(name);
  if (!s->files || !copy)
    abort();
  File *f = &s->files[s->count++];
  *f = (File){
    .name = copy,
    .text = read_text(name),
    .area = area,
  };
  measure_lines(f);
  measure_tokens(f);
}

static bool is_source(const char *name) {
  size_t n = strlen(name);
  return n > 2 && name[n - 2] == '.' &&
         (name[n - 1] == 'c' || name[n - 1] == 'h');
}

static int by_name(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_area(Stats *s, int area) {
  char *top[] = { s->areas[area], NULL };
  FTS *tree = fts_open(top, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
  if (!tree)
    abort();
  for (FTSENT *e; (e = fts_read(tree));)
    if (e->fts_info == FTS_F && is_source(e->fts_name))
      add_file(s, e->fts_path, area);
  fts_close(tree);
}

// ---- counting ----
static int function_length(const Function *fn) {
  return fn->last - fn->first + 1;
}

static int by_number(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void count_functions(const Stats *s, int area, Row *row) {
  int *lengths = malloc((s->functions.count + 1) * sizeof *lengths);
  if (!lengths)
    abort();
  for (size_t i = 0; i < s->functions.count; i++) {
    const Function *fn = &s->functions.at[i];
    if (area >= 0 && fn->file->area != area)
      continue;
    lengths[row->functions++] = function_length(fn);
    row->complex += fn->complexity > MAX_COMPLEXITY;
  }
  if (row->functions > 0) {
    qsort(lengths, (size_t)row->functions, sizeof *lengths, by_number);
    row->median = lengths[(row->functions - 1) / 2];
    row->ninety = lengths[(row->functions - 1) * 9 / 10];
  }
  free(lengths);
}

// The row of a folder; of all of them for area -1.
static Row row_of(const Stats *s, int area) {
  Row row = { 0 };
  for (size_t i = 0; i < s->count; i++) {
    const File *f = &s->files[i];
    if (area >= 0 && f->area != area)
      continue;
    row.files++;
    row.lines += f->lines;
    row.coded += f->coded;
    row.tokens += f->tokens.count;
    row.too_wide += f->too_wide;
    if (f->widest > row.widest)
      row.widest = f->widest;
  }
  count_functions(s, area, &row);
  return row;
}

static double tokens_a_line(const Row *row) {
  return row->coded ? (double)row->tokens / row->coded : 0;
}

static double complex_share(const Row *row) {
  return row->functions ? 100.0 * row->complex / row->functions : 0;
}

// ---- printing ----
static void print_row(const char *name, const Row *row) {
  printf("%-22s %5d %7d %6.1f %6d %5d %5d %5d %5.1f %% %5d %5d\n",
         name,
         row->files,
         row->lines,
         tokens_a_line(row),
         row->functions,
         row->median,
         row->ninety,
         row->complex,
         complex_share(row),
         row->widest,
         row->too_wide);
}

static void print_table(const Stats *s, const Row *all) {
  printf("                                          functions"
         "               complexity      columns\n");
  printf("                       files   lines   t/l  count"
         "  half   90%%  > %d  share     max  >%d\n",
         MAX_COMPLEXITY,
         MAX_COLUMNS);
  for (int i = 0; i < s->area_count; i++) {
    Row row = row_of(s, i);
    print_row(s->areas[i], &row);
  }
  if (s->area_count > 1)
    print_row("all", all);
  printf("t/l: tokens in a line of code; half: half of the functions have at"
         " most so many lines\n");
}

static int by_complexity(const void *a, const void *b) {
  return ((const Function *)b)->complexity - ((const Function *)a)->complexity;
}

static int by_length(const void *a, const void *b) {
  return function_length(b) - function_length(a);
}

static void print_functions(Stats *s,
                            int (*order)(const void *, const void *),
                            const char *what) {
  Functions *f = &s->functions;
  qsort(f->at, f->count, sizeof *f->at, order);
  printf("\n%s\n", what);
  for (size_t i = 0; i < f->count && i < SHOWN; i++) {
    const Function *fn = &f->at[i];
    int n = order == by_length ? function_length(fn) : fn->complexity;
    printf("%7d  %s (%s:%d)\n", n, fn->name, fn->file->name, fn->first);
  }
}

static int by_repeated_lines(const void *a, const void *b) {
  return ((const Repeat *)b)->length - ((const Repeat *)a)->length;
}

static void print_repeats(Stats *s) {
  Repeats *r = &s->repeats;
  if (r->count > 0)
    qsort(r->at, r->count, sizeof *r->at, by_repeated_lines);
  printf("\nlines of code that repeat earlier ones, in runs of %d or more:"
         " %d, in %zu runs\n",
         MIN_REPEATED,
         r->lines,
         r->count);
  for (size_t i = 0; i < r->count && i < SHOWN; i++)
    printf("%7d  %s:%d and %s:%d\n",
           r->at[i].length,
           r->at[i].file[0]->name,
           r->at[i].line[0],
           r->at[i].file[1]->name,
           r->at[i].line[1]);
}

static bool print_bar(const char *what, double is, double bar) {
  bool kept = is <= bar;
  printf("%-44s %6.2f  at most %5.2f  %s\n",
         what,
         is,
         bar,
         kept ? "kept" : "NOT KEPT");
  return kept;
}

static bool print_bars(const Row *all) {
  printf("\n");
  bool kept = print_bar("tokens in a line", tokens_a_line(all), max_tokens);
  kept &= print_bar("functions with a complexity above 15, in %",
                    complex_share(all),
                    max_complex_share);
  kept &= print_bar("lines of more than 100 columns", all->too_wide, 0);
  return kept;
}

static void list_functions(const Stats *s) {
  for (size_t i = 0; i < s->functions.count; i++) {
    const Function *fn = &s->functions.at[i];
    printf("%d %d %s:%d %s\n",
           fn->complexity,
           function_length(fn),
           fn->file->name,
           fn->first,
           fn->name);
  }
}

int main(int argc, char **argv) {
  bool check = argc > 1 && !strcmp(argv[1], "--check");
  bool list = argc > 1 && !strcmp(argv[1], "--functions");
  int first = check || list ? 2 : 1;
  if (argc <= first) {
    fprintf(stderr, "usage: stats [--check | --functions] FOLDER...\n");
    return 2;
  }
  Stats s = { .areas = argv + first, .area_count = argc - first };
  for (int i = 0; i < s.area_count; i++)
    add_area(&s, i);
  for (size_t i = 0; i < s.count; i++)
    find_functions(&s.files[i], &s.functions);
  if (list) {
    list_functions(&s);
    return 0;
  }
  find_repeats(s.files, s.count, &s.repeats);
  Row all = row_of(&s, -1);
  print_table(&s, &all);
  print_functions(&s, by_complexity, "most complex:");
  print_functions(&s, by_length, "longest, in lines:");
  print_repeats(&s);
  return print_bars(&all) || !check ? 0 : 1;
}
