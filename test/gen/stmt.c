// stmt.c: random declarations and statements.
#include "gen.h"

int njumps_off, nloops, nbreaks;                  // > 0: no jump may leave; `continue`, `break` are possible

void block(int n, int depth) {
  scope_open();
  indent++;
  int first = nvars;
  stmts(n, depth);
  if (chance(30)) log_vars(first);
  indent--;
  scope_close();
}

// ---- using what variables hold ----
static char *value_of(const Var *v) {             // as a number
  char *e = fmt("%s", v->name);
  if (v->n) e = fmt("%s[%u]", e, rnd((unsigned)v->n));
  if (v->m) e = fmt("%s[%u]", e, rnd((unsigned)v->m));
  switch (v->type) {
  case T_FLT: case T_DBL: return fmt("di(%s)", e);
  case T_S: case T_B: case T_X: case T_F: return fmt("mix%s(%s)", type_tag(v->type), e);
  case T_P: return fmt("%s[%d]", e, v->extent - 1);
  case T_SP: return fmt("%s->b", e);
  case T_LOCAL: return fmt("%s.a", e);
  case T_FN: return fmt("(%s == neg_u)", e);
  default: return e;
  }
}

static bool may_use(const Var *v) { return visible(v) && can_read(v->bit | v->target); }

void log_vars(int from) {
  if (self->shared && (!can_write(G) || !can_read(G))) return;
  for (int i = from < 0 ? 0 : from; i < nvars; i++) {
    if (!may_use(&vars[i])) continue;
    acc.r |= vars[i].bit | vars[i].target;
    if (self->shared) line("LOG(%d, %s);", ++nlogs, value_of(&vars[i]));
    else if (can_write(PARAM << 1)) line("mixed = mixed * 33u + (u32)%s;", value_of(&vars[i]));
  }
  acc.r |= G;                                     // or `mixed`
  acc.w |= G;
}

static const char *pausing(void) {                // a wrapper that may pause, for u32
  static const char *const f[] = {"lf_u", "mb_u", "tl_u", "qu_u", "", ""};
  return f[rnd(6)];
}

// ---- declarations ----
static void declare_scalar(int depth) {
  int t = scalar_type();
  Var v = *add_var(t, true);
  nvars--;
  hide(v.name);
  char *e = expr(t, depth);
  unhide();
  v.is_const = chance(12);
  v.is_volatile = !v.is_const && chance(10);
  if (!v.is_const && !v.is_volatile && chance(15)) {
    line("%s %s;", type_name(t), v.name);
    Var *w = &vars[nvars++];
    *w = v;
    w->is_const = true;                           // not yet to be written or read by its own first value
    line("%s = %s;", v.name, chance(50) ? constant(t) : fmt("%s", e));
    w->is_const = false;
    // e was made while the name was hidden: an outer variable of that name does not occur in it
    return;
  }
  line("%s%s %s = %s;", v.is_const ? "const " : v.is_volatile ? "volatile " : "", type_name(t), v.name, e);
  vars[nvars++] = v;
}

static char *elements(int t, int n, int depth) {
  char *s = fmt("%s", "");
  Iso i = iso_open();
  int k = 1 + (int)rnd((unsigned)n);
  for (int j = 0; j < k; j++) {
    char *e = j < 3 ? expr(t, depth - 1) : constant(t);
    iso_next(&i);
    s = fmt("%s%s%s", s, j ? ", " : "", e);
  }
  iso_close(&i);
  return s;
}

static void declare_array(int depth) {
  int t = chance(50) ? T_U : chance(75) ? scalar_type() : T_S;
  Var v = *add_var(t, true);
  nvars--;
  v.n = 2 + (int)rnd(5);
  v.m = chance(25) ? 2 + (int)rnd(2) : 0;
  hide(v.name);
  char *dims = v.m ? fmt("[%d][%d]", v.n, v.m) : fmt("[%d]", v.n);
  if (t == T_S && !v.m) line("struct S %s%s = {%s, [1].b = %s};", v.name, dims, initialiser(T_S, depth - 1), constant(T_I));
  else if (t == T_S) line("struct S %s%s = {{{1, 2}}};", v.name, dims);
  else if (chance(70)) line("%s %s%s = {%s%s%s};", type_name(t), v.name, dims, v.m ? "{" : "", elements(t, v.m ? v.m : v.n, depth), v.m ? "}" : "");
  else {
    line("%s %s%s;", type_name(t), v.name, dims);
    char *i = fmt("i%d", ++nlabels);
    if (v.m) line("for (int %s = 0; %s < %d; %s++) %s[%s / %d][%s %% %d] = %s;", i, i, v.n * v.m, i, v.name, i, v.m, i, v.m, constant(t));
    else line("for (int %s = 0; %s < %d; %s++) { %s%s[%s] = %s; }", i, i, v.n, i, chance(30) ? "PAUSE; " : "", v.name, i, constant(t));
  }
  unhide();
  vars[nvars++] = v;
}

