// abi.h: the contract between generated code and the runtime. fmcc includes it; programs never name
// anything in it.
//
// An async function f(args) returning T becomes
//
//     T f__fm_call(fm_domain *c, args)
//         entered by calls: locals are C locals, nothing is allocated
//     void f__fm_resume(fm_domain *c, fm_frame *)
//         goes on in a frame, from frame->state (0: from the beginning)
//     fm_frame *f__fm_start(fm_domain *c, args)
//         makes a frame in state 0 that holds the arguments; if f's own frame is large, it is a
//         small one, which calls f__fm_call and is replaced when that pauses
//     T f__fm_atomic(args)
//         ordinary C; waits run a nested scheduler loop
//     const fm_fn f
//         the descriptor: a pointer to f points at it
//
// A call returns plain T. A callee that pauses (or unwinds) sets c->guard to FM_PAUSE(why); the
// caller checks it with one compare after the call. If the call has paused, the caller makes a
// frame (unless it has one), stores its live locals and its state in it, links it with
// fm__paused(c, frame) and returns a dummy. So does its own caller, up to the scheduler. Later the
// scheduler resumes the innermost frame, then its parents one by one. At an automatic yield the
// same compare reports that the slice is over, and the function leaves in the same way: fm__stop()
// finds out which of the two it is.
//
//     // in f__fm_call; the call has paused, or it has ended and the slice is over
//     v = g__fm_call(c, x);
//     if (fm__stopped(c)) {
//       memcpy(c->held, &v, sizeof v);
//       return f__fm_spill(c, NULL, 3 | FM_HELD, live...);
//     }
//
//     // in f__fm_resume: the call of state 3 has ended
//     L3: v = *(int *)c->result; fm__done(c);
//
// A function with many pauses has one text for both: f__fm_body(c, args, frame), which f__fm_call
// and f__fm_resume enter; or f__fm_resume, which f__fm_call enters in a new frame.
#ifndef FERMATA_ABI_H
#define FERMATA_ABI_H

// -fsanitize=atomicity compiles with -fno-inline, which is not meant for these functions.
#ifdef FM_ATOMICITY
#  pragma push_macro("inline")
#  define inline inline __attribute__((always_inline))
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fm_domain fm_domain;
typedef struct fm_frame fm_frame;

// fm_code.lands. LANDS: the function has something to do when a call unwinds, see abi-unwind.h.
// OF_LIBRARY: reports name the place of its caller.
enum { FM_LANDS = 1, FM_OF_LIBRARY = 4 };
// fm_code.ends. ENDS: from there on the function can wait for nothing more, and starts nothing: it
// returns or throws. HAS_WAITED, only with ENDS: it may have passed a wait before. ENDS_AFTER: as
// ENDS, if the call there returns and throws nothing.
enum { FM_ENDS = 1, FM_HAS_WAITED = 2, FM_ENDS_AFTER = 4 };
typedef struct fm_code { // constant, one for each async function
  void (*resume)(fm_domain *, fm_frame *);
  const char *name; // as the user wrote it
  const char *file;
  const uint32_t *lines; // by state: where the function stands
  uint32_t nstates;
  uint32_t size;        // bytes of its frame
  uint32_t result;      // offset of the returned value in its frame
  uint32_t result_size; // 0: void
  uint32_t lands;       // FM_LANDS, FM_OF_LIBRARY
  // By state: FM_ENDS and the others, or 0; NULL: 0 in all of them. See race.c.
  const unsigned char *ends;
} fm_code;
// `ends` of a function that waits once, in state 1, and then returns.
extern const unsigned char fm__leaf_ends[2];

// The head of every frame; the result and saved locals follow. The frame belongs to its activity
// until the call has ended, then to the reader of the result.
struct fm_frame {
  // the caller's frame, which continues when this call has ended; NULL: the activity's first; in a
  // free frame: the next one of the free list
  fm_frame *parent;
  const fm_code *code;
  uint16_t state;
  uint16_t grains; // fm__frame_class of its code, at hand
  // the runtime's: a stamp (wake-order.c), or a count of readers (end.c)
  uint32_t spare;
};

