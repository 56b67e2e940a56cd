// print-expr.c: prints expressions. Parentheses are nodes of the tree, so an expression is printed
// as it was written. If lowering has moved it to another place, print_expr() adds the parentheses
// that it needs there.
#include "emit/layout.h"

#include <stdlib.h>

// ---- operators ----
// clang-format off
static const char *const op_text[] = {
  [P_AMP] = "&",
  [P_STAR] = "*",
  [P_PLUS] = "+",
  [P_MINUS] = "-",
  [P_TILDE] = "~",
  [P_BANG] = "!",
  [P_SLASH] = "/",
  [P_PERCENT] = "%",
  [P_SHL] = "<<",
  [P_SHR] = ">>",
  [P_LT] = "<",
  [P_GT] = ">",
  [P_LE] = "<=",
  [P_GE] = ">=",
  [P_EQ] = "==",
  [P_NE] = "!=",
  [P_CARET] = "^",
  [P_PIPE] = "|",
  [P_ANDAND] = "&&",
  [P_OROR] = "||",
  [P_ASSIGN] = "=",
  [P_MUL_A] = "*=",
  [P_DIV_A] = "/=",
  [P_MOD_A] = "%=",
  [P_ADD_A] = "+=",
  [P_SUB_A] = "-=",
  [P_SHL_A] = "<<=",
  [P_SHR_A] = ">>=",
  [P_AND_A] = "&=",
  [P_XOR_A] = "^=",
  [P_OR_A] = "|=",
  [P_COMMA] = ",",
  [P_QUESTION] = "?",
  [P_INC] = "++",
  [P_DEC] = "--",
  [K_REAL] = "__real__ ",
  [K_IMAG] = "__imag__ ",
};
// clang-format on

const char *operator_text(TokenKind k) {
  return op_text[k];
}

static void print_op(Printer *p, Node *e) {
  buf_putc(p->out, ' ');
  print_at(p, e->tok, e->kind == N_COND ? "?" : op_text[e->op]);
  buf_putc(p->out, ' ');
}

// ---- lists ----
static void print_argument(Printer *p, Node *e) {
  print_expr(p, e, L_ASSIGN);
}

static void print_list(Printer *p, Node *n, void (*one)(Printer *, Node *)) {
  for (; n; n = n->next) {
    one(p, n);
    if (n->next)
      print_text(p, ", ");
  }
}

// ---- names ----
// e is __func__ or the like, which is the user's name of the function in all versions.
static bool is_function_name(Printer *p, Node *e) {
  return !e->sym && p->async && kind_at(p->u, e->tok) == T_IDENT &&
         tok_at(p->u, e->tok)->id->name[0] == '_';
}

static void print_function_name(Printer *p) {
  print_text(p, "\"");
  buf_puts(p->out, name_written(p->async->decl)->name);
  buf_puts(p->out, "\"");
}

// fm__f->fm__up->…->name: a variable of a function around this activate
static void print_captured(Printer *p, Node *e) {
  Local *k = e->sym->local;
  Buf path = { 0 };
  buf_puts(&path, "fm__f->");
  for (Async *a = p->async; a && a != k->owner; a = a->up)
    buf_puts(&path, "fm__up->");
  print_sync(p, e->tok);
  if (type_is_vm(e->sym->type)) {
    print_vm_variable(p, k, path.data);
  } else {
    print_text(p, path.data);
    buf_puts(p->out, k->name);
  }
  buf_free(&path);
}

static void print_resident(Printer *p, Node *e) {
  Local *k = e->sym->local;
  print_sync(p, e->tok);
  if (type_is_vm(e->sym->type)) {
    print_vm_variable(p, k, "fm__f->");
    return;
  }
  print_text(p, "fm__f->");
  buf_puts(p->out, k->name);
}

static const char *local_name(Printer *p, const Local *k) {
  return p->version == V_RESUME ? k->name : call_name(k);
}