static void declare_struct(int depth) {
  int t = T_S + (int)rnd(4);
  Var v = *add_var(t, true);
  nvars--;
  hide(v.name);
  char *e = chance(50) ? initialiser(t, depth - 1) : expr(t, depth);
  unhide();
  v.is_const = chance(12);
  line("%s%s %s = %s;", v.is_const ? "const " : "", type_name(t), v.name, e);
  vars[nvars++] = v;
}

static bool target_u(const Var *v) {
  return v->type == T_U && !v->is_const && !v->is_volatile && !v->fixed && can_read(v->bit) && can_write(v->bit);
}
static bool target_s(const Var *v) { return v->type == T_S && !v->n && !v->is_const && !v->is_volatile && can_read(v->bit) && can_write(v->bit); }

static void declare_pointer(void) {
  Var *x = pick_var(chance(70) ? target_u : target_s);
  if (!x) return;
  Var *p = add_var(x->type == T_U ? T_P : T_SP, true);
  if (!visible(x)) { nvars--; return; }           // hidden by the pointer itself
  p->target = x->bit;
  p->is_const = true;
  p->extent = x->type == T_U && x->n ? (x->m ? x->m : x->n) : 1;
  char *row = x->m ? fmt("[%u]", rnd((unsigned)x->n)) : fmt("%s", "");
  line("%s%s%s = %s%s%s;", type_name(p->type), chance(50) ? "const " : "", p->name, x->n ? "" : "&", x->name, row);
}

static void declare_local_type(int depth) {
  char tag = (char)('a' + rnd(2));
  Var v = *add_var(T_LOCAL, true);
  nvars--;
  hide(v.name);
  char *e = expr(T_U, depth);
  unhide();
  int id = ++nlabels;
  switch (rnd(5)) {
  case 0: line("struct L%c%d { u32 a; short b; } %s = {%s, 3};", tag, id, v.name, e); break;
  case 1: line("typedef struct { double y[2]; u32 a; } L%c%d; L%c%d %s = {.a = %s};", tag, id, tag, id, v.name, e); break;
  case 2: line("union L%c%d { u8 c[4]; u32 a; } %s = {.a = %s};", tag, id, v.name, e); break;
  case 3: line("enum { K%d = %u, M%d }; struct { u32 a, z[M%d]; } %s = {%s + K%d, {0}};", id, 1 + rnd(5), id, id, v.name, e, id); break;
  default: line("struct { u32 a; struct { u8 x; union { u16 h; u8 k; }; }; } %s = {.h = 7, .a = %s};", v.name, e); break;
  }
  vars[nvars++] = v;
}

static void declare_shadowed_tag(int depth) {     // the same tag, another struct
  line("{");
  scope_open();
  indent++;
  line(chance(50) ? "struct T { u32 a; char x[3]; };" : "struct T { double x; u32 a; };");
  Var *v = add_var(T_LOCAL, true);
  line("struct T %s = {.a = %s};", v->name, constant(T_U));
  stmts(2, depth - 1);
  line("{");
  line("  struct T { u32 z[5], a; } y = {.a = %s}, *yp = &y;", constant(T_U));
  line("  MAYBE; yp->a += 3u; PAUSE;");
  if (visible(v) && strcmp(v->name, "y")) line("  %s.a += y.a + (u32)sizeof(struct T);", v->name);
  line("}");
  acc.w |= v->bit;
  log_vars(nvars - 1);
  indent--;
  scope_close();
  line("}");
}

static void declare_static(void) {
  int id = ++nlabels;
  if (self->shared && can_read(G) && can_write(G) && chance(70)) {
    Var *v = add_var(T_U, false);
    v->bit = G;
    v->n = 0;
    char *base = fmt("%s", v->name);
    nvars--;                                      // reached through its own statement only: one element for each instance
    line("static %s %s[3] = {%u, %u, %u};", chance(50) ? "u32" : "s64", base, 7, 7, 7);
    line("%s[q->id] += %uu;", base, 1 + rnd(9));
    line("LOG(%d, %s[q->id]);", ++nlogs, base);
    acc.r |= G;
    acc.w |= G;
    return;
  }
  Var *v = add_var(T_U, true);
  v->n = 4;
  v->is_const = v->is_static = true;
  if (chance(50)) line("static const u32 %s[4] = {%u, %u, sizeof(struct B), %u};", v->name, rnd(99), rnd(99), rnd(99));
  else line("static u32 w%d, %s[4] = {%u, [2] = %u}; (void)&w%d;", id, v->name, rnd(99), rnd(99), id);
}

