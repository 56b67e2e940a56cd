// leave.c: leave SEED [expected] prints a random program that leaves blocks in every way there is (end, return, break, continue, goto, throw)
// through try, finally, defer, atomic, shield, scope and race, and by cancels of its own scopes; with `expected`, what that program prints. The second is found by running the
// tree of the program right here, by the rules of the language and without any translation.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the tree ----
enum Kind {
  SHOW, SET, TOUCH, YIELD, BLOCK, DECLARE, IF, LOOP, SWITCH, BREAK, CONTINUE, GOTO, LABEL, RETURN, THROW, RETHROW, TRY, DEFER, CALL,
  ATOMIC, SHIELD, SCOPE, CANCEL, RACE, STMT_EXPR
};
enum { ANY = 3, NCATCH = 3 };                     // kinds of errors: 0, 1, 2
enum { VOID, INT, STRUCT };

typedef struct Node Node;
struct Node {
  int kind, id, how, var, k;                      // how, k: as each kind needs it
  Node *a, *b, *c[NCATCH], *next;                 // c: the blocks of catches or cases
  int takes[NCATCH], ncatches;
  struct Fn *f, *g;
};

typedef struct Fn { int id, returns; bool async; Node *body; } Fn;

static Fn fns[12];
static int nfns, nids;

// ---- random numbers ----
static unsigned long long state;
static unsigned rnd(unsigned n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % n;
}
static bool chance(unsigned percent) { return rnd(100) < percent; }

// ---- making a tree ----
typedef struct Place {                            // what may stand here
  int depth;
  bool loop, breakable, catching, plain, fence;   // fence: in finally or defer
  int vars[20], nvars, labels[8], nlabels;
  int scopes[4], nscopes;                         // that may be cancelled here: nothing in between holds that back
  Fn *f;
} Place;

static int budget;

static Node *node(int kind) {
  Node *n = calloc(1, sizeof *n);
  n->kind = kind;
  n->id = ++nids;
  return n;
}

static Node *list(Place *p, int n);
static Node *inner(const Place *p, int n) {       // a block of its own
  Place q = *p;
  q.depth--;
  return list(&q, n);
}

static int some_var(const Place *p) { return p->vars[rnd((unsigned)p->nvars)]; }

static Fn *callee(void) { return nfns ? &fns[rnd((unsigned)nfns)] : NULL; }

static Node *leaf(const Place *p) {
  Node *n;
  int kind = (int)rnd(15);
  if (kind == 14 && p->nscopes) {
    n = node(CANCEL);
    n->k = p->scopes[rnd((unsigned)p->nscopes)];
    return n;
  }
  if (kind == 0 && !p->fence) {
    n = node(RETURN);
    n->var = some_var(p);
    n->f = p->f;
    n->g = chance(30) ? callee() : NULL;         // return g(x)
    if (n->g && (n->g->returns != p->f->returns || (p->plain && n->g->async))) n->g = NULL;
    return n;
  }
  if (kind == 1 && p->breakable) return node(BREAK);
  if (kind == 2 && p->loop) return node(CONTINUE);
  if (kind <= 3 && p->nlabels) {
    n = node(GOTO);
    n->k = p->labels[rnd((unsigned)p->nlabels)];
    return n;
  }
  if (kind == 4) {
    n = node(THROW);
    n->how = (int)rnd(3);
    n->var = some_var(p);
    return n;
  }
  if (kind == 5 && p->catching) return node(RETHROW);
  if (kind <= 7) {
    n = node(SET);
    n->var = some_var(p);
    n->k = (int)rnd(9);
    return n;
  }
  if (kind == 8) {
    n = node(TOUCH);
    n->var = some_var(p);
    return n;
  }
  if (kind <= 10 && !p->plain) return node(YIELD);
  if (kind <= 12 && callee()) {
    n = node(CALL);
    n->f = callee();
    n->g = callee();
    n->how = (int)rnd(8);
    n->var = some_var(p);
    n->k = (int)rnd(5);
    return n;
  }
  n = node(SHOW);
  n->var = some_var(p);
  return n;
}

