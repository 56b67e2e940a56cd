// A log file with an index: each record is written at the end of the file, and its place is noted.
// reports: an update is lost: log_file.size, in a block
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 6 };

struct log_file {
  char *bytes; // what is on the disk
  size_t room;
  size_t size;
  size_t places[RECORDS];
  int records;
};

static struct log_file *open_log(void) {
  struct log_file *f = calloc(1, sizeof *f);
  f->room = 1024;
  f->bytes = calloc(1, f->room);
  return f;
}

static async void
write_at(struct log_file *f, size_t place, const char *text, size_t n) {
  fm_sleep(1 + n % 3);
  memcpy(f->bytes + place, text, n);
}

static async void append(struct log_file *f, const char *text) {
  size_t n = strlen(text) + 1;
#ifdef MENDED
  size_t place = f->size;
  f->size = place + n;
  f->places[f->records++] = place;
  write_at(f, place, text, n);
#else
  size_t place = f->size;
  write_at(f, place, text, n);
  f->places[f->records++] = place;
  f->size = place + n;
#endif
}

static async void source(struct log_file *f, const char *name, int delay) {
  char text[40];
  for (int i = 0; i < RECORDS / 2; i++) {
    snprintf(text, sizeof text, "%s says %d", name, i * i);
    append(f, text);
    fm_sleep((uint64_t)delay);
  }
}

static void close_log(struct log_file *f) {
  free(f->bytes);
  free(f);
}

async int main(void) {
  struct log_file *f = open_log();
  defer close_log(f);
  auto a = spawn source(f, "left", 1);
  auto b = spawn source(f, "right", 2);
  await a;
  await b;
  printf("%d records\n", f->records);
  return 0;
}
