// gen.c: gen SEED [SIZE] prints a random program, the same one each time, that is Fermata, or plain C with -DPLAIN, and
// means the same in both. README.md says more; gen.h has the plan.
#include "gen.h"

Fn fns[64];
int nfns, nself;
Fn *self, *peer;
double mult, cost, limit;
int budget, nlogs, nlabels;
bool may_spawn;

char *parameters(const Fn *f, bool named) {
  char *s = fmt("%s", f->shared ? "struct ctx *q" : "");
  if (f->recursive) s = fmt("%s%su32 n", s, *s ? ", " : "");
  for (int k = 0; k < f->nparams; k++)
    s = fmt("%s%s%s%s%s", s, *s ? ", " : "", type_name(f->params[k]), named ? " " : "", named ? fmt("p%d", k) : "");
  return *s ? s : fmt("void");
}

static char *heading(const Fn *f) {
  return fmt("%sASYNC %s %s(%s)", f->name[0] == 's' ? "static " : "", type_name(f->ret), f->name, parameters(f, true));
}

static void choose_signature(Fn *f, int k) {
  f->shared = chance(55);
  f->recursive = chance(20);
  snprintf(f->name, sizeof f->name, "%s%d", chance(50) ? "sf" : "f", k);
  f->ret = chance(8) && f->shared ? T_P : chance(10) ? T_VOID : chance(35) ? T_U : value_type();
  f->nparams = chance(15) ? 7 + (int)rnd(3) : (int)rnd(4);
  for (int i = 0; i < f->nparams; i++) f->params[i] = chance(20) ? T_P : chance(8) ? T_FN : value_type();
  if (f->ret == T_VOID && !f->shared) f->ret = T_I;
  f->cost = 1;
}

static void begin(Fn *f) {
  self = f;
  nvars = scope_depth = 0;
  begin_exits(f->name[0] == 'e');
  acc = forbid = (Effect){0, 0};
  mult = cost = 1;
  for (int k = 0; k < f->nparams; k++) {
    Var *v = add_var(f->params[k], false);
    snprintf(v->name, sizeof v->name, "p%d", k);
    if (v->type == T_P) { v->target = PARAM; v->extent = 1; v->is_const = true; }
  }
  line("%s {", heading(f));
  indent++;
  if (!f->shared) line("u32 mixed = 1;");
}

static void final_return(const Fn *f) {
  log_vars(0);
  if (!f->shared && f->ret < T_INTS && f->ret != T_BOOL) line("if (mixed & 3) return (%s)mixed;", type_name(f->ret));
  if (f->ret == T_VOID) { if (!f->shared) line("(void)mixed;"); return; }
  char *tail = f->ret < T_VALUES && chance(50) ? call(f->ret, 2) : NULL;
  if (f->ret == T_P) line("return %s;", f->nparams && f->params[0] == T_P ? "p0" : "q->g");
  else if (f->ret == T_S && !f->shared) line("return (struct S){mixed, %s};", constant(T_I));
  else if (f->ret == T_B && !f->shared) line("return (struct B){.v = {[4] = mixed}};");
  else line("return %s;", tail ? tail : expr(f->ret, 2));
}

static void function_body(Fn *f, Fn *other, int size) {
  peer = f->recursive ? other : NULL;
  nself = 2;
  begin(f);
  limit = f->shared ? 1500 : 400;
  budget = size * 8;
  stmts(3 + (int)rnd(4), 4);
  final_return(f);
  indent--;
  line("}\n");
}

static double depth_factor(const Fn *f) { return f->recursive ? 20 : 1; }

static void functions(int size) {
  int n = 4 + size / 8;
  for (int k = 0; k < n; k++) {
    Fn *f = &fns[nfns];
    choose_signature(f, k);
    nfns++;
    if (f->recursive && chance(50)) {             // two that call each other
      Fn *g = &fns[nfns++];
      *g = *f;
      snprintf(g->name, sizeof g->name, "%s%dx", chance(50) ? "sf" : "f", k);
      line("%s;", heading(g));
      function_body(f, g, size);
      double c = cost;
      function_body(g, f, size);
      f->cost = g->cost = (c + cost) * depth_factor(f);
    } else {
      function_body(f, f, size);
      f->cost = cost * depth_factor(f);
    }
    may_spawn = true;
  }
}

static void entry(int size) {
  static Fn f = {.name = "entry", .ret = T_U, .shared = true};
  peer = NULL;
  begin(&f);
  limit = 30000;
  budget = size * 30;
  for (int k = 0; k < nfns; k++) {
    char *c = call_of(&fns[k], 2, false);
    if (!c) continue;
    switch (fns[k].ret) {
    case T_VOID: line("%s;", c); break;
    case T_P: line("LOG(%d, *%s);", ++nlogs, c); break;
    case T_FLT: case T_DBL: line("LOG(%d, di(%s));", ++nlogs, c); break;
    case T_S: case T_B: case T_X: case T_F: line("LOG(%d, mix%s(%s));", ++nlogs, type_tag(fns[k].ret), c); break;
    default: line("LOG(%d, %s);", ++nlogs, c);
    }
    stmts(1 + (int)rnd(3), 4);
    acc = (Effect){0, 0};
  }
  final_return(&f);
  indent--;
  line("}");
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: gen SEED [SIZE]\n");
    return 2;
  }
  Buf text = {0};
  int size = argc > 2 ? atoi(argv[2]) : 16;
  out = &text;
  seed_random(strtoull(argv[1], NULL, 10));
  functions(size);
  entry(size);
  print_prelude();
  printf("%s", text.at);
  print_main(chance(30));
  return 0;
}