static Node *cleanup(const Place *p, int n) {
  Place q = *p;
  q.depth--;
  q.loop = q.breakable = q.catching = false;
  q.nlabels = q.nscopes = 0;
  q.fence = true;
  return list(&q, n);
}

static Node *try_node(const Place *p) {
  Node *n = node(TRY);
  n->a = inner(p, 1 + (int)rnd(4));
  bool used[4] = {false};
  n->ncatches = (int)rnd(NCATCH + 1);
  for (int i = 0; i < n->ncatches; i++) {
    int t = (int)rnd(4);
    if (used[t] || used[ANY]) { n->ncatches = i; break; }
    used[t] = true;
    n->takes[i] = t;
    Place q = *p;
    q.catching = true;
    n->c[i] = inner(&q, 1 + (int)rnd(3));
  }
  if (!n->ncatches || chance(60)) n->b = cleanup(p, 1 + (int)rnd(3));
  return n;
}

static Node *switch_node(const Place *p) {
  Node *n = node(SWITCH);
  Place q = *p;
  q.breakable = true;
  for (int i = 0; i < NCATCH; i++) {
    n->takes[i] = chance(50);                     // falls through
    n->c[i] = inner(&q, (int)rnd(3));
  }
  return n;
}

static Node *loop_node(const Place *p) {
  Node *n = node(LOOP);
  Place q = *p;
  q.breakable = q.loop = true;
  n->how = (int)rnd(4);
  n->k = 1 + (int)rnd(3);
  n->a = inner(&q, 1 + (int)rnd(4));
  return n;
}

static Node *jumps(const Place *p) {              // { { … goto L; } L: ; … }, or { L: ; … goto L; }
  Node *n = node(BLOCK), *label = node(LABEL);
  Place q = *p;
  if (q.nlabels == 8) return n;
  q.labels[q.nlabels++] = label->id;
  n->how = chance(50);
  label->how = n->how;
  if (n->how) {                                   // backward: at most twice
    label->next = inner(&q, 2 + (int)rnd(3));
    n->a = label;
  } else {
    n->a = node(BLOCK);
    n->a->a = inner(&q, 1 + (int)rnd(4));
    n->a->next = label;
    label->next = inner(p, (int)rnd(2));
  }
  return n;
}

static Node *held_back(int kind, const Place *p) { // atomic, shield
  Node *n = node(kind);
  Place q = *p;
  q.nscopes = 0;
  n->a = inner(&q, 1 + (int)rnd(3));
  return n;
}

static Node *scope_node(const Place *p) {
  Node *n = node(SCOPE);
  Place q = *p;
  n->how = q.nscopes < 4 && chance(60);           // it has a name, and an else
  if (n->how) q.scopes[q.nscopes++] = n->id;
  n->a = inner(&q, 1 + (int)rnd(3));
  if (n->how) n->b = inner(p, 1 + (int)rnd(2));
  return n;
}

static Node *race_node(const Place *p) {          // the arm that calls f wins; how: which one it is
  Node *n = node(RACE);
  Place q = *p;
  q.breakable = true;
  n->f = callee();
  if (!n->f || !n->f->async) return leaf(p);
  n->how = (int)rnd(3);
  n->var = some_var(p);
  n->k = (int)rnd(5);
  n->a = inner(&q, 1 + (int)rnd(3));
  return n;
}

static Node *statement(Place *p) {
  Node *n;
  if (p->depth <= 0 || --budget < 0) return leaf(p);
  switch (rnd(21)) {
  case 0: case 1: case 2: case 3: return try_node(p);
  case 4: case 5: case 6:
    n = node(DEFER);
    n->a = cleanup(p, 1 + (int)rnd(2));
    n->how = chance(30);                          // one statement, if it is one
    return n;
  case 7: case 8: return loop_node(p);
  case 9: return switch_node(p);
  case 10: return jumps(p);
  case 11:
    n = node(IF);
    n->a = inner(p, 1 + (int)rnd(2));
    if (chance(50)) n->b = inner(p, 1 + (int)rnd(2));
    return n;
  case 12:
    if (p->nvars == 20) return leaf(p);
    n = node(DECLARE);
    n->var = some_var(p);
    n->how = (int)rnd(4);
    p->vars[p->nvars++] = n->id;
    return n;
  case 13:
    return held_back(ATOMIC, p);
  case 14:
    if (p->plain) return leaf(p);
    return chance(30) ? held_back(SHIELD, p) : scope_node(p);
  case 15:
    n = node(STMT_EXPR);
    n->var = some_var(p);
    n->a = inner(p, 1 + (int)rnd(2));
    return n;
  case 16:
    n = node(BLOCK);
    n->a = inner(p, 1 + (int)rnd(3));
    return n;
  case 17: return p->plain ? leaf(p) : race_node(p);
  default: return leaf(p);
  }
}

