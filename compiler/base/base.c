// base.c: arenas, growing text, growing arrays.
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// tools/fermata.c defines its own name.
__attribute__((weak)) const char program_name[] = "fmcc";
void (*before_sudden_end)(void);

_Noreturn void out_of_memory(void) {
  if (before_sudden_end)
    before_sudden_end();
  fprintf(stderr, "%s: error: out of memory\n", program_name);
  _exit(1);
}

void *xmalloc(size_t n) {
  void *p = malloc(n ? n : 1);
  if (!p)
    out_of_memory();
  return p;
}

void *xrealloc(void *p, size_t n) {
  p = realloc(p, n ? n : 1);
  if (!p)
    out_of_memory();
  return p;
}

char *xstrdup(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(xmalloc(n), s, n);
}

char *xstrndup(const char *s, size_t n) {
  size_t len = strnlen(s, n);
  char *copy = memcpy(xmalloc(len + 1), s, len);
  copy[len] = 0;
  return copy;
}

// The length of the formatted text. vsnprintf fails only for lack of memory: the formats are ours.
static size_t formatted_length(const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0)
    out_of_memory();
  return (size_t)n;
}

static void format(char *to, size_t len, const char *fmt, va_list ap) {
  if (vsnprintf(to, len + 1, fmt, ap) < 0)
    out_of_memory();
}

char *xvasprintf(const char *fmt, va_list ap) {
  size_t n = formatted_length(fmt, ap);
  char *p = xmalloc(n + 1);
  format(p, n, fmt, ap);
  return p;
}

char *xasprintf(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *p = xvasprintf(fmt, ap);
  va_end(ap);
  return p;
}

// ---- arena ----
struct ArenaBlock {
  ArenaBlock *next;
  _Alignas(16) char data[];
};

enum {
  BLOCK = 64 * 1024,
  ALIGN = 16,
};

static void arena_grow(Arena *a, size_t n) {
  size_t size = n > BLOCK / 4 ? n : BLOCK;
  ArenaBlock *b = xmalloc(sizeof *b + size);
  b->next = a->blocks;
  a->blocks = b;
  a->at = b->data;
  a->end = b->data + size;
}

void *arena_alloc(Arena *a, size_t n) {
  n = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if ((size_t)(a->end - a->at) < n)
    arena_grow(a, n);
  void *p = a->at;
  a->at += n;
  return memset(p, 0, n);
}

char *arena_text(Arena *a, const char *s, size_t n) {
  char *p = arena_alloc(a, n + 1);
  if (n)
    memcpy(p, s, n);
  return p;
}

char *arena_printf(Arena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  size_t n = formatted_length(fmt, ap);
  char *p = arena_alloc(a, n + 1);
  format(p, n, fmt, ap);
  va_end(ap);
  return p;
}

void arena_free(Arena *a) {
  for (ArenaBlock *b = a->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  *a = (Arena){ 0 };
}

// ---- growing text ----
static void buf_room(Buf *b, size_t n) {
  if (b->cap - b->len > n)
    return;
  b->cap = (b->len + n + 1) * 2;
  b->data = xrealloc(b->data, b->cap);
}

void buf_add(Buf *b, const char *s, size_t n) {
  buf_room(b, n);
  if (n)
    memcpy(b->data + b->len, s, n);
  b->len += n;
  b->data[b->len] = 0;
}

void buf_puts(Buf *b, const char *s) {
  buf_add(b, s, strlen(s));
}
void buf_putc(Buf *b, char c) {
  buf_add(b, &c, 1);
}

void buf_printf(Buf *b, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  size_t n = formatted_length(fmt, ap);
  buf_room(b, n + 1);
  format(b->data + b->len, n, fmt, ap);
  va_end(ap);
  b->len += n;
}

void buf_free(Buf *b) {
  free(b->data);
  *b = (Buf){ 0 };
}

bool buf_read_fd(Buf *b, int fd) {
  struct stat st;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
    buf_room(b, (size_t)st.st_size + 1);
  for (;;) {
    buf_room(b, 65536);
    ssize_t n = read(fd, b->data + b->len, b->cap - b->len - 1);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    b->len += (size_t)n;
    b->data[b->len] = 0;
    if (n == 0)
      return true;
  }
}

bool buf_read_file(Buf *b, const char *path) {
  if (strcmp(path, "-") == 0)
    return buf_read_fd(b, 0);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool ok = buf_read_fd(b, fd);
  int keep = errno;
  close(fd);
  errno = keep;
  return ok;
}

// ---- growing arrays ----
void vec_push(Vec *v, void *p) {
  if (v->len == v->cap) {
    v->cap = v->cap ? v->cap * 2 : 8;
    v->at = xrealloc(v->at, v->cap * sizeof *v->at);
  }
  v->at[v->len++] = p;
}

void vec_free(Vec *v) {
  free(v->at);
  *v = (Vec){ 0 };
}
