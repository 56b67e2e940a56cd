// leaf.h: leaf waits: async functions of the library that wait once and then return, in the form
// that fmcc gives to async functions (abi.h). A file writes the call version, f__fm_call, which
// needs no frame; FM__LEAF makes the rest of it: start, resume, the atomic version and the
// descriptor. Only an activity that begins with such a function has a frame of it.
#ifndef LEAF_H
#define LEAF_H

#include "fm.h"

// ---- park.c ----
// At the end of the resume version.
void fm__leaf_paused(fm_domain *c, fm_frame *h);
// At the end of the atomic version.
static inline void fm__leaf_pump(fm_domain *c) {
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    fm__atomic_pump(c);
}
extern const uint32_t fm__leaf_lines[2];

#define FM__LEAF(f, T, P, ...)                                                \
  typedef struct f##_frame {                                                  \
    fm_frame h;                                                               \
    FM__LEAF_MEMBERS##__VA_ARGS__(T, P)                                       \
  } f##_frame;                                                                \
  static void f##_resume(fm_domain *c, fm_frame *h) {                         \
    f##_frame *f = (f##_frame *)h;                                            \
    c->result = NULL;                                                         \
    if (h->state)                                                             \
      return;                                                                 \
    f##__fm_call(c, FM__LEAF_ARGS##__VA_ARGS__(f->));                         \
    fm__leaf_paused(c, h);                                                    \
  }                                                                           \
  static const fm_code f##_code = {                                           \
    .resume = f##_resume,                                                     \
    .name = #f,                                                               \
    .file = "fermata",                                                        \
    .lines = fm__leaf_lines,                                                  \
    .nstates = 2,                                                             \
    .size = sizeof(f##_frame),                                                \
    .lands = FM_OF_LIBRARY,                                                   \
    .ends = fm__leaf_ends,                                                    \
  };                                                                          \
  fm_frame *f##__fm_start(fm_domain *c, FM__LEAF_PARAMS##__VA_ARGS__(T, P)) { \
    f##_frame *f = (f##_frame *)fm__frame_new(c, &f##_code);                  \
    FM__LEAF_STORE##__VA_ARGS__(f->) return &f->h;                            \
  }                                                                           \
  void f##__fm_atomic(FM__LEAF_PARAMS##__VA_ARGS__(T, P)) {                   \
    fm_domain *c = fm__here();                                                \
    f##__fm_call(c, FM__LEAF_ARGS##__VA_ARGS__());                            \
    fm__leaf_pump(c);                                                         \
  }                                                                           \
  const fm_fn f[1] = { { (void (*)(void))f##__fm_call,                        \
                         (void (*)(void))f##__fm_atomic,                      \
                         (void (*)(void))f##__fm_start,                       \
                         &f##_code } }

// What follows P chooses the parameters: nothing: (o, v, w); 1: (o); 2: (o, w); 4: (o, v, w, size);
// 5: (o, v, w, size, far).
// T is the type of o, P that of w.
// clang-format off
#define FM__LEAF_MEMBERS(T, P) T o; void *v; P w;
#define FM__LEAF_PARAMS(T, P) T o, void *v, P w
#define FM__LEAF_ARGS(from) from o, from v, from w
#define FM__LEAF_STORE(to) to o = o; to v = v; to w = w;

#define FM__LEAF_MEMBERS1(T, P) T o;
#define FM__LEAF_PARAMS1(T, P) T o
#define FM__LEAF_ARGS1(from) from o
#define FM__LEAF_STORE1(to) to o = o;

#define FM__LEAF_MEMBERS2(T, P) T o; P w;
#define FM__LEAF_PARAMS2(T, P) T o, P w
#define FM__LEAF_ARGS2(from) from o, from w
#define FM__LEAF_STORE2(to) to o = o; to w = w;

#define FM__LEAF_MEMBERS4(T, P) T o; void *v; P w; size_t size;
#define FM__LEAF_PARAMS4(T, P) T o, void *v, P w, size_t size
#define FM__LEAF_ARGS4(from) from o, from v, from w, from size
#define FM__LEAF_STORE4(to) to o = o; to v = v; to w = w; to size = size;

#define FM__LEAF_MEMBERS5(T, P) T o; void *v; P w; size_t size; ptrdiff_t far;
#define FM__LEAF_PARAMS5(T, P) T o, void *v, P w, size_t size, ptrdiff_t far
#define FM__LEAF_ARGS5(from) from o, from v, from w, from size, from far
#define FM__LEAF_STORE5(to) FM__LEAF_STORE4(to) to far = far;
// clang-format on

#endif
