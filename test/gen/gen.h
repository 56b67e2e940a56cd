// gen.h: the parts of the random program generator, in the order in which they are used.
//   gen.c      main, functions: signatures, bodies, the entry
//   stmt.c     statements and declarations
//   activity.c what runs beside, and what is left early
//   expr.c     expressions
//   text.c     strings, random numbers, types, variables
//   prelude.c  the fixed beginning and end of every program
//
// Programs must not depend on the order of evaluation. Each object in scope has a bit; the bit G stands for everything that is shared
// (the trace, errno, globals, statics). `acc` collects what the expression at hand reads and writes, `forbid` holds what it must not
// read or write because an operand that is not sequenced with it writes or reads it. A pause has no bit: it changes nothing.
#ifndef GEN_H
#define GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum Type {                                       // integers first
  T_BOOL, T_C, T_S8, T_U8, T_S16, T_U16, T_E, T_I, T_U, T_L, T_UL, T_LL, T_ULL, T_FLT, T_DBL,
  T_S, T_B, T_X, T_F,                             // structs small and big, a union, bit-fields
  T_P, T_FN,                                      // u32 *, a pointer to an async function u32 (u32)
  T_SP,                                           // struct S *; variables only
  T_LOCAL,                                        // a struct declared in a function; variables only, member a is a u32
  T_VOID
};
enum { T_INTS = T_ULL + 1, T_SCALARS = T_DBL + 1, T_VALUES = T_F + 1 };

typedef struct Var {
  char name[16];
  int type;
  int n, m;                                       // array: lengths, else 0
  int scope;
  uint64_t bit;
  uint64_t target;                                // of a pointer: what it points at
  int extent;                                     // of a pointer: how many elements
  bool is_const, is_volatile, is_static, is_vla;
  bool fixed;                                     // only its own loop writes it
} Var;

enum { MAX_PARAMS = 10 };
typedef struct Fn {
  char name[16];
  int ret, nparams, params[MAX_PARAMS];
  bool shared;                                    // takes `struct ctx *q`, and uses what is shared
  bool recursive;                                 // takes `u32 n`, the depth
  double cost;                                    // about how many statements a call runs
} Fn;

typedef struct Effect { uint64_t r, w; } Effect;
typedef struct Iso { Effect acc, forbid, total; } Iso;
#define G ((uint64_t)1 << 63)
#define PARAM ((uint64_t)1 << 62)                 // what pointer parameters point at

typedef struct Buf { char *at; size_t len, cap; } Buf;

// ---- text.c ----
extern Buf *out;
extern int indent;
void line(const char *f, ...) __attribute__((format(printf, 1, 2)));
char *fmt(const char *f, ...) __attribute__((format(printf, 1, 2)));
void seed_random(uint64_t seed);
unsigned rnd(unsigned n);                         // 0 … n - 1
bool chance(int percent);
const char *type_name(int t);
const char *type_tag(int t);                      // as part of a function's name
int int_type(void);
int scalar_type(void);
int value_type(void);

extern Effect acc, forbid;
bool can_read(uint64_t bits);
bool can_write(uint64_t bits);
Iso iso_open(void);                               // operands that are not sequenced:
void iso_next(Iso *);                             //   after each
void iso_close(Iso *);

extern Var vars[];
extern int nvars, scope_depth, first_visible;     // no variable before that one can be seen
void hide(const char *name);                      // being declared: its initialiser must not name it
void unhide(void);                                // the last one
Var *add_var(int type, bool can_shadow);
Var *copy_var(const Var *);                       // of the same name, in this scope
bool visible(const Var *);
Var *pick_var(bool (*ok)(const Var *));
void scope_open(void);
void scope_close(void);

// ---- expr.c ----
enum { READ = 1, WRITE = 2, ADDRESS = 4 };
extern uint64_t lvalue_bits;                      // of the last lvalue()
char *expr(int t, int depth);
char *constant(int t);
char *lvalue(int t, int how, int depth);          // NULL: none. ADDRESS: its address may be taken
char *assignment(int t, int depth);               // without parentheses; NULL: none
char *call(int ret, int depth);                   // NULL: none
char *call_of(const Fn *f, int depth, bool self);
char *initialiser(int t, int depth);              // {…} for a struct
char *condition(int depth);

// ---- stmt.c ----
extern int njumps_off, nloops, nbreaks;
void stmts(int n, int depth);
void stmt(int depth);
void block(int n, int depth);                     // without its braces
void declare(int depth);
void log_vars(int from);                          // LOGs or mixes the variables from that index on

// ---- activity.c ----
typedef struct Exits { int jumps_off, loops, breaks, first_target, first_cancel, body_id; } Exits;
Exits no_exits(void);                             // nothing jumps, throws or cancels out of what comes now,
void exits_back(Exits);                           //   until here
void begin_exits(bool never_atomic);              // of a function
bool end_body(int depth);                         // false: this is no activate's body
bool leave_far(int depth);                        // false: there is nowhere to go
void beside(int depth);

// ---- gen.c ----
char *parameters(const Fn *f, bool named);
extern Fn fns[];
extern int nfns;
extern Fn *self, *peer;                           // being generated; whom it may call with n - 1
extern int nself;                                 // how many such calls it may still get
extern double mult, cost, limit;                  // how often the place at hand runs; what this function has cost so far; and may
extern int budget, nlogs, nlabels;
extern bool may_spawn;

// ---- prelude.c ----
void print_prelude(void);
void print_main(bool async_main);
#endif