static bool stops(const Node *n) {
  return n->kind == BREAK || n->kind == CONTINUE || n->kind == GOTO || n->kind == RETURN || n->kind == THROW || n->kind == RETHROW ||
         n->kind == CANCEL;
}

static Node *list(Place *p, int n) {
  Node *first = NULL, **tail = &first;
  while (n-- > 0) {
    Node *s = statement(p);
    if (stops(s) && n > 0 && chance(85)) {        // what follows is mostly to be reached
      Node *i = node(IF);
      i->a = s;
      s = i;
    }
    *tail = s;
    tail = &s->next;
  }
  return first;
}

static Node *last_of(Fn *f) {                     // what it shows and returns at its end
  Node *show = node(SHOW), *back = node(RETURN);
  show->next = back;
  back->f = f;
  return show;
}

static void make(void) {
  nfns = nids = 0;
  int n = 2 + (int)rnd(4);
  for (int i = 0; i < n; i++) {
    Fn *f = &fns[nfns];
    *f = (Fn){.id = i, .returns = (int)rnd(3), .async = chance(70)};
    if (i == n - 1) *f = (Fn){.id = i, .returns = INT, .async = true};
    Place p = {.depth = 5, .plain = !f->async, .vars = {0}, .nvars = 1, .f = f};
    budget = 25;
    f->body = list(&p, 3 + (int)rnd(4));
    Node *end = f->body;
    while (end->next) end = end->next;
    end->next = last_of(f);
    nfns++;
  }
}

// ---- the program ----
static int indent;
static void line(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  printf("%*s", indent * 2, "");
  vprintf(f, ap);
  putchar('\n');
  va_end(ap);
}

static void print_list(const Node *n, const Fn *in);
static void braces(const Node *n, const Fn *in, const char *end) {
  indent++;
  print_list(n, in);
  indent--;
  line("%s", end);
}

static const char *var(int id) {
  static char text[4][16];
  static int at;
  char *s = text[at++ % 4];
  if (id) snprintf(s, 16, "v%d[1]", id);
  else strcpy(s, "x");
  return s;
}

static const char *call(const Fn *f, const Fn *in, const char *arg) { // as an int
  static char text[4][64];
  static int at;
  char *s = text[at++ % 4];
  const char *atomic = f->async && !in->async ? "atomic " : "";
  if (f->returns == INT) snprintf(s, 64, "%sf%d(%s)", atomic, f->id, arg);
  else if (f->returns == STRUCT) snprintf(s, 64, "(%sf%d(%s)).v", atomic, f->id, arg);
  else snprintf(s, 64, "(%sf%d(%s), 7)", atomic, f->id, arg);
  return s;
}

static void print_call(const Node *n, const Fn *in) {
  char arg[8];
  snprintf(arg, sizeof arg, "%d", n->k);
  const char *f = call(n->f, in, arg), *g = call(n->g, in, arg), *v = var(n->var);
  switch (n->how) {
  case 0: line("%s = %s;", v, f); break;
  case 1: line("%s = %s + %s;", v, f, g); break;
  case 2: line("%s += %s;", v, f); break;
  case 3: line("if (%s > 3 && %s > 2) T(%d, 1);", f, g, n->id); break;
  case 4:
    if (n->f->async && in->async) line("{ auto t = spawn f%d(%s); await t; }", n->f->id, arg);
    else line("(void)%s;", f);
    break;
  case 5:
    if (n->f->async && in->async) line("{ auto t = spawn f%d(%s); fm_pause(fm_id(t)); yield; fm_resume(fm_id(t)); await t; }", n->f->id, arg);
    else line("(void)%s;", f);
    break;
  case 6:
    if (in->async) line("scope (s%d) { fm_cancel_after(s%d, 1000000); %s = %s; }", n->id, n->id, v, f);
    else line("%s = %s;", v, f);
    break;
  default: line("T(%d, %s);", n->id, f); break;
  }
}

