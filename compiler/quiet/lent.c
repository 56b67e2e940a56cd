// lent.c: addresses that are only lent. `find(x, k, &found)`: if find() only uses the memory that
// its pointer leads to, and keeps no copy of the pointer, the address of `found` is unused after
// the call. Then a pause may keep the value of the variable like any other. The call itself cannot
// pause: the callee is quiet, or a function of the C library.
//
// Local.addresses counts the places where an address is taken, Local.lent how many of these are
// lent. An address in an expression that is not known here is not lent.
#include "fmcc.h"

static const Node *bare(const Node *e) {
  while (e->kind == N_PAREN)
    e = e->a;
  return e;
}

// ---- callers ----
// The local variable that x, x.m or x.a[i] belongs to.
static Local *local_place(const Node *e) {
  e = bare(e);
  while (e->kind == N_MEMBER ||
         (e->kind == N_INDEX && canon(e->a->type)->kind == TY_ARRAY))
    e = bare(e->a);
  return e->kind == N_IDENT && e->sym ? e->sym->local : NULL;
}

static const Node *without_casts(const Node *e) {
  e = bare(e);
  while (e->kind == N_CAST && canon(e->type)->kind == TY_POINTER)
    e = bare(e->a);
  return e;
}

static Local *address_of_local(const Node *e) {
  e = without_casts(e);
  return e->kind == N_UNARY && e->op == P_AMP ? local_place(e->a) : NULL;
}

// Whether the value of a call is used.
enum {
  USED = false,
  DROPPED = true,
};

// Which arguments of a call are only lent to it.
static uint64_t lends(const Node *call, bool dropped) {
  const Quiet *callee = call->flags & NF_ATOMIC ? quiet_callee(call) : NULL;
  const LibraryCall *c = library_call(call);
  if (callee)
    return callee->lent;
  if (!c)
    return 0;
  return c->kind == LIBRARY_RETURNS && !dropped ? c->lent & ~(uint64_t)1
                                                : c->lent;
}

static bool is_lent(uint64_t lent, int i) {
  return i < 64 && lent >> i & 1;
}

void count_lent(const Node *call, bool dropped) {
  uint64_t lent = lends(call, dropped);
  int i = 0;
  for (const Node *arg = call->b; arg && lent; arg = arg->next, i++) {
    Local *k = is_lent(lent, i) ? address_of_local(arg) : NULL;
    if (k)
      k->lent++;
  }
}

// ---- callees ----
static bool keeps(const Symbol *p, const Node *e);

static bool is_param(const Symbol *p, const Node *e) {
  e = bare(e);
  return e->kind == N_IDENT && e->sym == p;
}

// *p, p->m, p[i], and their parts: memory that the pointer leads to.
static bool is_behind(const Symbol *p, const Node *e) {
  e = bare(e);
  switch (e->kind) {
  case N_UNARY:
    return e->op == P_STAR && is_param(p, e->a);
  case N_ARROW:
    return is_param(p, e->a);
  case N_INDEX:
    return is_param(p, e->a) ||
           (canon(e->a->type)->kind == TY_ARRAY && is_behind(p, e->a));
  case N_MEMBER:
    return is_behind(p, e->a);
  default:
    return false;
  }
}

// Whether an index on the way to that memory keeps the pointer.
static bool way_keeps(const Symbol *p, const Node *e) {
  e = bare(e);
  for (; !is_param(p, e); e = bare(e->a))
    if (e->kind == N_INDEX && keeps(p, e->b))
      return true;
  return false;
}

// p, or an address inside the memory that p leads to.
static bool is_pointer(const Symbol *p, const Node *e) {
  e = without_casts(e);
  return is_param(p, e) ||
         (e->kind == N_UNARY && e->op == P_AMP && is_behind(p, e->a)) ||
         (is_behind(p, e) && canon(e->type)->kind == TY_ARRAY);
}

static bool arguments_keep(const Symbol *p, const Node *call, bool dropped) {
  uint64_t lent = lends(call, dropped);
  int i = 0;
  for (const Node *arg = call->b; arg; arg = arg->next, i++)
    if (!(is_pointer(p, arg) && is_lent(lent, i)) && keeps(p, arg))
      return true;
  return keeps(p, call->a);
}

static bool is_test(const Node *e) {
  return (e->kind == N_UNARY && e->op == P_BANG) ||
         (e->kind == N_BINARY && ((e->op >= P_LT && e->op <= P_NE) ||
                                  e->op == P_ANDAND || e->op == P_OROR));
}

static bool parts_keep(const Symbol *p, const Node *n, bool tests) {
  Children parts = children((Node *)n, PART_VALUE | PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (!(tests && is_param(p, k)) && keeps(p, k))
      return true;
  return false;
}

// Whether the expression may keep the pointer: it uses the pointer in another way than those known
// here.
static bool keeps(const Symbol *p, const Node *e) {
  if (e->kind == N_IDENT)
    return e->sym == p;
  if (e->kind == N_UNARY && e->op == P_AMP && is_behind(p, e->a))
    return true;
  if (is_behind(p, e))
    return canon(e->type)->kind == TY_ARRAY || way_keeps(p, e);
  if (e->kind == N_EXPR && bare(e->a)->kind == N_CALL)
    return arguments_keep(p, bare(e->a), DROPPED);
  if (e->kind == N_CALL)
    return arguments_keep(p, e, USED);
  if (e->kind == N_COND)
    return (!is_param(p, e->a) && keeps(p, e->a)) || (e->b && keeps(p, e->b)) ||
           keeps(p, e->c) || !e->b;
  bool tests = is_test(e) || e->kind == N_IF || e->kind == N_WHILE;
  return parts_keep(p, e, tests);
}

uint64_t lent_params(const Async *a) {
  uint64_t lent = 0;
  int i = 0;
  for (const Param *q = a->type->params; q && i < 64; q = q->next, i++) {
    bool pointer = canon(q->type)->kind == TY_POINTER;
    bool apart = !q->sym || (q->sym->local && !q->sym->local->addresses);
    if (pointer && apart && (!q->sym || !keeps(q->sym, a->tree)))
      lent |= (uint64_t)1 << i;
  }
  return lent;
}