static void print_ident(Printer *p, Node *e) {
  Symbol *s = e->sym;
  if (is_function_name(p, e)) {
    print_function_name(p);
    return;
  }
  if (!s || s->kind == S_BUILTIN) {
    print_tok(p, e->tok);
    return;
  }
  if (print_detached(p, s))
    return;
  bool framed = s->local && (p->version == V_CALL || p->version == V_RESUME);
  if (framed && s->local->owner && s->local->owner != p->async)
    print_captured(p, e);
  else if (framed && s->local->resident)
    print_resident(p, e);
  else if (framed)
    print_at(p, e->tok, local_name(p, s->local));
  else
    print_at(p, e->tok, s->emitted ? s->emitted : s->name->name);
}

// va_start is not printed in the resume version, which never comes to it: it has no `...`.
static void print_name(Printer *p, Node *e) {
  if (p->version == V_RESUME && is_va_start(e))
    print_at(p, e->tok, "(void)");
  else
    print_ident(p, e);
}

// ---- initializers ----
static void print_designators(Printer *p, Node *d) {
  for (; d; d = d->next) {
    if (d->kind == N_DES_MEMBER) {
      print_text(p, ".");
      print_text(p, d->name->name);
      continue;
    }
    print_text(p, "[");
    print_expr(p, d->a, L_COND);
    if (d->b) {
      print_text(p, " ... ");
      print_expr(p, d->b, L_COND);
    }
    print_text(p, "]");
  }
}

static void print_init(Printer *p, Node *e) {
  if (e->b) {
    print_designators(p, e->b);
    print_text(p, " = ");
  }
  print_initializer(p, e->a);
}

void print_initializer(Printer *p, Node *e) {
  if (e->kind != N_INIT_LIST) {
    print_expr(p, e, L_ASSIGN);
    return;
  }
  print_tok(p, e->tok);
  print_list(p, e->a, print_init);
  print_tok(p, e->end);
}

// ---- expressions with a syntax of their own ----
static void print_unevaluated(Printer *p, Node *e, bool unevaluated) {
  bool outer = p->unevaluated;
  p->unevaluated = outer || unevaluated;
  print_expr(p, e, L_ASSIGN);
  p->unevaluated = outer;
}

static void print_assoc(Printer *p, Node *a) {
  if (a->tname)
    print_type_name(p, a->tname);
  else
    print_text(p, "default");
  print_text(p, ": ");
  print_unevaluated(p, a->a, !a->op);
}

static void print_offset_path(Printer *p, Node *d) {
  for (Node *n = d; n; n = n->next) {
    if (n->kind == N_DES_MEMBER && n != d)
      print_text(p, ".");
    if (n->kind == N_DES_MEMBER) {
      print_text(p, n->name->name);
    } else {
      print_text(p, "[");
      print_expr(p, n->a, L_COMMA);
      print_text(p, "]");
    }
  }
}

// NAME ( expression , type ), or NAME ( type , expression or path )
static void print_typed(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  bool type_first = e->kind == N_OFFSETOF || e->kind == N_BIT_CAST;
  if (type_first)
    print_type_name(p, e->tname);
  else
    print_expr(p, e->a, L_ASSIGN);
  print_text(p, ", ");
  if (e->kind == N_OFFSETOF)
    print_offset_path(p, e->b);
  else if (type_first)
    print_expr(p, e->a, L_ASSIGN);
  else
    print_type_name(p, e->tname);
  print_tok(p, e->end);
}

// _Generic ( expression , associations )
static void print_generic(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  print_unevaluated(p, e->a, true);
  if (e->b)
    print_text(p, ", ");
  print_list(p, e->b, print_assoc);
  print_tok(p, e->end);
}

// NAME ( expressions )
static void print_tgmath(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  print_list(p, e->b, print_argument);
  print_tok(p, e->end);
}

// NAME ( condition , expression , expression ): one of them is evaluated
static void print_choose(Printer *p, Node *e) {
  Node *parts[] = { e->a, e->b, e->c };
  print_tok(p, e->tok);
  print_text(p, "(");
  for (int i = 0; i < 3; i++) {
    if (i > 0)
      print_text(p, ", ");
    bool evaluated = i == 0 || i == e->op;
    print_unevaluated(p, parts[i], !evaluated);
  }
  print_tok(p, e->end);
}

// NAME ( type , type )
static void print_types_compatible(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  print_unevaluated(p, e->a, false);
  print_text(p, ", ");
  print_unevaluated(p, e->b, false);
  print_tok(p, e->end);
}

