// expr.c: random expressions. Each is a string in parentheses (or a primary expression) of exactly the type that was asked for.
#include "gen.h"

uint64_t lvalue_bits;

static bool is_int(int t) { return t < T_INTS; }
static bool is_scalar(int t) { return t < T_SCALARS; }
static bool is_wide(int t) { return t >= T_L && t <= T_ULL; }

static char *cast(int t, char *e) { return is_scalar(t) ? fmt("(%s)(%s)", type_name(t), e) : fmt("(%s)", e); }

// Two operands that are not sequenced.
static void pair(int ta, int tb, int depth, char **a, char **b) {
  bool swap = chance(50);
  Iso i = iso_open();
  if (swap) *b = expr(tb, depth);
  else *a = expr(ta, depth);
  iso_next(&i);
  if (swap) *a = expr(ta, depth);
  else *b = expr(tb, depth);
  iso_close(&i);
}

// ---- constants and initialisers ----
char *constant(int t) {
  switch (t) {
  case T_BOOL: return fmt("(_Bool)%u", rnd(2));
  case T_E: return fmt("E%u", rnd(4));
  case T_U: return fmt("%uu", chance(50) ? rnd(9) : rnd(4000000000u));
  case T_I: return fmt("%d", (int)rnd(2000) - 1000);
  case T_UL: return fmt("%uul", rnd(70000));
  case T_ULL: return fmt("0x%x%08xull", rnd(99999), rnd(4000000000u));
  case T_LL: return fmt("-%u%06ull", 1 + rnd(9999), rnd(999999));
  case T_FLT: return fmt("%u.25f", rnd(99));
  case T_DBL: return fmt("%u.5", rnd(999));
  case T_S: return fmt("(struct S){%uu, -%u}", rnd(99), rnd(99));
  case T_B: return fmt("(struct B){.v = {%uu, [3] = %uu}, .s = {%uu, 4}, .d = %u.5}", rnd(99), rnd(99), rnd(99), rnd(9));
  case T_X: return fmt("(union X){%uu}", rnd(99999));
  case T_F: return fmt("(struct F){%u, -%u, %u, %u}", rnd(8), rnd(16), rnd(99999), rnd(99999));
  case T_FN: { static const char *const f[] = {"lf_u", "mb_u", "tl_u", "neg_u", "&neg_u"}; return fmt("%s", f[rnd(5)]); }
  default: return fmt("(%s)%u", type_name(t), rnd(120));
  }
}

char *initialiser(int t, int depth) {
  char *a, *b;
  switch (t) {
  case T_S:
    pair(T_U, T_I, depth, &a, &b);
    return chance(50) ? fmt("{%s, %s}", a, b) : fmt("{.b = %s, .a = %s}", b, a);
  case T_B:
    pair(T_U, T_DBL, depth, &a, &b);
    return fmt("{.v = {1u, [%u] = %s}, .d = %s, .s.b = %d}", rnd(8) + 1, a, b, (int)rnd(9));
  case T_X:
    return chance(50) ? fmt("{%s}", expr(T_U, depth)) : fmt("{.c = {1, 2, %s, 4}}", expr(T_U8, depth));
  case T_F:
    pair(T_U, T_ULL, depth, &a, &b);
    return fmt("{.c = %s & 0xfffffu, .b = %d, .d = %s & 0xffffffull}", a, (int)rnd(16) - 8, b);
  default:
    return expr(t, depth);
  }
}

// ---- lvalues ----
static int want_type, want_how;
static uint64_t relaxed;                          // may be written although a sibling reads it: the target of an assignment

static bool can_store(uint64_t bits) { return !(forbid.w & bits & ~relaxed); }

static bool usable(const Var *v) {
  if (!can_read(v->bit)) return false;            // also to write: an index or pointer is read
  if (want_how & WRITE) return can_store(v->bit) && !v->is_const && !v->fixed;
  return true;
}

static bool ok_address(const Var *v) { return !(want_how & ADDRESS) || (!v->is_const && !v->is_volatile && !v->fixed); }

