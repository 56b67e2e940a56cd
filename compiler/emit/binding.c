// binding.c: how tightly an expression binds as it is printed, from which print_expr knows where
// parentheses are needed. The printed text decides, not the kind of node: what is an operand in the
// source may become a statement expression.
#include "fmcc.h"

bool is_library_macro(const Node *e) {
  const Node *first = e->kind == N_STMT_EXPR ? e->a->a : NULL;
  return first && first->kind == N_DECL && first->decl->name &&
         strncmp(first->decl->name->name, "fm__", 4) == 0;
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

// but sizeof &f is that of a pointer: then `&*f` is printed
bool is_dropped_operator(Printer *p, Node *e) {
  return is_descriptor_operator(e) && !(e->op == P_AMP && p->unevaluated);
}

static Level binary_level(const Node *e) {
  return e->op == P_COMMA ? L_COMMA
                          : (Level)(L_COND + precedence((TokenKind)e->op));
}

Level expr_level(Printer *p, Node *e) {
  while (is_dropped_operator(p, e))
    e = e->a;
  switch (e->kind) {
  case N_BINARY:
    return binary_level(e);
  case N_ASSIGN:
    return L_ASSIGN;
  case N_COND:
    return L_COND;
  // of the last two, that is the loosest there is
  case N_CAST:
  case N_CODE:
  case N_RT:
    return L_CAST;
  case N_UNARY:
  case N_PREFIX:
  case N_EXTENSION:
  case N_LABEL_ADDR:
    return L_UNARY;
  case N_SIZEOF:
  case N_SIZEOF_TYPE:
  case N_ALIGNOF:
  case N_ALIGNOF_TYPE:
    return L_UNARY;
  // __extension__ ({ … })
  case N_AWAIT:
  case N_RUN:
  case N_ATOMIC_EXPR:
  case N_COMPLETE:
    return L_UNARY;
  case N_STMT_EXPR:
    return is_library_macro(e) ? L_UNARY : L_POSTFIX;
  default:
    return L_POSTFIX;
  }
}