typedef struct fm_fn {  // a pointer to an async function points at one
  void (*call)(void);   // really T (*)(fm_domain *, args)
  void (*atomic)(void); // really T (*)(args)
  void (*start)(void);  // really fm_frame *(*)(fm_domain *, args)
  const fm_code *code;
} fm_fn;

// Values of the guard above every address. One store says that an activity pauses, and why; the
// ticker never replaces it. STOP: the slice is over. PAUSE: something has paused, or unwinds; why:
// 1…15. STOP is the lowest, so that each question about the guard is one compare with memory.
#define FM_STOP (UINTPTR_MAX - 16)
#define FM_PAUSE(why) (UINTPTR_MAX - (why))
// UNWINDS: see abi-unwind.h; the other reasons are the runtime's.
enum { FM_UNWINDS = 1, FM_YIELDS = 2, FM_WAITS = 4 };

// Frames up to 1 KB come from free lists, one for each multiple of the grain.
enum { FM_GRAIN = 16, FM_CLASSES = 65 };

#ifdef __cplusplus // which only reads the declarations
#  define FM_ATOMIC
#else
#  define FM_ATOMIC _Atomic
#endif

// A domain as generated code sees it. It is a part of the runtime's whole (runtime/core/runtime.h).
// Only the domain's thread uses it, except that the ticker changes the guard.
struct fm_domain {
  FM_ATOMIC uintptr_t guard; // the stack's limit, FM_STOP or FM_PAUSE(why)
  // After a pause: the outermost frame that is linked so far. NULL: a leaf wait, which has no
  // frame, or the activity stands in the frame that was resumed.
  fm_frame *top;
  // After a pause: the innermost frame; NULL: the same as top, or nothing has paused.
  fm_frame *leaf;
  // On resuming: the address of the value that was waited for. It is read before fm__done, and
  // before a frame is made, because it may stand in a free frame.
  void *result;
  // The frame of the call that has ended last, if it is not free yet, or NULL: see fm__done.
  fm_frame *done;
  unsigned char held[16];     // for fm__stop: the value of a call, see FM_HELD
  fm_frame *free[FM_CLASSES]; // free frames, linked by `parent`
#ifdef __wasm__
  int fuel;  // see fm__burns_out
  int given; // how much there was; 0: first
  int first; // how much an activity begins with
#endif
};

#define fm__likely(x) __builtin_expect(!!(x), 1)
#define fm__unlikely(x) __builtin_expect(!!(x), 0)
#define FM_COLD __attribute__((cold, noinline))