static bool gives(const Var *v) {
  if (v->type == T_P || v->type == T_SP) {
    bool has = v->type == T_P ? want_type == T_U : want_type == T_U || want_type == T_I || want_type == T_S;
    return (has || v->type == want_type) && !v->n && can_read(v->bit) && can_read(v->target) &&
           (!(want_how & WRITE) || (can_store(v->target) && has)) && !(v->type == want_type && (want_how & WRITE));
  }
  if (!usable(v) || !ok_address(v)) return false;
  if (v->type == want_type) return true;
  switch (v->type) {
  case T_S: return want_type == T_U || want_type == T_I;
  case T_B: return want_type == T_U || want_type == T_I || want_type == T_DBL || want_type == T_S || want_type == T_U8;
  case T_X: return want_type == T_U || want_type == T_U8;
  case T_F: return (want_type == T_U || want_type == T_I || want_type == T_ULL) && !(want_how & ADDRESS);
  case T_LOCAL: return want_type == T_U;
  default: return false;
  }
}

static char *index_of(int n, int depth) {
  if (depth <= 0 || chance(30)) return fmt("%u", rnd((unsigned)n));
  if ((n & (n - 1)) == 0) return fmt("%s & %d", expr(T_U, depth - 1), n - 1);
  return chance(50) ? fmt("%s %% %du", expr(T_U, depth - 1), n) : fmt("(int)(%s %% %du)", expr(T_U, depth - 1), n);
}

static char *member(const Var *v, char *base, int depth) { // the part of it that has the type wanted
  int t = v->type;
  if (t == T_P) {
    if (want_type == T_P) return base;
    if (v->extent == 1) return chance(50) ? fmt("(*%s)", base) : fmt("%s[0]", base);
    return chance(50) ? fmt("%s[%s]", base, index_of(v->extent, depth)) : fmt("(*(%s + (%s)))", base, index_of(v->extent, depth));
  }
  if (t == T_SP) return want_type == T_U ? fmt("%s->a", base) : want_type == T_I ? fmt("%s->b", base) : want_type == T_S ? fmt("(*%s)", base) : base;
  if (t == want_type) return base;
  if (t == T_B) switch (want_type) {
    case T_U: return chance(30) ? fmt("%s.s.a", base) : fmt("%s.v[%s]", base, index_of(9, depth));
    case T_I: return fmt("%s.s.b", base);
    case T_DBL: return fmt("%s.d", base);
    case T_S: return fmt("%s.s", base);
    default: return fmt("%s.t[%s]", base, index_of(3, depth));
  }
  if (t == T_X) return want_type == T_U ? fmt("%s.w", base) : fmt("%s.c[%s]", base, index_of(4, depth));
  if (t == T_F) return fmt("%s.%c", base, want_type == T_U ? (chance(50) ? 'a' : 'c') : want_type == T_I ? 'b' : 'd');
  return fmt("%s.%c", base, want_type == T_I ? 'b' : 'a');
}

static char *of_shared(int t, int depth) {        // an lvalue in *q
  if (t == T_U) return chance(30) ? fmt("q->s.a") : fmt("q->g[%s]", index_of(4, depth));
  if (t == T_I) return fmt("q->s.b");
  if (t == T_S) return fmt("q->s");
  return t == T_DBL ? fmt("q->d") : NULL;
}

static char *picked(int how, int depth) {         // *pick(&x, &y, e)
  uint64_t bits = 0;
  char *x = lvalue(T_U, how | READ | WRITE | ADDRESS, 0);
  if (!x) return NULL;
  bits |= lvalue_bits;
  char *y = lvalue(T_U, how | READ | WRITE | ADDRESS, 0);
  if (!y) return NULL;
  bits |= lvalue_bits;
  Iso i = iso_open();
  forbid.w |= bits;
  forbid.r |= bits;
  char *e = expr(T_U, depth - 1);
  iso_close(&i);
  lvalue_bits = bits;
  cost += mult * 3;
  return fmt("(*%spick(&%s, &%s, %s))", chance(30) ? "q" : "", x, y, e);
}

