// assert.c: prints assertions for --translate=assert, with which the C compiler checks fmcc's type
// checker. Before every full expression stand assertions, `sizeof
// (char[__builtin_types_compatible_p (typeof (E), OURS) ? 1 : -1])`, one for each sub-expression E
// whose type can be written there. At the end of the unit, assertions compare the sizes of all its
// structures. Nothing is evaluated, so the meaning of the program does not change.
#include "fmcc.h"

// Limits for one expression, because each assertion repeats its text.
enum {
  MOST = 60,
  DEEPEST = 40,
};

typedef struct Asserts {
  Printer *p;
  int count;
} Asserts;

// gcc or clang have a type of their own for this kind of expression, or it has none.
static bool has_odd_type(const Node *e) {
  switch (e->kind) {
  case N_PAREN:
  case N_TYPE_ARG:
  case N_EXTENSION:
  case N_LABEL_ADDR:
    return true;
  case N_IDENT:
    return e->sym && (e->sym->kind == S_BUILTIN || e->sym->implicit);
  default:
    return false;
  }
}

// The value of an assignment to an atomic object is still atomic for clang.
static bool assigns_atomic(const Node *e) {
  bool assigns =
      e->kind == N_ASSIGN || e->kind == N_PREFIX || e->kind == N_POSTFIX;
  return assigns && (canon(e->a->type)->quals & Q_ATOMIC);
}

static bool assertable(Unit *u, Node *e) {
  enum {
    NOT_SPELLED = NF_STMT_EXPR | NF_VM | NF_UNKNOWN,
    NOT_COMPARED = NF_BITFIELD | NF_ODD_BITFIELD
  };
  if (!e->type || (e->flags & (NOT_SPELLED | NOT_COMPARED)) || has_odd_type(e))
    return false;
  if (u->opt.clang && assigns_atomic(e))
    return false;
  Type *c = canon(e->type);
  // gcc has a type of its own for `T x[] = {}`
  bool empty = c->kind == TY_ARRAY && c->len == 0;
  return !(c->quals & Q_ATOMIC) && c->kind != TY_ERROR && !empty;
}

// Prints one assertion, unless the type cannot be written.
static void assert_one(Asserts *a, Node *e) {
  Buf type = { 0 };
  Printer q = without_lines(a->p, &type);
  q.spell = true;
  q.unspeakable = false;
  print_type(&q, e->type, "", 0);
  if (!q.unspeakable) {
    Printer r = q;
    r.out = a->p->out;
    r.spell = false;
    print_text(&r,
               "(void)sizeof(char[__builtin_types_compatible_p(__typeof__(");
    print_expr(&r, e, L_COMMA);
    print_text(&r, "), ");
    buf_puts(r.out, type.data ? type.data : "");
    print_text(&r, ") ? 1 : -1]), ");
    a->count++;
  }
  buf_free(&type);
}

// Prints assertions for e and its parts.
static void assert_tree(Asserts *a, Node *e, int depth) {
  if (!e || depth > DEEPEST || a->count >= MOST || e->kind >= N_COMPOUND ||
      e->kind == N_STMT_EXPR)
    return;
  if (e->kind == N_INIT_LIST || e->kind == N_INIT || e->kind == N_ASSOC ||
      e->kind == N_GENERIC)
    return;
  if (assertable(a->p->u, e))
    assert_one(a, e);
  assert_tree(a, e->a, depth + 1);
  if (e->kind == N_CALL) {
    for (Node *k = e->b; k; k = k->next)
      assert_tree(a, k, depth + 1);
  } else if (e->kind != N_OFFSETOF) {
    assert_tree(a, e->b, depth + 1);
    assert_tree(a, e->c, depth + 1);
  }
}

void print_checked(Printer *p, Node *e, Level least) {
  bool constant =
      (e->flags & (NF_CONST | NF_NULLPTR)) || e->kind == N_INIT_LIST;
  if (!p->asserts || constant) {
    print_expr(p, e, least);
    return;
  }
  Asserts a = { .p = p };
  print_text(p, "(");
  assert_tree(&a, e, 0);
  print_expr(p, e, L_ASSIGN); // the last of a comma expression
  print_text(p, ")");
}

// ---- sizes ----
static void assert_size(Printer *p, Tag *g) {
  int64_t size = type_size(p->u, g->type);
  int64_t align = type_align(p->u, g->type);
  p->unspeakable = false;
  Buf text = { 0 };
  Printer q = without_lines(p, &text);
  print_type(&q, g->type, "", 0);
  if (!q.unspeakable && size >= 0)
    buf_printf(p->out,
               "_Static_assert(sizeof(%s) == %lld && __alignof__(%s) == %lld, "
               "\"size\");\n",
               text.data,
               (long long)size,
               text.data,
               (long long)align);
  buf_free(&text);
}

void print_layout_asserts(Printer *p) {
  FOR_EACH (Tag, g, p->u->tags) {
    assert_size(p, g);
  }
}
