// show.c: the demo's output, for a terminal of 80 columns or for a file. Plain C: fmcc compiles it
// as any C compiler does.
#include "show.h"
#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *bold(void) { return isatty(1) ? "\033[1m" : ""; }
static const char *plain(void) { return isatty(1) ? "\033[0m" : ""; }

void show_title(const char *title) {
  static int number;
  printf("\n%s%d. %s%s\n", bold(), ++number, title, plain());
}

void show(const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("   ");
  vprintf(format, args);
  printf("\n");
  va_end(args);
}

void show_result(const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("   %s→ ", bold());
  vprintf(format, args);
  printf("%s\n", plain());
  va_end(args);
}

// ---- the source ----
static bool names(const char *line, const char *name) {
  const char *at = strstr(line, "// show ");
  return at && strncmp(at + 8, name, strlen(name)) == 0 && at[8 + strlen(name)] == '\n';
}

void show_source(const char *path, const char *name) {
  char line[256];
  bool shown = false;
  FILE *in = fopen(path, "r");
  if (!in) return;
  printf("\n");
  while (fgets(line, sizeof line, in)) {
    if (shown && strstr(line, "// end")) break;
    if (shown) printf("%s%s", *line == '\n' ? "" : "      ", line);
    if (names(line, name)) shown = true;
  }
  printf("\n");
  fclose(in);
}

// ---- the tree ----
static size_t line_length(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? (size_t)(end - line) : strlen(line);
}

// Digits count as equal, however many there are.
static bool alike(const char *a, size_t na, const char *b, size_t nb) {
  size_t i = 0, j = 0;
  while (i < na && j < nb) {
    if (isdigit((unsigned char)a[i]) && isdigit((unsigned char)b[j])) {
      while (i < na && isdigit((unsigned char)a[i])) i++;
      while (j < nb && isdigit((unsigned char)b[j])) j++;
    } else if (a[i++] != b[j++]) {
      return false;
    }
  }
  return i == na && j == nb;
}

static void print_node(const char *line, size_t length, size_t times) {
  printf("      %.*s", (int)length, line);
  if (times > 1) printf("  × %zu", times);
  printf("\n");
}

void show_tree(const char *dump) {
  printf("\n");
  for (const char *line = dump; *line;) {
    size_t length = line_length(line), times = 0, n = 0;
    const char *next = line;
    do {
      times++;
      next += n ? n : length;
      next += *next == '\n';
      n = line_length(next);
    } while (*next && alike(line, length, next, n));
    print_node(line, length, times);
    line = next;
  }
}

// ---- measures ----
size_t used_memory(void) {
  long pages = 0;
  FILE *in = fopen("/proc/self/statm", "r");
  if (!in || fscanf(in, "%*d %ld", &pages) != 1) pages = 0;
  if (in) fclose(in);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

int open_descriptors(void) {
  int n = 0;
  DIR *dir = opendir("/proc/self/fd");
  while (dir && readdir(dir)) n++;
  if (dir) closedir(dir);
  return n - 3; // ".", ".." and the directory's own
}

double milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

size_t raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (size_t)limit.rlim_cur : 1024;
}