// The compares of generated code read the guard as an ordinary variable, because gcc does not make
// a relaxed atomic load an operand of the compare. The asm costs nothing, and says that the guard
// may have changed: no loop can keep an old value.
#if defined __SANITIZE_THREAD__
#  define FM_TSAN 1
#elif defined __has_feature
#  if __has_feature(thread_sanitizer)
#    define FM_TSAN 1
#  endif
#endif
static inline uintptr_t fm__guard(fm_domain *c) {
  return __atomic_load_n((uintptr_t *)&c->guard, __ATOMIC_RELAXED);
}
static inline uintptr_t fm__guard_now(fm_domain *c) {
#ifdef FM_TSAN
  return fm__guard(c);
#else
  uintptr_t *g = (uintptr_t *)&c->guard;
  __asm__ volatile("" : "+m"(*g));
  return *g;
#endif
}
// WebAssembly has no second thread that could end the slice. Checks where the slice may end count
// down instead; at 0 the runtime reads the clock, and perhaps sets the guard. A check compares the
// guard first: engines make faster code of that order.
#ifdef __wasm__
FM_COLD void fm__refuel(fm_domain *c);
static inline int fm__burns_out(fm_domain *c) {
  if (fm__likely(--c->fuel >= 0))
    return 0;
  fm__refuel(c);
  return 1;
}
#else
#  define fm__burns_out(c) 0
#endif
static inline int fm__stopped(fm_domain *c) {
  return fm__unlikely(fm__guard_now(c) >= FM_STOP) ||
         (fm__burns_out(c) && fm__guard_now(c) >= FM_STOP);
}
// After a call, where the end of a slice is left to an automatic yield that follows soon: the call
// has paused.
static inline int fm__pausing(fm_domain *c) {
  return fm__unlikely(fm__guard_now(c) > FM_STOP);
}
// The same, and it does not unwind.
static inline int fm__only_pauses(fm_domain *c) {
  return fm__likely(fm__guard(c) - FM_PAUSE(15) < 15 - FM_UNWINDS);
}
// In f__fm_resume, where that is so: the call waits without a frame, so nothing is to be linked.
// See fm__paused_here.
static inline int fm__waits_here(fm_domain *c) {
  return fm__likely(fm__guard_now(c) == FM_PAUSE(FM_WAITS)) &&
         fm__likely(!c->top);
}
// On entry: the stack is nearly used up, or the slice is over. Where the stack pointer has a name,
// one instruction compares it with the guard; the frame address would make the function keep a
// frame pointer. The asm is volatile, so that each entry looks anew.
static inline __attribute__((always_inline)) int fm__low(fm_domain *c) {
#if defined __x86_64__ && !defined __ILP32__ && defined __GCC_ASM_FLAG_OUTPUTS__
  int low;
  __asm__ volatile("cmp{q %%rsp, %1| %1, rsp}"
                   : "=@cca"(low)
                   : "m"(*(uintptr_t *)&c->guard));
  return fm__unlikely(low);
#elif defined __aarch64__ && defined __GCC_ASM_FLAG_OUTPUTS__
  int low;
  __asm__ volatile("cmp sp, %1" : "=@cclo"(low) : "r"(fm__guard_now(c)));
  return fm__unlikely(low);
#else
  return fm__unlikely((uintptr_t)__builtin_frame_address(0) < fm__guard_now(c));
#endif
}

// The same in WebAssembly, where the engine's stack cannot be seen. Each function has a pad on the
// C stack, as large as its frame on the engine's stack may be: the C stack grows as that one does.
#ifdef __wasm__
static inline __attribute__((always_inline)) int fm__low_by(fm_domain *c,
                                                            char *pad) {
  __asm__ volatile("" ::"r"(pad));
  return fm__unlikely((uintptr_t)pad < fm__guard_now(c)) ||
         (fm__burns_out(c) && (uintptr_t)pad < fm__guard_now(c));
}
#endif

// ---- frames ----
// Under ASan free frames are poisoned, so that a use after free is reported.
#if defined __SANITIZE_ADDRESS__
#  define FM_ASAN 1
#elif defined __has_feature
#  if __has_feature(address_sanitizer)
#    define FM_ASAN 1
#  endif
#endif
// -fsanitize=atomicity: what is known of a frame's memory is forgotten.
#ifdef FM_ATOMICITY
void fm__ato_frame_new(const volatile void *p, size_t n);
void fm__ato_frame_free(const volatile void *p, size_t n);
#  define fm__poison(p, n) fm__ato_frame_free(p, n)
#  define fm__unpoison(p, n) fm__ato_frame_new(p, n)
// Whether the program is built with ASan is not known in the library before they are linked.
#elif defined FM_LIBRARY && !defined FM_ASAN
void __asan_poison_memory_region(const volatile void *p, size_t n)
    __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *p, size_t n)
    __attribute__((weak));
#  define fm__poison(p, n) \
    (__asan_poison_memory_region ? __asan_poison_memory_region(p, n) : (void)0)
#  define fm__unpoison(p, n)                                             \
    (__asan_unpoison_memory_region ? __asan_unpoison_memory_region(p, n) \
                                   : (void)0)