char *lvalue(int t, int how, int depth) {
  if (t == T_U && depth > 1 && !(how & ADDRESS) && !relaxed && chance(6)) return picked(how, depth);
  if (self->shared && !(how & ADDRESS) && can_read(G) && can_write(G) && chance(12) && (t == T_U || t == T_I || t == T_S || t == T_DBL)) {
    relaxed = 0;
    Effect keep = forbid;
    forbid.r |= G;
    forbid.w |= G;
    char *s = of_shared(t, depth);
    forbid = keep;
    lvalue_bits = G;
    acc.r |= G;
    if (how & WRITE) acc.w |= G;
    return s;
  }
  want_type = t;
  want_how = how;
  Var *v = pick_var(gives);
  relaxed = 0;
  if (!v) return NULL;
  uint64_t bits = v->type == T_P || v->type == T_SP ? (t == v->type ? v->bit : v->target) : v->bit;
  Effect keep = forbid;
  forbid.w |= bits | v->bit;
  if (how & WRITE) forbid.r |= bits;
  char *base = fmt("%s", v->name);
  Iso i = iso_open();                             // indices are not sequenced
  if (v->n) base = fmt("%s[%s]", base, index_of(v->n, depth));
  iso_next(&i);
  if (v->m) base = fmt("%s[%s]", base, index_of(v->m, depth));
  iso_next(&i);
  want_type = t;
  base = member(v, base, depth);
  iso_close(&i);
  forbid = keep;
  lvalue_bits = bits;
  acc.r |= v->bit | bits;
  if (how & WRITE) acc.w |= bits;
  return base;
}

// ---- assignments ----
static char *right_side(int t, const char **op, int depth) {
  static const char *const ops[] = {"+=", "-=", "*=", "^=", "|=", "&=", ">>=", "/=", "%=", "<<="};
  int rhs = is_wide(t) ? T_ULL : T_U;
  if (!is_int(t) || t == T_E || chance(40)) {
    *op = "=";
    if (t == T_DBL && chance(30)) { *op = chance(50) ? "+=" : "-="; return expr(chance(50) ? T_I : T_DBL, depth); }
    return expr(t, depth);
  }
  if (t == T_BOOL) { *op = ops[3 + rnd(3)]; return expr(T_U, depth); }
  bool is_unsigned = t == T_U || t == T_UL || t == T_ULL || t == T_U8 || t == T_U16;
  int k = (int)rnd(is_unsigned ? 10 : 9);
  *op = ops[k];
  char *e = expr(rhs, depth);
  if (k == 6 || k == 9) return fmt("(%s & 7)", e);
  return k == 7 || k == 8 ? fmt("(%s | 1u)", e) : e;
}

char *assignment(int t, int depth) {
  const char *op;
  bool value_first = chance(50);
  char *e = NULL;
  Iso i = iso_open();
  if (value_first) {
    e = right_side(t, &op, depth);
    uint64_t r = acc.r & ~acc.w;                  // what it only reads may be assigned
    iso_next(&i);
    relaxed = r & ~i.forbid.w;
  }
  char *l = lvalue(t, WRITE, depth);
  if (!l || (value_first && (lvalue_bits & G) && (i.total.w & G))) { iso_close(&i); return NULL; }
  if (!value_first) {
    uint64_t bits = lvalue_bits;
    acc.w &= ~bits;
    iso_next(&i);
    forbid.w |= bits;
    e = right_side(t, &op, depth);
    acc.w |= bits;
  }
  iso_close(&i);
  return fmt("%s %s %s", l, op, e);
}

static char *increment(int t) {
  if (t == T_BOOL || t == T_E || t == T_I || t == T_L || t == T_LL || !is_int(t)) return NULL;
  char *l = lvalue(t, READ | WRITE, 0);
  if (!l) return NULL;
  switch (rnd(4)) {
  case 0: return fmt("%s++", l);
  case 1: return fmt("%s--", l);
  case 2: return fmt("++%s", l);
  default: return fmt("--%s", l);
  }
}

// ---- calls ----
static const char *pointer_to(const Fn *f) {
  const char *t = type_name(f->ret), *p = parameters(f, false);
  switch (rnd(6)) {
  case 0: return fmt("(*%s)", f->name);
  case 1: return fmt("(lf_u(%u) ? %s : &%s)", rnd(2), f->name, f->name);
  case 2: return fmt("((ASYNC %s (*[2])(%s)){%s, %s}[lf_u(%u)])", t, p, f->name, f->name, rnd(2));
  case 3: return fmt("(((struct { int k; ASYNC %s (*f)(%s); }){1, %s}).f)", t, p, f->name);
  case 4: return fmt("({ ASYNC %s (*f)(%s) = %s; MAYBE; f; })", t, p, f->name);
  default: return fmt("(mb_u(1), %s)", f->name);
  }
}