static void print_race(const Node *n, const Fn *in) {
  line("race {");
  for (int i = 0; i < 3; i++) {
    if (i != n->how) {
      line("case fm_sleep(1000000): T(%d, -1);", n->id);
      continue;
    }
    if (n->f->returns == INT) line("case %s = f%d(%d): {", var(n->var), n->f->id, n->k);
    else line("case f%d(%d): {", n->f->id, n->k);
    braces(n->a, in, "}");
  }
  line("}");
}

static void print_scope(const Node *n, const Fn *in) {
  if (n->how) line("scope (s%d) {", n->id);
  else line("scope {");
  braces(n->a, in, n->how ? "} else {" : "}");
  if (n->how) braces(n->b, in, "}");
}

static void print_return(const Node *n, const Fn *in) {
  static const char *const form[] = {[VOID] = "return;", [INT] = "return %s;", [STRUCT] = "return (struct R){.v = %s};"};
  const char *v = var(n->var);
  if (!n->g) line(form[in->returns], v);
  else if (in->returns == VOID) { line("{ f%d(%s); return; }", n->g->id, v); }
  else line("return f%d(%s);", n->g->id, v);
}

static void print_loop(const Node *n, const Fn *in) {
  int i = n->id;
  switch (n->how) {
  case 0: line("for (int i%d = 0; i%d < %d; i%d++) {", i, i, n->k, i); break;
  case 1: line("int i%d = 0;", i); line("while (i%d++ < %d) {", i, n->k); break;
  case 2: line("int i%d = 0;", i); line("do {"); break;
  default: line("for (int i%d = 0; i%d < %s; i%d++) {", i, i, in->async ? n->k == 1 ? "later(1)" : n->k == 2 ? "later(2)" : "later(3)" : n->k == 1 ? "1" : n->k == 2 ? "2" : "3", i); break;
  }
  if (n->how == 2) {
    char end[40];
    snprintf(end, sizeof end, "} while (++i%d < %d);", i, n->k);
    braces(n->a, in, end);
  } else {
    braces(n->a, in, "}");
  }
}

static void print_try(const Node *n, const Fn *in) {
  line("try {");
  braces(n->a, in, "}");
  for (int i = 0; i < n->ncatches; i++) {
    if (n->takes[i] == ANY) line("catch (fm_error *e) { T(%d, fm_error_name(e)[0]);", n->id);
    else line("catch (struct E%d e) { T(%d, e.v);", n->takes[i], n->id);
    braces(n->c[i], in, "}");
  }
  if (n->b) {
    line("finally {");
    braces(n->b, in, "}");
  }
}

static void print_switch(const Node *n, const Fn *in) {
  line("switch (cond(4)) {");
  for (int i = 0; i < NCATCH; i++) {
    line("case %d: {", i);
    braces(n->c[i], in, n->takes[i] ? "} __attribute__((fallthrough));" : "} break;");
  }
  line("default: T(%d, 0);", n->id);
  line("}");
}

