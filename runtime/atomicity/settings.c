// settings.c: FERMATA_ATOMICITY, and how a process ends that has reported something.
//
//     exit=N              the exit status after reports, if the program's own is 0 (66)
//     halt                ends the process at the first report
//     log=FILE            reports go to FILE.PID instead of standard error
//     suppressions=FILE   a pattern a line: reports that name such a place are not made
//     more                the rules of -fsanitize=atomicity-more
#define _GNU_SOURCE
#include "atomicity/atomicity.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WANT \
  "exit=N, halt, log=FILE, suppressions=FILE or more, separated by commas"

static fm__ato_settings settings;

// The linker defines it where a program is linked with -fsanitize=atomicity-more.
extern const char fm__atomicity_more __attribute__((weak));

static const char *read_whole(const char *path) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st) != 0)
    fm__bad_setting("FERMATA_ATOMICITY",
                    path,
                    "a file of suppressions that can be read");
  char *text = fm__ato_pages((size_t)st.st_size + 1);
  ssize_t n = read(fd, text, (size_t)st.st_size);
  text[n > 0 ? n : 0] = '\0';
  close(fd);
  return text;
}

static const char *after(const char *word, const char *name) {
  size_t n = strlen(name);
  return strncmp(word, name, n) == 0 ? word + n : NULL;
}

static void read_number(const char *all, const char *digits) {
  char *end;
  long n = strtol(digits, &end, 10);
  if (end == digits || *end || n < 0 || n > 255)
    fm__bad_setting("FERMATA_ATOMICITY", all, WANT);
  settings.status = (int)n;
}

static void read_word(const char *all, char *word) {
  const char *value;
  if ((value = after(word, "exit=")))
    read_number(all, value);
  else if ((value = after(word, "log=")))
    settings.log = value;
  else if ((value = after(word, "suppressions=")))
    settings.suppressions = read_whole(value);
  else if (strcmp(word, "halt") == 0)
    settings.halt = true;
  else if (strcmp(word, "more") == 0)
    settings.more = true;
  else
    fm__bad_setting("FERMATA_ATOMICITY", all, WANT);
}

static void read_all(const char *all) {
  size_t n = strlen(all) + 1;
  char *text = fm__ato_pages(n);
  char *save = NULL;
  memcpy(text, all, n);
  for (char *w = strtok_r(text, ",", &save); w; w = strtok_r(NULL, ",", &save))
    read_word(all, w);
}

const fm__ato_settings *fm__ato_settings_now(void) {
  if (settings.ready)
    return &settings;
  settings.ready = true;
  settings.status = 66;
  on_exit(fm__ato_at_end, NULL); // registered first, it runs last
  settings.more = &fm__atomicity_more != NULL;
  const char *all = fm__setting("FERMATA_ATOMICITY");
  if (all)
    read_all(all);
  return &settings;
}

// Lines that begin with # are comments.
bool fm__suppressed(const char *text) {
  const char *p = settings.suppressions;
  char pattern[512];
  while (p && *p) {
    size_t n = strcspn(p, "\n");
    if (n && n < sizeof pattern && *p != '#') {
      memcpy(pattern, p, n);
      pattern[n] = '\0';
      if (fnmatch(pattern, text, 0) == 0)
        return true;
    }
    p += n + (p[n] == '\n');
  }
  return false;
}