static char *argument(int t, int depth, uint64_t *touched) {
  if (t != T_P) return expr(t, depth);
  char *l = lvalue(T_U, READ | WRITE | ADDRESS, depth);
  *touched |= lvalue_bits;
  acc.w &= ~lvalue_bits;                          // that happens in the call, after the arguments
  return fmt("&%s", l);
}

static bool has_target(void) {
  want_type = T_U;
  want_how = READ | WRITE | ADDRESS;
  return pick_var(gives) != NULL;
}

char *call_of(const Fn *f, int depth, bool deeper) {
  char *args = fmt("%s", f->shared ? "q" : "");
  uint64_t touched = 0;
  Iso i = iso_open();
  if (f->recursive) args = fmt("%s%s%s", args, *args ? ", " : "", deeper ? "n - 1" : fmt("%s %% 4u", expr(T_U, 0)));
  iso_next(&i);
  for (int k = 0; k < f->nparams; k++) {
    int t = f->params[k];
    if (t == T_P && !has_target()) { iso_close(&i); return NULL; }
    char *a = argument(t, depth - 1, &touched);
    iso_next(&i);
    args = fmt("%s%s%s", args, *args ? ", " : "", a);
  }
  iso_close(&i);
  if (!can_read(touched) || !can_write(touched)) return NULL;
  acc.r |= touched | (f->shared ? G : 0);
  acc.w |= touched | (f->shared ? G : 0);
  cost += mult * f->cost;
  return fmt("%s(%s)", chance(15) ? pointer_to(f) : f->name, args);
}

static bool may_call(const Fn *f) {
  if (f->shared && (!self->shared || !can_read(G) || !can_write(G))) return false;
  return cost + mult * f->cost <= limit;
}

static char *library_call(int ret, int depth) {
  char *a, *b;
  Iso i;
  cost += mult * 4;
  switch (ret == T_U ? rnd(11) : ret == T_I ? 7 * rnd(2) : 0) {
  case 7: cost += mult * 9; return fmt("iseven(%s & 7)", expr(T_U, depth - 1));
  case 1: pair(T_FN, T_U, depth - 1, &a, &b); return fmt("apply(%s, %s)", a, b);
  case 2: {
    i = iso_open();
    a = expr(T_FN, depth - 1); iso_next(&i);
    b = expr(T_FN, depth - 1); iso_next(&i);
    char *c = expr(T_U, depth - 1);
    iso_close(&i);
    return fmt("compose(%s, %s, %s)", a, b, c);
  }
  case 3: pair(T_U, T_U, depth - 1, &a, &b); return fmt("table[%s & 3](%s)", a, b);
  case 4: pair(T_FN, T_U, depth - 1, &a, &b); return chance(50) ? fmt("(*(%s))(%s)", a, b) : fmt("(%s)(%s)", a, b);
  case 5: cost += mult * 9; pair(T_U, T_U, depth - 1, &a, &b); return fmt("down(%s & 7, %s)", a, b);
  case 6: cost += mult * 9; return fmt("deep(%s & 7)", expr(T_U, depth - 1));
  case 8: pair(T_U, T_U, depth - 1, &a, &b); return fmt("qmix(%s, %s)", a, b);
  case 9: pair(T_U, T_U, depth - 1, &a, &b); return fmt("qsum(%s, %s)", a, b);
  case 10: cost += mult * 30; pair(T_U, T_U, depth - 1, &a, &b); return fmt("late(%s & 7, %s)", a, b);
  default: {
    static const char *const leaf[] = {"lf", "mb", "mb", "tl", "qu", "qu"};
    return fmt("%s_%s(%s)", leaf[rnd(6)], type_tag(ret), expr(ret, depth - 1));
  }
  }
}

