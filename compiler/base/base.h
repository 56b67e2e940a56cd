// base.h: used by every stage: arenas, growing text, growing arrays. An Arena is released whole;
// nothing in it is freed alone. If memory runs out, the compiler ends with a message.
#ifndef FMCC_BASE_H
#define FMCC_BASE_H

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FM_VERSION "0.1.0"

// ---- memory ----
void *xmalloc(size_t n); // never NULL
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap)
    __attribute__((format(printf, 1, 0)));

// Messages begin with this name: "fmcc", or the name that a program defines.
extern const char program_name[];
// out_of_memory() calls it first; or NULL.
extern void (*before_sudden_end)(void);
_Noreturn void out_of_memory(void); // a message, and exit status 1

typedef struct ArenaBlock ArenaBlock;
typedef struct Arena {
  ArenaBlock *blocks; // newest first
  char *at, *end;     // free space of the newest block
} Arena;
void *arena_alloc(Arena *a, size_t n);               // zeroed, aligned to 16
char *arena_text(Arena *a, const char *s, size_t n); // a NUL-terminated copy
char *arena_printf(Arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(Arena *a);
#define NEW(arena, T) ((T *)arena_alloc(arena, sizeof(T)))

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- growing text ----
typedef struct Buf {
  // NUL-terminated once anything was added; NULL before
  char *data;
  size_t len, cap;
} Buf;
void buf_add(Buf *b, const char *s, size_t n);
void buf_puts(Buf *b, const char *s);
void buf_putc(Buf *b, char c);
void buf_printf(Buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void buf_free(Buf *b);
// Appends the content of the file ("-": standard input). false: errno is set.
bool buf_read_file(Buf *b, const char *path);
bool buf_read_fd(Buf *b, int fd);

// ---- growing arrays of pointers ----
typedef struct Vec {
  void **at;
  size_t len, cap;
} Vec;
void vec_push(Vec *v, void *p);
void vec_free(Vec *v); // frees the array, not the objects
static inline bool vec_holds(const Vec *v, const void *place) {
  return v->len && (void *const *)place < v->at + v->len;
}
// FOR_EACH(Local, k, a->locals) { … }: a loop over the pointers. The loop adds none to the array.
#define FOR_EACH(T, item, vec)                                    \
  for (T **item##_at = (T **)(vec).at, *item;                     \
       vec_holds(&(vec), item##_at) && (item = *item##_at, true); \
       item##_at++)

#endif
