// binding.c: decides how tightly an expression binds as it is printed, so that print_expr() can put
// parentheses. The printed text decides, not the source: an await is printed as a statement
// expression.
#include "fmcc.h"

bool is_library_macro(const Node *e) {
  const Node *first = e->kind == N_STMT_EXPR ? e->a->a : NULL;
  return first && first->kind == N_DECL && first->decl->name &&
         is_ours(first->decl->name);
}

static bool is_descriptor(const Node *e) {
  return e->type && canon(e->type)->kind == TY_FUNC && canon(e->type)->is_async;
}

bool is_descriptor_operator(const Node *e) {
  if (e->kind != N_UNARY)
    return false;
  return (e->op == P_AMP && is_descriptor(e->a)) ||
         (e->op == P_STAR && is_descriptor(e));
}

// `sizeof &f` is the size of a pointer, so `&*f` is printed there.
bool is_dropped_operator(Printer *p, Node *e) {
  return is_descriptor_operator(e) && !(e->op == P_AMP && p->unevaluated);
}

static Level binary_level(const Node *e) {
  if (e->op == P_COMMA)
    return L_COMMA;
  return (Level)(L_COND + precedence((TokenKind)e->op));
}

// The levels of the kinds of expressions. Others bind like a name.
// clang-format off
static const unsigned char levels[N_PART + 1] = {
  [N_ALIGNOF] = L_UNARY,
  [N_ALIGNOF_TYPE] = L_UNARY,
  [N_ASSIGN] = L_ASSIGN,
  [N_CAST] = L_CAST,
  [N_COND] = L_COND,
  [N_EXTENSION] = L_UNARY,
  [N_LABEL_ADDR] = L_UNARY,
  [N_PREFIX] = L_UNARY,
  [N_SIZEOF] = L_UNARY,
  [N_SIZEOF_TYPE] = L_UNARY,
  [N_UNARY] = L_UNARY,
  // generated text is a cast, or binds more tightly
  [N_CODE] = L_CAST,
  [N_RT] = L_CAST,
  // __extension__ ({ … })
  [N_ATOMIC_EXPR] = L_UNARY,
  [N_AWAIT] = L_UNARY,
  [N_COMPLETE] = L_UNARY,
  [N_RUN] = L_UNARY,
};
// clang-format on

Level expr_level(Printer *p, Node *e) {
  while (is_dropped_operator(p, e))
    e = e->a;
  if (e->kind == N_BINARY)
    return binary_level(e);
  if (is_library_macro(e))
    return L_UNARY;
  return levels[e->kind] ? (Level)levels[e->kind] : L_POSTFIX;
}