char *call(int ret, int depth) {
  if (peer && peer->ret == ret && nself > 0 && mult == 1 && may_call(peer) && chance(60)) {
    nself--;
    char *c = call_of(peer, depth, true);
    return c ? fmt("(n ? %s : %s)", c, constant(ret)) : NULL;
  }
  const Fn *f = NULL;
  unsigned n = 0;
  for (int k = 0; k < nfns; k++)
    if (fns[k].ret == ret && &fns[k] != self && &fns[k] != peer && may_call(&fns[k]) && rnd(++n) == 0) f = &fns[k];
  char *c = f && chance(60) ? call_of(f, depth, false) : NULL;
  if (!c && ret < T_VALUES) c = library_call(ret, depth);
  if (!c) return NULL;
  return chance(12) ? fmt("(AW %s)", c) : chance(8) ? fmt("(ATOM %s)", c) : c;
}

// ---- expressions ----
static char *leaf(int t) {
  char *l = chance(75) && t != T_VOID ? lvalue(t, READ, 0) : NULL;
  return !l ? constant(t) : is_int(t) ? cast(t, l) : l;
}

static char *statement_expr(int t, int depth) {
  Buf body = {0}, *outer = out;
  int in = indent;
  Exits e = no_exits();
  out = &body;
  indent = 0;
  scope_open();
  int first = nvars;
  declare(depth - 1);
  for (unsigned n = rnd(3); n; n--) stmt(depth - 2);
  if (chance(40)) line(chance(50) ? "PAUSE;" : "MAYBE;");
  if (first < nvars && chance(50) && t == T_U && vars[first].type == T_U && !vars[first].n && visible(&vars[first])) line("%s;", vars[first].name);
  else line("%s;", expr(t, depth - 1));
  scope_close();
  exits_back(e);
  out = outer;
  indent = in;
  return fmt("({ %s})", body.at);
}

char *condition(int depth) {
  char *a, *b;
  int t = scalar_type();
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  switch (rnd(5)) {
  case 0: a = expr(scalar_type(), depth - 1); b = expr(scalar_type(), depth - 1); return fmt("(%s && %s)", a, b);
  case 1: a = expr(scalar_type(), depth - 1); b = expr(scalar_type(), depth - 1); return fmt("(%s || %s)", a, b);
  case 2: return fmt("(!%s)", expr(scalar_type(), depth - 1));
  case 3: return fmt("((%s & %u) != 0)", expr(T_U, depth - 1), 1 + rnd(7));
  default: pair(t, t, depth - 1, &a, &b); return fmt("(%s %s %s)", a, ops[rnd(6)], b);
  }
}

static int narrow(void) { return (int)rnd(T_U + 1); }

static char *arithmetic(int t, int depth) {
  static const char *const ops[] = {"+", "-", "*", "&", "|", "^"};
  int dom = is_wide(t) || chance(25) ? T_ULL : T_U;
  char *a, *b;
  int other = chance(60) ? dom : dom == T_U ? narrow() : (int)rnd(T_INTS);
  switch (rnd(10)) {
  case 0: pair(dom, dom, depth - 1, &a, &b); return cast(t, fmt("%s / (%s | 1u)", a, b));
  case 1: pair(dom, dom, depth - 1, &a, &b); return cast(t, fmt("%s %% (%s %% 7u + 1u)", a, b));
  case 2: pair(dom, T_U, depth - 1, &a, &b); return cast(t, fmt("%s << (%s & 15)", a, b));
  case 3: pair(int_type(), T_U, depth - 1, &a, &b); return cast(t, fmt("%s >> (%s & 7)", a, b));
  case 4: return cast(t, fmt("%s / %u", expr(T_I, depth - 1), 2 + rnd(9)));
  default:
    if (chance(50)) pair(dom, other, depth - 1, &a, &b);
    else pair(other, dom, depth - 1, &a, &b);
    return cast(t, fmt("%s %s %s", a, ops[rnd(6)], b));
  }
}