static void print(const Node *n, const Fn *in) {
  switch (n->kind) {
  case SHOW: line("T(%d, %s);", n->id, var(n->var)); break;
  case SET: line("%s = %s * 3 %% 101 + %d;", var(n->var), var(n->var), n->k); break;
  case TOUCH: line("touch(&%s);", var(n->var)); break;
  case YIELD: line("yield;"); break;
  case BLOCK: line("{"); braces(n->a, in, "}"); break;
  case DECLARE:
    if (n->how == 3) line("int v%d[cond(1) + 2]; v%d[1] = %s;", n->id, n->id, var(n->var));
    else line("%sint v%d[2] = {1, %s};", n->how == 2 ? "volatile " : "", n->id, var(n->var));
    break;
  case IF:
    line("if (cond(2)) {");
    braces(n->a, in, n->b ? "} else {" : "}");
    if (n->b) braces(n->b, in, "}");
    break;
  case LOOP: print_loop(n, in); break;
  case SWITCH: print_switch(n, in); break;
  case BREAK: line("break;"); break;
  case CONTINUE: line("continue;"); break;
  case GOTO: line("if (again%d-- > 0) goto L%d;", n->k, n->k); break;
  case LABEL: line("L%d: T(%d, 0);", n->id, n->id); break;
  case RETURN: print_return(n, in); break;
  case THROW: line("throw (struct E%d){.v = %s};", n->how, var(n->var)); break;
  case RETHROW: line("throw;"); break;
  case TRY: print_try(n, in); break;
  case DEFER:
    line("T(%d, 0);", n->id);
    line("defer {");
    braces(n->a, in, "}");
    break;
  case CALL: print_call(n, in); break;
  case ATOMIC: line("atomic {"); braces(n->a, in, "}"); break;
  case SHIELD: line("shield {"); braces(n->a, in, "}"); break;
  case SCOPE: print_scope(n, in); break;
  case CANCEL: line("fm_cancel(s%d), fm_checkpoint();", n->k); break;
  case RACE: print_race(n, in); break;
  case STMT_EXPR:
    line("%s = ({", var(n->var));
    indent++;
    print_list(n->a, in);
    line("%s + 1;", var(n->var));
    indent--;
    line("});");
    break;
  }
}

static void print_list(const Node *n, const Fn *in) {
  for (; n; n = n->next) print(n, in);
}

static void print_counters(const Node *n) {       // how often each goto may still jump
  for (; n; n = n->next) {
    if (n->kind == LABEL) line("int again%d = 2;", n->id);
    print_counters(n->a);
    print_counters(n->b);
    for (int i = 0; i < NCATCH; i++) print_counters(n->c[i]);
  }
}

static void print_function(const Fn *f) {
  static const char *const types[] = {"void", "int", "struct R"};
  line("static %s%s f%d(int n) throws(struct E0, struct E1, struct E2) {", f->async ? "async " : "", types[f->returns], f->id);
  indent++;
  line("int x = n;");
  print_counters(f->body);
  print_list(f->body, f);
  indent--;
  line("}\n");
}

static const char prelude[] =
"#include <fermata.h>\n"
"#include <fermata/time.h>\n"
"struct E0 { int v; };\n"
"struct E1 { char pad[300]; int v; };\n"
"struct E2 { unsigned a : 3; const int v; };\n"
"struct R { int pad[7], v; };\n"
"static unsigned r;\n"
"static int cond(unsigned n) { r = r * 1103515245u + 12345u; return (int)((r >> 16) % n); }\n"
"static void T(int id, int v) { printf(\"%d %d\\n\", id, v); }\n"
"static void touch(volatile int *p) { *p = (*p + 5) % 97; }\n"
"__attribute__((unused)) static async int later(int v) { yield; return v; }\n\n";

static const char ending[] =
"static async int start(int mode) throws(fm_error) {\n"
"  if (mode == 1) return atomic f%d(1);\n"
"  if (mode == 2) { task(int) t = spawn f%d(1); return await t; }\n"
"  return f%d(1);\n"
"}\n"
"async int main(void) {\n"
"  for (int mode = 0; mode < 3; mode++) {\n"
"    r = %uu;\n"
"    try { T(-1, start(mode)); }\n"
"    catch (struct E0 e) { T(-2, e.v); }\n"
"    catch (struct E1 e) { T(-3, e.v); }\n"
"    catch (struct E2 e) { T(-4, e.v); }\n"
"    catch (fm_error *e) { fm_error_print(e, stdout); }\n"
"  }\n"
"}\n";

static void print_program(unsigned r) {
  fputs(prelude, stdout);
  for (int i = 0; i < nfns; i++) print_function(&fns[i]);
  int last = nfns - 1;
  printf(ending, last, last, last, r);
}