#elif defined FM_ASAN
void __asan_poison_memory_region(const volatile void *p, size_t n);
void __asan_unpoison_memory_region(const volatile void *p, size_t n);
#  define fm__poison(p, n) __asan_poison_memory_region(p, n)
#  define fm__unpoison(p, n) __asan_unpoison_memory_region(p, n)
#else
#  define fm__poison(p, n) ((void)0)
#  define fm__unpoison(p, n) ((void)0)
#endif

FM_COLD fm_frame *fm__frame_more(fm_domain *c, const fm_code *code);
FM_COLD void fm__frame_free_large(fm_domain *c, fm_frame *f);
static inline size_t fm__frame_class(const fm_code *code) {
  return (code->size + (size_t)FM_GRAIN - 1) / FM_GRAIN;
}

// State 0, parent NULL; the rest is not zeroed. Never NULL. `size` is the code's.
static inline fm_frame *
fm__frame_sized(fm_domain *c, const fm_code *code, size_t size) {
  size_t k = (size + FM_GRAIN - 1) / FM_GRAIN;
  fm_frame *f = k < FM_CLASSES ? c->free[k] : NULL;
  if (fm__likely(f != NULL)) {
    fm__unpoison(f, k * FM_GRAIN);
    c->free[k] = f->parent;
    __builtin_prefetch(f->parent, 1); // for the next one
  } else {
    f = fm__frame_more(c, code);
  }
  f->parent = NULL;
  f->code = code;
  f->state = 0;
  f->grains = (uint16_t)(k < FM_CLASSES ? k : (size_t)FM_CLASSES);
  f->spare = 0;
  return f;
}
static inline fm_frame *fm__frame_new(fm_domain *c, const fm_code *code) {
  return fm__frame_sized(c, code, code->size);
}

static inline void fm__frame_free(fm_domain *c, fm_frame *f) {
  size_t k = f->grains;
  if (fm__unlikely(k >= FM_CLASSES)) {
    fm__frame_free_large(c, f);
    return;
  }
  f->parent = c->free[k];
  c->free[k] = f;
  fm__poison(f, k * FM_GRAIN);
}

// Functions with frames of one shape share start and spill, which find the code of the function
// here.
static inline void fm__spills(fm_domain *c, const fm_code *code) {
  c->result = (void *)code;
}
// What a field gets that nobody reads: whatever a register holds. n: so that no two are the same.
static inline uintptr_t fm__any(int n) {
  uintptr_t v;
  __asm__("" : "=r"(v) : "g"(n));
  return v;
}

// At a pause, from the inside out: f is the frame of the function that now returns.
static inline void fm__paused(fm_domain *c, fm_frame *f) {
  if (fm__unlikely(c->top)) {
    if (!c->leaf)
      c->leaf = c->top;
    c->top->parent = f;
  }
  c->top = f;
}
// The same in f__fm_resume; f is the frame that was resumed, and goes on in `state`. If the callee
// waits without a frame, nothing is linked: where c->top is NULL, the activity stands in f.
static inline void fm__paused_here(fm_domain *c, fm_frame *f, uint16_t state) {
  f->state = state;
  if (fm__unlikely(c->top))
    fm__paused(c, f);
}
// Between two stores of locals: gcc would make one of them, and to that end keep the variables in
// vectors all the time.
static inline void fm__apart(void) {
  __asm__ volatile("" ::: "memory");
}
// In f__fm_resume at `return g(x);` when g (an async function, not a wait of this header) has
// paused: f's caller becomes g's. In f__fm_call nothing is needed: `return g__fm_call(c, x);`.
// Links c->top to f's parent, and frees f. 0: it cannot, because g waits without a frame, and f is
// the activity's first.
int fm__tail(fm_domain *c, fm_frame *f);
// At a resume label, when c->result has been read; harmless elsewhere. The callee's frame is free
// by then; a large one is freed when the next call with a large frame ends. Only under ASan, where
// free frames are poisoned, there is something to do.
static inline void fm__free_done(fm_domain *c) {
  if (fm__unlikely(c->done != NULL)) {
    fm__frame_free(c, c->done);
    c->done = NULL;
  }
}
static inline void fm__done(fm_domain *c) {
#if defined FM_ASAN || defined FM_ATOMICITY || defined FM_LIBRARY
  fm__free_done(c);
#else
  (void)c;
#endif
}