static void declare_function_pointer(int depth) {
  Var v = *add_var(T_FN, true);
  nvars--;
  hide(v.name);
  if (chance(40)) {
    v.n = 2;
    line("%sfn %s[2] = {%s, %s};", chance(30) ? "static const " : "", v.name, chance(50) ? "lf_u" : "neg_u", "mb_u");
    v.is_const = v.is_static = true;
  } else if (chance(50)) {
    line("fn %s = %s;", v.name, expr(T_FN, depth - 1));
  } else {
    line("ASYNC u32 (*%s)(u32) = %s;", v.name, expr(T_FN, depth - 1));
  }
  unhide();
  vars[nvars++] = v;
}

static void declare_several(int depth) {
  Var *a = add_var(T_U, false), *b = add_var(T_U, false), *p = add_var(T_P, false);
  nvars -= 3;
  Var va = *a, vb = *b, vp = *p;
  char *x = expr(T_U, depth - 1);
  vars[nvars++] = va;
  char *y = expr(T_U, depth - 1);
  vars[nvars++] = vb;
  vp.target = va.bit;
  vp.extent = 1;
  vp.is_const = true;
  vars[nvars++] = vp;
  line("u32 %s = %s, %s = %s, *%s = &%s;", va.name, x, vb.name, y, vp.name, va.name);
}

static void declare_vla(void) {
  Var *v = add_var(T_U, false);
  v->n = 2 + (int)rnd(3);
  v->is_vla = true;
  line("u32 %s[%s(%du)];", v->name, pausing(), v->n);
  line("for (u32 i = 0; i < %du; i++) %s[i] = %s;", v->n, v->name, constant(T_U));
}

void declare(int depth) {
  switch (rnd(17)) {
  case 11: declare_vla(); break;
  case 0: case 1: case 2: declare_array(depth); break;
  case 3: case 4: declare_struct(depth); break;
  case 5: case 6: declare_pointer(); break;
  case 7: declare_local_type(depth); break;
  case 8: declare_static(); break;
  case 9: declare_function_pointer(depth); break;
  case 10: declare_several(depth); break;
  default: declare_scalar(depth); break;
  }
}

// ---- loops: each runs at most N times ----
static void body(int times, int depth) {
  double keep = mult;
  mult *= times;
  nloops++;
  nbreaks++;
  block(1 + (int)rnd(4), depth - 1);
  nloops--;
  nbreaks--;
  mult = keep;
}

static void for_loop(int depth) {
  unsigned n = 1 + rnd(3);
  scope_open();
  Var *v = add_var(T_U, false);
  v->fixed = true;
  char *i = fmt("%s", v->name);
  switch (rnd(5)) {
  case 0: line("for (u32 %s = %s(0u); %s < %s(%uu); %s += %s(1u)) {", i, pausing(), i, pausing(), n, i, pausing()); break;
  case 1: line("for (u32 %s = 0, z = %s(%uu); %s(%s) < z; %s++) {", i, pausing(), n, pausing(), i, i); break;
  case 2: line("u32 %s;", i); line("for (%s = %s(0u); ; %s++) {", i, pausing(), i); line("  if (%s >= %uu) break;", i, n); break;
  case 3: line("for (u32 %s = 0; %s < %uu && %s(%s + 1u); bump(&%s, 0u), %s++) {", i, i, n, pausing(), i, i, i); break;
  default: line("for (u32 %s = 0; %s < %uu; %s++) {", i, i, n, i); break;
  }
  body((int)n, depth);
  line("}");
  scope_close();
}

static void while_loop(int depth) {
  unsigned n = 1 + rnd(3);
  line("{");
  scope_open();
  indent++;
  Var *v = add_var(T_U, false);
  v->fixed = true;
  char *i = fmt("%s", v->name);
  if (chance(50)) {
    line("u32 %s = %s(%uu);", i, pausing(), n);
    line("while (%s-- > %s(0u)) {", i, pausing());
    body((int)n, depth);
    line("}");
  } else {
    line("%su32 %s = 0;", chance(20) ? "volatile " : "", i);
    line("do {");
    body((int)n, depth);
    line("} while (++%s < %s(%uu));", i, pausing(), n);
  }
  indent--;
  scope_close();
  line("}");
}