// ---- running it ----
enum How { ON, BREAKS, CONTINUES, JUMPS, RETURNS, FAILS, CANCELS };
// JUMPS: to label k; RETURNS: v; FAILS: with v, of kind k; CANCELS: scope k, and if it carries an error: with v, of that kind
typedef struct Way { enum How how; int k, v; bool carries; int kind; } Way;

typedef struct Frame { int *vars, *again; } Frame;

static unsigned r;
static int steps, lines_out, calls;
static bool show_trace;
enum { MANY = 4000 };

static int cond(unsigned n) {
  r = r * 1103515245u + 12345u;
  return (int)((r >> 16) % n);
}

static void trace(int id, int v) {
  steps++;
  lines_out++;
  if (show_trace) printf("%d %d\n", id, v);
}

static Way run_list(const Node *n, Frame *f, Way caught, int *value, int var);
static Way run(const Node *n, Frame *f, Way caught);

static const Way on = {ON, 0, 0, false, 0};

static Way run_block(const Node *n, Frame *f, Way caught) { return run_list(n, f, caught, NULL, 0); }

static Way run_call(const Fn *fn, int arg) {      // RETURNS or FAILS
  Frame f = {calloc((size_t)nids + 1, sizeof(int)), calloc((size_t)nids + 1, sizeof(int))};
  f.vars[0] = arg;
  for (int i = 0; i <= nids; i++) f.again[i] = 2;
  calls++;
  Way w = run_block(fn->body, &f, on);
  if (w.how == RETURNS && fn->returns == VOID) w.v = 7;
  free(f.vars);
  free(f.again);
  return w;
}

static Way do_call(const Node *n, Frame *f) {
  Way a = run_call(n->f, n->k), b;
  int *v = &f->vars[n->var];
  if (a.how == FAILS) return a;
  switch (n->how) {
  case 0: *v = a.v; break;
  case 1:
    b = run_call(n->g, n->k);
    if (b.how == FAILS) return b;
    *v = a.v + b.v;
    break;
  case 2: *v += a.v; break;
  case 3:
    if (a.v <= 3) break;
    b = run_call(n->g, n->k);
    if (b.how == FAILS) return b;
    if (b.v > 2) trace(n->id, 1);
    break;
  case 4: case 5: break;
  case 6: *v = a.v; break;
  default: trace(n->id, a.v); break;
  }
  return on;
}

static Way do_race(const Node *n, Frame *f, Way caught) {
  Way w = run_call(n->f, n->k);
  if (w.how == FAILS) return w;
  if (n->f->returns == INT) f->vars[n->var] = w.v;
  w = run_block(n->a, f, caught);
  return w.how == BREAKS ? on : w;
}

static Way do_scope(const Node *n, Frame *f, Way caught) {
  Way w = run_block(n->a, f, caught);
  if (w.how != CANCELS || w.k != n->id) return w;
  return w.carries ? (Way){FAILS, w.kind, w.v, false, 0} : run_block(n->b, f, caught);
}

// What finally or defer leaves behind; an error of theirs does not stop a cancel, which carries it to the end of its scope.
static Way after_cleanup(Way w, Way last) {
  if (last.how == ON) return w;
  return w.how == CANCELS && last.how == FAILS ? (Way){CANCELS, w.k, last.v, true, last.k} : last;
}

static Way do_loop(const Node *n, Frame *f, Way caught) {
  for (int i = 0; i < n->k; i++) {
    Way w = run_block(n->a, f, caught);
    if (w.how == BREAKS) break;
    if (w.how != ON && w.how != CONTINUES) return w;
  }
  return on;
}

static Way do_switch(const Node *n, Frame *f, Way caught) {
  int i = cond(4);
  for (; i < NCATCH; i++) {
    Way w = run_block(n->c[i], f, caught);
    if (w.how == BREAKS) return on;
    if (w.how != ON) return w;
    if (!n->takes[i]) return on;
  }
  trace(n->id, 0);
  return on;
}