// ---- the slow paths of the compares ----
enum { FM_GO = 0, FM_PAUSED = 1, FM_YIELDED = 2 };
// At an automatic yield: YIELDED (now pause here) or GO.
FM_COLD int fm__slice(fm_domain *c);
FM_COLD int fm__go_on(fm_domain *c); // forgets the end of the slice: GO
// On entry. PAUSED: the stack is low: return from here with a frame in state 0, linked by
// fm__paused(). That is no pause: the activity goes on at once, on an empty stack.
FM_COLD int fm__entry(fm_domain *c);
// f's function returns now, to come back in `state`. If the slice is over (only in a function that
// may yield here), the activity goes to the end of the queue, even if nothing else is ready: the
// way back into the function would cost more code than that is worth. State 0, on entry: if the
// slice is not over, the stack is low. After a call that may have ended:
// - FM_HELD | state: then a frame of the runtime holds its value, which is in c->held, until the
//   activity goes on. The function sees a call that has paused, and needs no state of its own.
// - FM_AFTER | state: then the state is the next one; for structures and other large values.
// FM_STATE: the state alone.
enum { FM_STATE = 0xffff, FM_HELD = 1 << 29, FM_AFTER = 1 << 30 };
FM_COLD void fm__stop(fm_domain *c, fm_frame *f, uint32_t state);
// The same, faster where something has paused.
static inline void fm__stop_fast(fm_domain *c, fm_frame *f, uint32_t state) {
  if (fm__guard(c) > FM_STOP) {
    f->state = state & FM_STATE;
    fm__paused(c, f);
  } else {
    fm__stop(c, f, state);
  }
}
// In f__fm_body, which is called (f is NULL) or resumed: the same, where it may also unwind.
// Returns the frame; the fields can be stored afterwards, by its state. NULL: it unwinds.
FM_COLD fm_frame *
fm__leave(fm_domain *c, fm_frame *f, const fm_code *code, uint32_t state);
// After a call. PAUSED: it has paused. YIELDED: it has ended, the slice is over, and the current
// activity stands at the end of the queue: pause after the call.
static inline int fm__after(fm_domain *c) {
  return fm__likely(fm__guard(c) != FM_STOP) ? FM_PAUSED : fm__slice(c);
}
// The same where automatic yields are off: never YIELDED.
static inline int fm__below(fm_domain *c) {
  return fm__likely(fm__guard(c) != FM_STOP) ? FM_PAUSED : fm__go_on(c);
}

// ---- waits that generated code calls ----
// Each is like a call: fm__stopped(c) afterwards reports whether it paused.
// yield; it always pauses, so that no check is needed after it.
static inline void fm__yield(fm_domain *c) {
  __atomic_store_n((uintptr_t *)&c->guard,
                   FM_PAUSE(FM_YIELDS),
                   __ATOMIC_RELAXED);
}
// The same in f__fm_resume, when the live variables have been stored; f is the frame that was
// resumed, and goes on in `state`. Nothing is linked: where c->top is NULL, the activity stands in
// f.
static inline void fm__yield_here(fm_domain *c, fm_frame *f, uint16_t state) {
  f->state = state;
  fm__yield(c);
}

// task(T), for every T.
typedef struct fm_task {
  struct fm_node *node;
  uint64_t generation;
} fm_task;
typedef struct fm_activity {
  struct fm_node *node;
  uint64_t generation;
} fm_activity;

// If it has not paused: the result's address, to be read before fm__done(c).
void *fm__await(fm_domain *c, fm_task t);
void fm__join(fm_domain *c, fm_activity a); // fm_join