static bool u_array(const Var *v) { return v->type == T_U && v->n && !v->m && !v->is_const && can_read(v->bit) && can_write(v->bit); }

static void pointer_loop(int depth) {
  Var *a = pick_var(u_array);
  if (!a) return;
  char *name = fmt("%s", a->name);
  int n = a->n;
  uint64_t bit = a->bit;
  scope_open();
  Var *p = add_var(T_P, false);
  p->target = bit;
  p->extent = 1;
  p->is_const = true;
  acc.r |= bit;
  acc.w |= bit;
  line("for (u32 *%s = %s; %s != %s + %d; %s%s) {", p->name, name, p->name, name, n, p->name, chance(50) ? "++" : " += lf_u(1u)");
  body(n, depth);
  line("}");
  scope_close();
}

// ---- switch ----
static void case_body(int depth) {
  line("{");
  block(1 + (int)rnd(2), depth - 1);
  line("}");
}

static void end_case(bool last) {
  if (last || chance(60)) line("  break;");
  else line("  __attribute__((fallthrough));");
}

static void plain_switch(int depth) {
  int t = chance(60) ? T_U : int_type();
  int n = 2 + (int)rnd(3);
  if (t == T_BOOL) t = T_U8;
  line("switch (%s %% 6) {", expr(t, depth));
  nbreaks++;
  bool has_default = chance(60), range = chance(30);
  for (int k = 0; k < n; k++) {
    if (k == 1 && has_default && chance(50)) { line("default:"); has_default = false; }
    line("case %d:", k);
    case_body(depth);
    end_case(k == n - 1 && !range && !has_default);
  }
  if (range) { line("case %d ... 8:", n); case_body(depth); end_case(!has_default); }
  if (has_default) { line("default:"); case_body(depth); line("  break;"); }
  nbreaks--;
  line("}");
}

static void duff(int depth) {
  double keep = mult;
  line("{");
  scope_open();
  indent++;
  Var *v = add_var(T_U, false);
  v->fixed = true;
  char *i = fmt("%s", v->name);
  line("u32 %s = 0;", i);
  line("switch (%s & 3) {", expr(T_U, depth));
  mult *= 3;
  nloops++;
  nbreaks++;
  line("case 0:");
  line("  do {");
  case_body(depth);
  line("    __attribute__((fallthrough));");
  line("case 1:");
  case_body(depth);
  line("    __attribute__((fallthrough));");
  line("case 2:;");
  case_body(depth);
  line("  } while (%s(++%s) < 3u);", pausing(), i);
  nloops--;
  line("  break;");
  line("default: ;");
  nbreaks--;
  line("}");
  mult = keep;
  indent--;
  scope_close();
  line("}");
}

// ---- jumps ----
static void forward_goto(int depth) {             // out of nested blocks
  int l = ++nlabels;
  line("{");
  line("  {");
  block(1, depth - 1);
  line("  }");
  line("  if (%s) { { goto L%d; } }", condition(depth - 1), l);
  line("  {");
  scope_open();
  stmts(2, depth - 1);
  line("    if (%s) goto L%d;", condition(depth - 1), l);
  scope_close();
  line("  }");
  line("  {");
  block(1, depth - 1);
  line("  }");
  line("}");
  line("L%d:;", l);
}

static void backward_goto(int depth) {
  int l = ++nlabels, n = 1 + (int)rnd(2);
  double keep = mult;
  line("{");
  scope_open();
  indent++;
  Var *v = add_var(T_U, false);
  v->fixed = true;
  char *i = fmt("%s", v->name);
  line("u32 %s = 0;", i);
  line("L%d:", l);
  mult *= n + 1;
  line("{");
  block(2, depth - 1);
  line("  if (%s(%s++) < %du) goto L%d;", pausing(), i, n, l);
  line("}");
  mult = keep;
  indent--;
  scope_close();
  line("}");
}

static void goto_into_loop(int depth) {
  int l = ++nlabels, n = 1 + (int)rnd(2);
  double keep = mult;
  line("{");
  scope_open();
  indent++;
  Var *v = add_var(T_U, false);
  v->fixed = true;
  char *i = fmt("%s", v->name);
  line("u32 %s = 0;", i);
  line("if (%s) goto L%d;", condition(depth - 1), l);
  line("while (%s(%s) < %du) {", pausing(), i, n);
  mult *= n + 1;
  nloops++;
  nbreaks++;
  line("  %s++;", i);
  line("  {");
  block(1, depth - 1);
  line("  }");
  line("L%d:", l);
  line("  {");
  block(1, depth - 1);
  line("  }");
  nloops--;
  nbreaks--;
  mult = keep;
  line("}");
  indent--;
  scope_close();
  line("}");
}