static void print_parenthesised(Printer *p, Node *e) {
  print_at(p, e->tok, is_library_macro(e) ? "__extension__ (" : "(");
  if (e->kind == N_STMT_EXPR)
    print_statement(p, e->a);
  else
    print_expr(p, e->a, L_COMMA);
  print_at(p, e->end > e->tok ? e->end : e->tok, ")");
}

// The compound literal is a resident, because its address is used across a pause.
static bool is_in_frame(Printer *p, Node *e) {
  Local *k = e->d ? e->d->sym->local : NULL;
  return k && k->resident && (p->version == V_CALL || p->version == V_RESUME);
}

static void print_literal_in_frame(Printer *p, Node *e) {
  print_at(p, e->tok, "(*__extension__ ({ __builtin_memcpy((void *)&");
  print_ident(p, e->d);
  print_text(p, ", &(");
  print_type(p, e->type, "", 0);
  print_text(p, ")");
  print_initializer(p, e->a);
  print_text(p, ", sizeof ");
  print_ident(p, e->d);
  print_text(p, "); &");
  print_ident(p, e->d);
  print_text(p, "; }))");
}

static void print_cast_type(Printer *p, Node *e) {
  print_at(p, e->tok, "(");
  print_type_name(p, e->tname);
  print_text(p, ")");
}

static void print_compound_literal(Printer *p, Node *e) {
  if (is_in_frame(p, e)) {
    print_literal_in_frame(p, e);
    return;
  }
  print_cast_type(p, e);
  print_initializer(p, e->a);
}

static void print_cast(Printer *p, Node *e) {
  print_cast_type(p, e);
  print_expr(p, e->a, L_CAST);
}

// sizeof and _Alignof of an expression
static void print_sizeof(Printer *p, Node *e) {
  bool outer = p->unevaluated;
  print_tok(p, e->tok);
  p->unevaluated = true;
  print_text(p, " ");
  print_expr(p, e->a, L_UNARY);
  p->unevaluated = outer;
}

static void print_sizeof_type(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  print_type_name(p, e->tname);
  print_text(p, ")");
}

static void print_unary(Printer *p, Node *e) {
  if (is_dropped_operator(p, e)) {
    print_expr(p, e->a, L_CAST);
    return;
  }
  if (is_descriptor_operator(e))
    print_text(p, "&*");
  else
    print_at(p, e->tok, op_text[e->op]);
  print_expr(p, e->a, e->kind == N_PREFIX ? L_UNARY : L_CAST);
}

static void print_extension(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_expr(p, e->a, L_CAST);
}

static void print_one_token(Printer *p, Node *e) {
  print_tok(p, e->tok);
}

static void print_two_tokens(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_tok(p, e->end);
}

static void print_as_written(Printer *p, Node *e) {
  print_range(p, e->range);
}

static void print_type_argument(Printer *p, Node *e) {
  print_type_name(p, e->tname);
}

// The functions for expressions that do not begin with another expression.
// clang-format off
static void (*const heads[N_PART + 1])(Printer *, Node *) = {
  [N_ALIGNOF] = print_sizeof,
  [N_ALIGNOF_TYPE] = print_sizeof_type,
  [N_ATOMIC_EXPR] = print_async_expr,
  [N_AWAIT] = print_async_expr,
  [N_BIT_CAST] = print_typed,
  [N_CALL] = print_async_expr,
  [N_CAST] = print_cast,
  [N_CHARCONST] = print_one_token,
  [N_CHOOSE_EXPR] = print_choose,
  [N_CODE] = print_async_expr,
  [N_COMPLETE] = print_async_expr,
  [N_COMPOUND_LIT] = print_compound_literal,
  [N_CONVERTVECTOR] = print_typed,
  [N_EXTENSION] = print_extension,
  [N_GENERIC] = print_generic,
  [N_IDENT] = print_name,
  [N_INIT_LIST] = print_initializer,
  [N_JOB] = print_async_expr,
  [N_LABEL_ADDR] = print_two_tokens,
  [N_NUMBER] = print_one_token,
  [N_OFFSETOF] = print_typed,
  [N_OPAQUE] = print_as_written,
  [N_PAREN] = print_parenthesised,
  [N_PREFIX] = print_unary,
  [N_RT] = print_async_expr,
  [N_RUN] = print_async_expr,
  [N_SIZEOF] = print_sizeof,
  [N_SIZEOF_TYPE] = print_sizeof_type,
  [N_SPAWN] = print_async_expr,
  [N_STMT_EXPR] = print_parenthesised,
  [N_STRING] = print_as_written,
  [N_TGMATH] = print_tgmath,
  [N_TYPES_COMPATIBLE] = print_types_compatible,
  [N_TYPE_ARG] = print_type_argument,
  [N_UNARY] = print_unary,
  [N_VA_ARG] = print_typed,
};
// clang-format on

