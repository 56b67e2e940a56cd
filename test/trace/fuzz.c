// fuzz.c TRACE RUNS SEED: changes and cuts the trace at random, and makes all reports of it, in one
// process, which a sanitizer watches. Whatever is read, nothing crashes. Prints how many of the
// files could be read.
#include "../../tools/report/report.h"

#include <stdlib.h>

const char program_name[] = "fuzz";

void complain(const char *fmt, ...);
void complain(const char *fmt, ...) {
  (void)fmt;
}

static uint64_t state;

static size_t draw(size_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return n ? (size_t)(state >> 33) % n : 0;
}

// Mostly in the cells; now and then in the heads.
static size_t somewhere(const Buf *b) {
  const size_t head = 64 << 10;
  if (draw(8) == 0 || b->len <= head) return draw(b->len < 64 ? b->len : 64);
  return head + draw(b->len - head);
}

static void change(Buf *b) {
  static const unsigned char odd[] = { 0, 1, 0x7f, 0x80, 0xff };
  for (size_t n = 1 + draw(20); n > 0 && b->len; n--) {
    size_t at = somewhere(b);
    size_t kind = at / 16 * 16 + 4; // of a cell
    switch (draw(4)) {
    case 0: b->data[at] = (char)draw(256); break;
    case 1: b->data[at] = (char)odd[draw(5)]; break;
    case 2: if (kind < b->len) b->data[kind] = (char)draw(20); break;
    case 3: b->data[at] ^= (char)(1 << draw(8)); break;
    }
  }
  if (draw(3) == 0) b->len = draw(b->len + 1);
}

static void write_file(const char *path, const Buf *b) {
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(b->data, 1, b->len, f) != b->len || fclose(f) != 0) abort();
}

static int report(const char *path) {
  Report r = { 0 };
  Buf out = { 0 };
  int ok = model_read(&r.model, path);
  if (ok) {
    figures_make(&r.figures, &r.model);
    tables_make(&r.tables, &r.model);
    summary_make(&r);
    text_print(&r, &out);
    json_print(&r, &out);
    perfetto_print(&r, &out);
  }
  for (size_t i = 0; i < r.summary.count; i++) free(r.summary.at[i]);
  free(r.summary.at);
  tables_free(&r.tables);
  model_free(&r.model);
  buf_free(&out);
  return ok;
}

int main(int argc, char **argv) {
  Buf whole = { 0 };
  Buf b = { 0 };
  int read = 0;
  if (argc < 4 || !buf_read_file(&whole, argv[1])) return 2;
  state = strtoull(argv[3], NULL, 10);
  for (long i = strtol(argv[2], NULL, 10); i > 0; i--) {
    b.len = 0;
    buf_add(&b, whole.data, whole.len);
    change(&b);
    write_file("fuzzed.fmtrace", &b);
    read += report("fuzzed.fmtrace");
  }
  printf("%d\n", read);
  buf_free(&whole);
  buf_free(&b);
  return 0;
}