static void early_return(int depth) {
  if (njumps_off || end_body(depth)) return;
  char *c = condition(depth - 1);
  if (self->ret == T_VOID) { line("if (%s) return;", c); return; }
  char *tail = self->ret < T_VALUES ? call(self->ret, depth - 1) : NULL;
  if (self->ret == T_P) tail = fmt("%s", nvars && vars[0].type == T_P && visible(&vars[0]) ? vars[0].name : "q->g");
  line("if (%s && %s) return %s;", c, condition(1), tail ? tail : expr(self->ret, depth - 1));
}

static void leave_loop(int depth) {
  bool out_of = chance(50);
  if (!(out_of ? nbreaks : nloops)) return;
  line("if (%s) %s;", condition(depth - 1), out_of ? "break" : "continue");
}

// ---- statements ----
static void simple(int depth) {
  char *a, *b;
  int t = value_type();
  switch (rnd(10)) {
  case 0: case 1: case 2: case 3:
    a = assignment(t, depth);
    if (a) line("%s;", a);
    break;
  case 4: case 5:
    if (!self->shared || !can_read(G) || !can_write(G)) { log_vars(nvars - 1); break; }
    forbid.r |= G; forbid.w |= G;                 // (what LOG itself touches; its argument comes before it, so this is stricter than needed)
    a = expr(chance(80) ? T_U : T_ULL, depth);
    forbid.r &= ~G; forbid.w &= ~G;
    acc.r |= G; acc.w |= G;
    line("LOG(%d, %s);", ++nlogs, a);
    break;
  case 6:
    a = call(chance(50) ? T_VOID : value_type(), depth);
    if (a) line("%s%s;", chance(30) ? "(void)" : "", a);
    break;
  case 7: line(chance(50) ? "PAUSE;" : "MAYBE;"); break;
  case 8:
    if (!self->shared || !can_read(G) || !can_write(G)) break;
    acc.r |= G; acc.w |= G;
    line("%s", chance(50) ? fmt("errno = %u;", 1 + rnd(30)) : fmt("seterrno(%u);", 1 + rnd(30)));
    line("PAUSE;");
    line("LOG(%d, errno);", ++nlogs);
    if (chance(20)) line("LOG(%d, text(__func__));", ++nlogs);
    break;
  default:
    a = lvalue(T_U, READ | WRITE | ADDRESS, depth);
    if (!a) break;
    cost += mult * 4;
    b = lvalue_bits & G ? NULL : lvalue(T_U, READ | WRITE | ADDRESS, 0);
    if (b && chance(50)) line("%sswap(&%s, &%s);", chance(50) ? "q" : "", a, b);
    else line("%sbump(&%s, %s);", chance(50) ? "q" : "", a, constant(T_U));
  }
}

static void if_chain(int depth) {
  line("if (%s) {", condition(depth));
  block(1 + (int)rnd(3), depth - 1);
  while (chance(40)) {
    line("} else if (%s) {", condition(depth - 1));
    block(1 + (int)rnd(2), depth - 1);
  }
  if (chance(60)) {
    line("} else {");
    block(1 + (int)rnd(3), depth - 1);
  }
  line("}");
}

static void structured(int depth) {
  bool room = mult < 60;
  switch (rnd(17)) {
  case 0: case 1: case 2: case 3: if_chain(depth); break;
  case 4: case 5: if (room) for_loop(depth); break;
  case 6: case 7: if (room) while_loop(depth); break;
  case 8: if (room) pointer_loop(depth); break;
  case 9: case 10: plain_switch(depth); break;
  case 11: if (room) duff(depth); break;
  case 12: forward_goto(depth); break;
  case 13: if (room) backward_goto(depth); break;
  case 14: if (room) goto_into_loop(depth); break;
  case 15: declare_shadowed_tag(depth); break;
  default: line("{"); block(3, depth - 1); line("}"); break;
  }
}

void stmt(int depth) {
  cost += mult;
  if (--budget < 0 || depth <= 0) { simple(1); return; }
  unsigned k = rnd(23);
  if (k < 6) declare(depth);
  else if (k < 12) simple(depth);
  else if (k < 17) structured(depth);
  else if (k < 20) beside(depth);
  else if (k < 22) { if (!leave_far(depth)) leave_loop(depth); }
  else early_return(depth);
}

void stmts(int n, int depth) {
  while (n-- > 0) stmt(depth);
}