static char *odd(int t, int depth) {              // the rarer operators
  char *a, *b, *c;
  int s;
  switch (rnd(13)) {
  case 0: return cast(t, fmt("%s%s", chance(50) ? "-" : "~", expr(chance(50) ? T_U : T_ULL, depth - 1)));
  case 1: return cast(t, fmt("sizeof(%s)", expr(value_type(), 1)));
  case 2: return cast(t, fmt("sizeof %s", chance(50) ? "lf_S(lf_S((struct S){1, 2}))" : "(*pick(0, 0, lf_u(7)))"));
  case 3:
    s = int_type();
    a = expr(t, depth - 1); b = expr(t, depth - 1);
    return cast(t, fmt("_Generic((%s)(lf_u(3)), %s: %s, default: %s)", type_name(s), s == T_E ? "int" : type_name(s), a, b));
  case 4: return cast(t, fmt("di(%s)", expr(chance(50) ? T_DBL : T_FLT, depth - 1)));
  case 5: a = call(T_S, depth - 1); return a ? cast(t, fmt("%s.%c", a, chance(50) ? 'a' : 'b')) : NULL;
  case 6: a = call(T_B, depth - 1); return a ? cast(t, fmt("%s.v[%u]", a, rnd(9))) : NULL;
  case 7: pair(T_U, T_U, depth - 1, &a, &b); return cast(t, fmt("(u32[2]){%s, %s}[%u]", a, b, rnd(2)));
  case 8: return cast(t, fmt("((struct S)%s).%c", initialiser(T_S, depth - 1), chance(50) ? 'a' : 'b'));
  case 9: return cast(t, fmt("__builtin_expect((long)%s, 1)", expr(T_U, depth - 1)));
  case 10: return cast(t, fmt("__builtin_popcountll(%s)", expr(T_ULL, depth - 1)));
  case 11: s = T_S + (int)rnd(4); return cast(t, fmt("mix%s(%s)", type_tag(s), expr(s, depth - 1)));
  default:
    c = condition(depth - 1);
    return cast(t, c);
  }
}

static char *fraction(int t, int depth) {
  char *a, *b;
  int other = chance(50) ? T_DBL : scalar_type();
  static const char *const ops[] = {"+", "-", "*"};
  if (chance(20)) return cast(t, fmt("dn(%s%s)", chance(50) ? "-" : "0.5 * ", expr(T_DBL, depth - 1)));
  pair(T_DBL, other, depth - 1, &a, &b);
  return cast(t, fmt("dn(%s %s %s)", a, ops[rnd(3)], b));
}

static char *special(int t, int depth) {          // what only some types have
  if (t == T_FN) {
    if (chance(50)) return NULL;
    char *k = expr(T_U, depth - 1);
    return fmt("choose(%s, %s, %s)", k, constant(T_FN), constant(T_FN));
  }
  if (!is_scalar(t)) return fmt("(%s)%s", type_name(t), initialiser(t, depth - 1));
  if (!is_int(t)) return fraction(t, depth);
  return chance(60) ? arithmetic(t, depth) : odd(t, depth);
}

static char *compound(int t, int depth) {
  char *a, *b;
  switch (rnd(20)) {
  case 0: case 1: case 2: case 3: case 4: return call(t, depth);
  case 5:
    a = condition(depth - 1);
    b = expr(t, depth - 1);
    return cast(t, fmt("%s ? %s : %s", a, b, expr(t, depth - 1)));
  case 6:
    if (!is_scalar(t)) return NULL;
    a = expr(t, depth - 1);
    return cast(t, fmt("%s ?: %s", a, expr(t, depth - 1)));
  case 7: a = expr(chance(50) ? value_type() : T_U, depth - 1); return cast(t, fmt("(void)%s, %s", a, expr(t, depth - 1)));
  case 8: return depth > 1 && budget > 0 ? cast(t, statement_expr(t, depth)) : NULL;
  case 9: case 10: a = assignment(t, depth - 1); return a ? cast(t, a) : NULL;
  case 11: a = increment(t); return a ? cast(t, a) : NULL;
  case 12: case 13: a = lvalue(t, READ, depth); return a ? cast(t, a) : NULL;
  default: return special(t, depth);
  }
}

char *expr(int t, int depth) {
  if (t == T_P) abort();
  if (--budget < 0) depth = 0;
  char *e = depth > 0 ? compound(t, depth) : NULL;
  return e ? e : leaf(t);
}
