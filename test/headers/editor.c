// editor.c: typical dialect code, as an editor's language server sees it: without fmcc. It is only parsed, by clang.
#include <fermata.h>

#include <stdlib.h>
#include <unistd.h>

// What the library will declare.
typedef struct fm_error fm_error;
void fm_cancel_after(fm_activity, uint64_t ms);
async void fm_sleep(uint64_t ms);

struct parse_error {
  int line;
};

async int parse(const char *text) throws(struct parse_error);
async void worker(int n);
async int (*table[])(const char *) throws(struct parse_error) = { parse };
atomic int counter(int step);
async static char *name_of(int n);

atomic int counter(int step) {
  static int n;
  return n += step;
}

async static char *name_of(int n) {
  yield;
  return n ? "some" : "none";
}

async void worker(int n) {
  atomic {
    n += counter(1);
  }
  await fm_sleep((uint64_t)n);
}

async int parse(const char *text) throws(struct parse_error) {
  if (!*text)
    throw (struct parse_error){ .line = 3 };
  if (*text == ';')
    return 0;
  int n = await parse(text + 1) + await parse(text + 2);
  return n + atomic counter(2);
}

static async int checked(const char *text) {
  char *copy = malloc(10);
  defer free(copy);
  try {
    return parse(text);
  } catch (struct parse_error e) {
    return -e.line;
  } catch (fm_error *any) {
    if (!any)
      throw;
  } finally {
    close(3);
  }
  return 0;
}

async int main(int argc, char **argv) {
  task(int) first = spawn checked(argv[0]);
  task(void) all[4];
  auto second = spawn checked("two");
  for (int i = 0; i < 4; i++)
    all[i] = spawn worker(i);
  spawn detached worker(9);
  scope (s) {
    fm_cancel_after(s, 500);
    spawn in(s) worker(argc);
    activate {
      worker(argc);
    }
  } else {
    puts("late");
  }
  shield fm_sleep(10);
  for (int i = 0; i < 4; i++)
    await all[i];
  char *name = name_of(await first + await second);
  puts(name);
  return table[0] == parse ? run checked("three") : 0;
}