static void print_head(Printer *p, Node *e) {
  if (heads[e->kind])
    heads[e->kind](p, e);
}

// ---- expressions that begin with another expression ----
static bool begins_with_operand(const Node *e) {
  switch (e->kind) {
  case N_CALL:
    return !(e->flags & NF_ASYNC);
  case N_INDEX:
  case N_MEMBER:
  case N_ARROW:
  case N_POSTFIX:
  case N_BINARY:
  case N_ASSIGN:
  case N_COND:
    return true;
  default:
    return false;
  }
}

static bool asks_for_constant(Printer *p, const Node *call) {
  return call->a->kind == N_IDENT && call->b &&
         tok_is(p->u, call->a->tok, "__builtin_constant_p");
}

static void print_call_tail(Printer *p, Node *e) {
  print_at(p, e->tok, "(");
  if (p->async && va_operation(e) == VA_START)
    print_va_start(p, e);
  else if (asks_for_constant(p, e))
    print_unevaluated(p, e->b, true);
  else
    print_list(p, e->b, print_argument);
  print_at(p, e->end, ")");
}

static void print_cond_tail(Printer *p, Node *e) {
  print_op(p, e);
  if (e->b)
    print_expr(p, e->b, L_COMMA);
  print_text(p, " : ");
  print_expr(p, e->c, L_COND);
}

// Prints the text after the first operand.
static void print_tail(Printer *p, Node *e) {
  switch (e->kind) {
  case N_CALL:
    print_call_tail(p, e);
    break;
  case N_INDEX:
    print_tok(p, e->tok);
    print_expr(p, e->b, L_COMMA);
    print_tok(p, e->end);
    break;
  case N_MEMBER:
  case N_ARROW:
    print_two_tokens(p, e);
    break;
  case N_POSTFIX:
    print_at(p, e->tok, op_text[e->op]);
    break;
  case N_COND:
    print_cond_tail(p, e);
    break;
  case N_ASSIGN:
    print_op(p, e);
    print_expr(p, e->b, L_ASSIGN);
    break;
  default:
    print_op(p, e);
    print_expr(p, e->b, expr_level(p, e) + 1);
    break;
  }
}

// Returns how tightly the first operand has to bind.
static Level first_operand_level(Printer *p, Node *e) {
  switch (e->kind) {
  case N_BINARY:
    return expr_level(p, e);
  case N_ASSIGN:
    return L_UNARY;
  case N_COND:
    return L_OROR;
  default:
    return L_POSTFIX;
  }
}

// Prints a parenthesis, if the expression binds less tightly than it has to.
static void print_paren(Printer *p, Node *e, Level least, const char *paren) {
  if (expr_level(p, e) < least)
    print_text(p, paren);
}

// First operands are walked in a loop, not by recursion: in a sum of a hundred thousand terms they
// are nested that deeply.
void print_expr(Printer *p, Node *e, Level least) {
  enum { FEW = 32 };
  Node *few[FEW];
  Node **spine = few;
  size_t n = 1;
  size_t i = 0;
  for (Node *k = e; begins_with_operand(k); k = k->a)
    n++;
  if (n > FEW)
    spine = xmalloc(n * sizeof *spine);
  for (; i < n; i++, e = e->a) {
    Level level = i ? first_operand_level(p, spine[i - 1]) : least;
    spine[i] = e;
    print_paren(p, e, level, "(");
  }
  while (i-- > 0) {
    Level level = i ? first_operand_level(p, spine[i - 1]) : least;
    if (i == n - 1)
      print_head(p, spine[i]);
    else
      print_tail(p, spine[i]);
    print_paren(p, spine[i], level, ")");
  }
  if (spine != few)
    free(spine);
}