enum {
  FM_SPAWN_NOW = 1,
  FM_SPAWN_DETACHED = 2,
  FM_SPAWN_CONTAINED = 4,
  FM_SPAWN_DROP = 8,
  FM_SPAWN_IN = 16,
  FM_SPAWN_ARM = 32,
  FM_SPAWN_ON = 64
};
// `root` is what f__fm_start made. DROP: no handle is kept. IN: a child of `in`, else `in` is
// ignored. With NOW it may pause, when the child has run out of stack: at the resume label
// *(fm_task *)c->result is the task (not with DROP). Without NOW, and in
// atomic code, it never pauses.
fm_task fm__spawn(fm_domain *c, fm_frame *root, unsigned how, fm_activity in);
// The same in an activity, with `how` 0 and DROP.
fm_task fm__spawn_child(fm_domain *c, fm_frame *root);
fm_task fm__spawn_dropped(fm_domain *c, fm_frame *root);
// fm__await(c, fm__spawn_child(c, root))
void *fm__await_new(fm_domain *c, fm_frame *root);
// The same in another domain. With DETACHED and DROP this domain keeps nothing of it; else the task
// belongs to this domain. It never pauses.
fm_task fm__spawn_on(fm_domain *c, fm_frame *root, unsigned how, fm_domain *to);
typedef struct fm_pool fm_pool;
// The same in a domain of the pool that has nothing else to do.
fm_task
fm__spawn_in_pool(fm_domain *c, fm_frame *root, unsigned how, fm_pool *p);
fm_activity fm__id(fm_task t); // fm_id
fm_task fm__share(fm_task t);  // fm_share: one more handle
void fm__detach(fm_task t);    // fm_detach: gives the handle up

// activate: before a block is left, its activity waits for the activities that share its variables.
// The group stands in the frame of that activity, zeroed at first.
typedef struct fm_share_group {
  struct fm_node *first;
} __attribute__((aligned(8))) fm_share_group; // fm_node.waits: three low bits
// g and id may be NULL. After the head of `root` stands a pointer to the frame that holds g.
void fm__activate(fm_domain *c,
                  fm_frame *root,
                  fm_share_group *g,
                  fm_activity *id,
                  unsigned how);
void fm__join_group(fm_domain *c, fm_share_group *g); // a wait

// ---- plain code ----
// This thread's domain, made if there is none; never NULL.
fm_domain *fm__here(void);
// run f(x): the frame comes from f__fm_start(fm__here(), x).
void fm__run(fm_frame *root, void *result);
void fm__run_task(fm_task t, void *result, size_t size); // run t
// async main: its C main calls this; params: how many main declares.
int fm__main(const fm_fn *f, int argc, char **argv, char **envp, int params);

// ---- arrays of variable length: their elements, for the frame's field that points to them ----
void *fm__vla(void *old, size_t bytes);
void fm__vla_free(void *p);

// ---- atomic ----
fm_domain *fm__atomic_enter(void);   // nests
void fm__atomic_leave(fm_domain *c); // waits for the activities it contains
// They never pause: a call as an activity that the atomic contains; an await that a cancel
// interrupts.
void *fm__atomic_call(fm_domain *c, fm_frame *root);
void *fm__atomic_await(fm_domain *c, fm_task t);
void fm__atomic_checkpoint(fm_domain *c); // throws such a cancel if it has come
// In atomic code after a wait primitive paused: runs the top set until the wait is over. Then
// c->result is as at a resume label.
void fm__atomic_pump(fm_domain *c);
// In atomic code: r is what fm__await or fm__await_job returned. If that paused, the wait is over
// then. Copies the result; if an error was thrown, there is none, and `to` becomes 0. It is no
// inline code because clang 14 drops such a copy (docs/limits.md).
void fm__atomic_result(fm_domain *c, void *r, void *to, size_t size);

#include <fermata/abi-unwind.h>
#ifdef FM_ATOMICITY
#  pragma pop_macro("inline")
#endif

#endif