static Way do_try(const Node *n, Frame *f, Way caught) {
  Way w = run_block(n->a, f, caught);
  for (int i = 0; i < n->ncatches && w.how == FAILS; i++) {
    if (n->takes[i] != ANY && n->takes[i] != w.k) continue;
    trace(n->id, n->takes[i] == ANY ? 'E' : w.v);
    w = run_block(n->c[i], f, w);
    break;
  }
  if (n->b) {
    w = after_cleanup(w, run_block(n->b, f, on));
  }
  return w;
}

static Way run(const Node *n, Frame *f, Way caught) {
  int *v = &f->vars[n->var];
  if (++steps > MANY) return (Way){FAILS, 0, 0, false, 0};
  switch (n->kind) {
  case SHOW: trace(n->id, *v); break;
  case SET: *v = *v * 3 % 101 + n->k; break;
  case TOUCH: *v = (*v + 5) % 97; break;
  case BLOCK: return run_block(n->a, f, caught);
  case DECLARE:
    if (n->how == 3) cond(1);
    f->vars[n->id] = *v;
    break;
  case IF: return cond(2) ? run_block(n->a, f, caught) : run_block(n->b, f, caught);
  case LOOP: return do_loop(n, f, caught);
  case SWITCH: return do_switch(n, f, caught);
  case BREAK: return (Way){BREAKS, 0, 0, false, 0};
  case CONTINUE: return (Way){CONTINUES, 0, 0, false, 0};
  case GOTO: return f->again[n->k]-- > 0 ? (Way){JUMPS, n->k, 0, false, 0} : on;
  case LABEL: trace(n->id, 0); break;
  case RETURN: return n->g ? run_call(n->g, *v) : (Way){RETURNS, 0, *v, false, 0};
  case THROW: return (Way){FAILS, n->how, *v, false, 0};
  case RETHROW: return caught;
  case TRY: return do_try(n, f, caught);
  case CALL: return do_call(n, f);
  case ATOMIC: case SHIELD: return run_block(n->a, f, caught);
  case SCOPE: return do_scope(n, f, caught);
  case CANCEL: return (Way){CANCELS, n->k, 0, false, 0};
  case RACE: return do_race(n, f, caught);
  case STMT_EXPR: {
    int value;
    Way w = run_list(n->a, f, caught, &value, n->var);
    if (w.how != ON) return w;
    *v = value;
  }
  }
  return on;
}

// A block. `value`: of a statement expression, the last one of which is var + 1.
static Way run_list(const Node *first, Frame *f, Way caught, int *value, int var) {
  const Node *deferred[40], *n = first;
  int count = 0;
  Way w = on;
  for (;;) {
    for (; n && w.how == ON; n = n->next) {
      if (n->kind == DEFER) {
        trace(n->id, 0);
        if (count < 40) deferred[count++] = n;
      } else {
        w = run(n, f, caught);
      }
    }
    if (w.how == ON && value) *value = f->vars[var] + 1;
    const Node *label = w.how == JUMPS ? first : NULL;
    while (label && !(label->kind == LABEL && label->id == w.k)) label = label->next;
    while (count) {                               // in these programs no defer stands before a label
      count--;
      w = after_cleanup(w, run_block(deferred[count]->a, f, on));
    }
    if (!label || w.how != JUMPS) return w;
    w = on;
    n = label;
  }
}

static void run_program(unsigned seed) {
  for (int mode = 0; mode < 3; mode++) {
    r = seed;
    Way w = run_call(&fns[nfns - 1], 1);
    if (w.how == FAILS) trace(-2 - w.k, w.v);
    else trace(-1, w.v);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: leave SEED [expected]\n");
    return 2;
  }
  unsigned seed = (unsigned)strtoul(argv[1], NULL, 10), start;
  state = seed * 7919ull + 17;
  do {                                            // one that ends soon, but not at once
    make();
    start = rnd(1u << 30);
    steps = lines_out = 0;
    run_program(start);
  } while (steps > MANY || lines_out < 30);
  show_trace = true;
  steps = 0;
  if (argc > 2) run_program(start);
  else print_program(start);
  return 0;
}
