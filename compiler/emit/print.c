// print.c: trees as C text, with every token on the line where the user wrote it. The printer knows
// which file and line the C compiler believes to be at; print_sync() brings it to a token's, by
// newlines or a line marker, and lets out the pragmas that stand before that token. Parentheses are
// nodes of the tree, so an expression comes out as it was written; where lowering put it into
// another place, print_expr adds those that it needs there.
#include "emit/layout.h"

#include <ctype.h>
#include <stdlib.h>

// ---- text ----
static bool word_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

// two tokens that would become another
static bool would_paste(char a, char b) {
  if (word_char(a) && (word_char(b) || b == '"' || b == '\'' || b == '\\'))
    return true;
  if (a == b && strchr("+-&|<>=:#.", a))
    return true;
  return (b == '=' && strchr("+-*/%&|^<>!", a)) || (a == '-' && b == '>') ||
         (a == '/' && b == '*') || (a == '.' && isdigit((unsigned char)b)) ||
         (isdigit((unsigned char)a) && b == '.') ||
         (a == '<' && (b == ':' || b == '%')) || (a == '%' && b == ':');
}

void print_text(Printer *p, const char *s) {
  Buf *o = p->out;
  if (!*s)
    return;
  if (o->len && would_paste(o->data[o->len - 1], *s))
    buf_putc(o, ' ');
  buf_puts(o, s);
}

static void newline(Printer *p) {
  buf_putc(p->out, '\n');
  p->line++;
}

void put_line_marker(
    Unit *u, Buf *out, uint32_t line, uint16_t file, bool system) {
  if (out->len && out->data[out->len - 1] != '\n')
    buf_putc(out, '\n');
  buf_printf(out, "# %u \"", line);
  for (const char *s = u->files[file].name; *s; s++) {
    if (*s == '"' || *s == '\\')
      buf_putc(out, '\\');
    buf_putc(out, *s);
  }
  buf_puts(out, system ? "\" 3\n" : "\"\n");
}

static void marker(Printer *p, uint32_t line, uint16_t file, bool system) {
  put_line_marker(p->u, p->out, line, file, system);
  p->line = line;
  p->file = file;
  p->system = system;
}

static void indent(Printer *p) {
  int n = p->indent > 40 ? 40 : p->indent;
  for (int i = 0; i < n; i++)
    buf_puts(p->out, "  ");
}

static void pragmas_before(Printer *p, TokIndex t) {
  Unit *u = p->u;
  for (; p->pragma < u->npragmas && u->pragmas[p->pragma].before <= t;
       p->pragma++) {
    Pragma *g = &u->pragmas[p->pragma];
    if (has_own_pragma(u->text + g->pos, g->len))
      continue;
    marker(p, g->line, g->file, p->system);
    buf_add(p->out, u->text + g->pos, g->len);
    newline(p);
  }
}

void print_sync(Printer *p, TokIndex t) {
  Token *k = tok_at(p->u, t);
  // text for a message
  if (p->line == UINT32_MAX)
    return;
  pragmas_before(p, t);
  print_origin(p, t);
  bool system = (k->flags & TF_SYSTEM) || p->quiet;
  if (k->line == p->line && k->file == p->file && system == p->system)
    return;
  if (k->file == p->file && system == p->system && k->line > p->line &&
      k->line - p->line <= 8) {
    while (p->line < k->line)
      newline(p);
  } else {
    marker(p, k->line, k->file, system);
  }
  indent(p);
}

void print_lost(Printer *p) {
  p->line = 0;
  p->file = UINT16_MAX;
}

void print_tok(Printer *p, TokIndex t) {
  size_t n;
  const char *s = tok_text(p->u, t, &n);
  print_sync(p, t);
  if (p->out->len && n && would_paste(p->out->data[p->out->len - 1], *s))
    buf_putc(p->out, ' ');
  buf_add(p->out, s, n);
  for (size_t i = 0; i < n; i++)
    if (s[i] == '\n' && p->line != UINT32_MAX)
      p->line++;
}

void print_range(Printer *p, Range r) {
  for (TokIndex t = r.from, to; t < r.to; t++) {
    if (t > r.from && (tok_at(p->u, t)->flags & TF_SPACE))
      buf_putc(p->out, ' ');
    const char *text = edit_at(p->u, t, &to);
    if (text) {
      print_sync(p, t);
      print_text(p, text);
      t = to - 1;
    } else {
      print_tok(p, t);
    }
  }
  if (r.from < r.to)
    buf_putc(p->out, ' ');
}

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

// ---- expressions ----
static const char *const op_text[] = {
  [P_AMP] = "&",          [P_STAR] = "*",    [P_PLUS] = "+",
  [P_MINUS] = "-",        [P_TILDE] = "~",   [P_BANG] = "!",
  [P_SLASH] = "/",        [P_PERCENT] = "%", [P_SHL] = "<<",
  [P_SHR] = ">>",         [P_LT] = "<",      [P_GT] = ">",
  [P_LE] = "<=",          [P_GE] = ">=",     [P_EQ] = "==",
  [P_NE] = "!=",          [P_CARET] = "^",   [P_PIPE] = "|",
  [P_ANDAND] = "&&",      [P_OROR] = "||",   [P_ASSIGN] = "=",
  [P_MUL_A] = "*=",       [P_DIV_A] = "/=",  [P_MOD_A] = "%=",
  [P_ADD_A] = "+=",       [P_SUB_A] = "-=",  [P_SHL_A] = "<<=",
  [P_SHR_A] = ">>=",      [P_AND_A] = "&=",  [P_XOR_A] = "^=",
  [P_OR_A] = "|=",        [P_COMMA] = ",",   [P_QUESTION] = "?",
  [P_INC] = "++",         [P_DEC] = "--",    [K_REAL] = "__real__ ",
  [K_IMAG] = "__imag__ ",
};
const char *operator_text(TokenKind k) {
  return op_text[k];
}

static void print_at(Printer *p, TokIndex t, const char *text) {
  print_sync(p, t);
  print_text(p, text);
}

static void print_op(Printer *p, Node *e) {
  buf_putc(p->out, ' ');
  print_at(p, e->tok, e->kind == N_COND ? "?" : op_text[e->op]);
  buf_putc(p->out, ' ');
}

// __func__ in generated functions: the user's name for them
static bool is_function_name(Printer *p, Node *e) {
  return !e->sym && p->async && kind_at(p->u, e->tok) == T_IDENT &&
         tok_at(p->u, e->tok)->id->name[0] == '_';
}

static void print_ident(Printer *p, Node *e) {
  Symbol *s = e->sym;
  if (is_function_name(p, e)) {
    print_text(p, "\"");
    buf_puts(p->out, name_written(p->async->decl)->name);
    buf_puts(p->out, "\"");
    return;
  }
  if (!s || s->kind == S_BUILTIN) {
    print_tok(p, e->tok);
    return;
  }
  if (print_detached(p, s))
    return;
  bool framed = s->local && (p->version == V_CALL || p->version == V_RESUME);
  // of a function around this activate
  if (framed && s->local->owner && s->local->owner != p->async) {
    Buf path = { 0 };
    buf_puts(&path, "fm__f->");
    for (Async *a = p->async; a && a != s->local->owner; a = a->up)
      buf_puts(&path, "fm__up->");
    print_sync(p, e->tok);
    if (type_is_vm(s->type))
      print_vm_variable(p, s->local, path.data);
    else {
      print_text(p, path.data);
      buf_puts(p->out, s->local->name);
    }
    buf_free(&path);
    return;
  }
  if (framed && s->local->resident && type_is_vm(s->type)) {
    print_sync(p, e->tok);
    print_vm_variable(p, s->local, "fm__f->");
    return;
  }
  if (framed && s->local->resident) {
    print_at(p, e->tok, "fm__f->");
    buf_puts(p->out, s->local->name);
    return;
  }
  const char *name = s->emitted ? s->emitted : s->name->name;
  if (framed)
    name = p->version == V_RESUME ? s->local->name : call_name(s->local);
  print_at(p, e->tok, name);
}

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

// NAME ( expr , type ) and the like
static void print_typed(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  bool first = e->kind == N_OFFSETOF || e->kind == N_BIT_CAST;
  if (first)
    print_type_name(p, e->tname);
  else
    print_expr(p, e->a, L_ASSIGN);
  print_text(p, ", ");
  if (e->kind == N_OFFSETOF)
    print_offset_path(p, e->b);
  else if (first)
    print_expr(p, e->a, L_ASSIGN);
  else
    print_type_name(p, e->tname);
  print_tok(p, e->end);
}

// NAME ( expressions or types )
static void print_builtin(Printer *p, Node *e) {
  print_tok(p, e->tok);
  print_text(p, "(");
  Node *parts[] = { e->a,
                    e->kind == N_TGMATH || e->kind == N_GENERIC ? NULL : e->b,
                    e->c };
  bool any = false;
  for (int i = 0; i < 3; i++) {
    if (!parts[i])
      continue;
    if (any)
      print_text(p, ", ");
    bool chosen = e->kind == N_CHOOSE_EXPR && (i == 0 || i == e->op);
    print_unevaluated(p,
                      parts[i],
                      e->kind == N_GENERIC ||
                          (e->kind == N_CHOOSE_EXPR && !chosen));
    any = true;
  }
  if (e->kind == N_TGMATH)
    print_list(p, e->b, print_argument);
  if (e->kind == N_GENERIC) {
    if (e->b)
      print_text(p, ", ");
    print_list(p, e->b, print_assoc);
  }
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

// A compound literal that has to stand still is a variable of the frame.
static bool print_literal(Printer *p, Node *e) {
  Local *k = e->kind == N_COMPOUND_LIT && e->d ? e->d->sym->local : NULL;
  if (!k || !k->resident || (p->version != V_CALL && p->version != V_RESUME))
    return false;
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
  return true;
}

static void print_cast(Printer *p, Node *e) {
  if (print_literal(p, e))
    return;
  print_at(p, e->tok, "(");
  print_type_name(p, e->tname);
  print_text(p, ")");
  if (e->kind == N_COMPOUND_LIT)
    print_initializer(p, e->a);
  else
    print_expr(p, e->a, L_CAST);
}

static void print_sizeof(Printer *p, Node *e) {
  print_tok(p, e->tok);
  if (e->kind == N_SIZEOF || e->kind == N_ALIGNOF) {
    bool outer = p->unevaluated;
    p->unevaluated = true;
    print_text(p, " ");
    print_expr(p, e->a, L_UNARY);
    p->unevaluated = outer;
    return;
  }
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

// an expression that does not begin with another
static void print_head(Printer *p, Node *e) {
  switch (e->kind) {
  case N_IDENT:
    // a function that was resumed never comes to it
    if (p->version == V_RESUME && is_va_start(e))
      print_at(p, e->tok, "(void)");
    else
      print_ident(p, e);
    break;
  case N_NUMBER:
  case N_CHARCONST:
    print_tok(p, e->tok);
    break;
  case N_STRING:
  case N_OPAQUE:
    print_range(p, e->range);
    break;
  case N_PAREN:
  case N_STMT_EXPR:
    print_parenthesised(p, e);
    break;
  case N_UNARY:
  case N_PREFIX:
    print_unary(p, e);
    break;
  case N_EXTENSION:
    print_tok(p, e->tok);
    print_expr(p, e->a, L_CAST);
    break;
  case N_CALL:
  case N_AWAIT:
  case N_SPAWN:
  case N_RUN:
  case N_ATOMIC_EXPR:
  case N_CODE:
  case N_JOB:
  case N_RT:
  case N_COMPLETE:
    print_async_expr(p, e);
    break;
  case N_SIZEOF:
  case N_SIZEOF_TYPE:
  case N_ALIGNOF:
  case N_ALIGNOF_TYPE:
    print_sizeof(p, e);
    break;
  case N_CAST:
  case N_COMPOUND_LIT:
    print_cast(p, e);
    break;
  case N_LABEL_ADDR:
    print_tok(p, e->tok);
    print_tok(p, e->end);
    break;
  case N_GENERIC:
  case N_TYPES_COMPATIBLE:
  case N_CHOOSE_EXPR:
  case N_TGMATH:
    print_builtin(p, e);
    break;
  case N_VA_ARG:
  case N_OFFSETOF:
  case N_CONVERTVECTOR:
  case N_BIT_CAST:
    print_typed(p, e);
    break;
  case N_TYPE_ARG:
    print_type_name(p, e->tname);
    break;
  case N_INIT_LIST:
    print_initializer(p, e);
    break;
  default:
    break;
  }
}

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

// what follows the operand
static void print_tail(Printer *p, Node *e) {
  switch (e->kind) {
  case N_CALL:
    print_at(p, e->tok, "(");
    if (p->async && va_operation(e) == VA_START) {
      print_va_start(p, e);
      print_at(p, e->end, ")");
      break;
    }
    if (e->a->kind == N_IDENT && e->b &&
        tok_is(p->u, e->a->tok, "__builtin_constant_p"))
      print_unevaluated(p, e->b, true);
    else
      print_list(p, e->b, print_argument);
    print_at(p, e->end, ")");
    break;
  case N_INDEX:
    print_tok(p, e->tok);
    print_expr(p, e->b, L_COMMA);
    print_tok(p, e->end);
    break;
  case N_MEMBER:
  case N_ARROW:
    print_tok(p, e->tok);
    print_tok(p, e->end);
    break;
  case N_POSTFIX:
    print_at(p, e->tok, op_text[e->op]);
    break;
  case N_COND:
    print_op(p, e);
    if (e->b)
      print_expr(p, e->b, L_COMMA);
    print_text(p, " : ");
    print_expr(p, e->c, L_COND);
    break;
  default:
    print_op(p, e);
    print_expr(p, e->b, e->kind == N_ASSIGN ? L_ASSIGN : expr_level(p, e) + 1);
    break;
  }
}

// how tightly it has to bind
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

// if it binds less tightly than it has to
static void print_paren(Printer *p, Node *e, Level least, const char *paren) {
  if (expr_level(p, e) < least)
    print_text(p, paren);
}

// The left spine is walked in a loop: a sum of a hundred thousand terms is that deep.
void print_expr(Printer *p, Node *e, Level least) {
  Node *few[32], **spine = few;
  size_t n = 1, i = 0;
  for (Node *k = e; begins_with_operand(k); k = k->a)
    n++;
  if (n > 32)
    spine = xmalloc(n * sizeof *spine);
  for (; i < n; i++, e = e->a) {
    spine[i] = e;
    print_paren(p, e, i ? first_operand_level(p, spine[i - 1]) : least, "(");
  }
  while (i-- > 0) {
    if (i == n - 1)
      print_head(p, spine[i]);
    else
      print_tail(p, spine[i]);
    print_paren(p,
                spine[i],
                i ? first_operand_level(p, spine[i - 1]) : least,
                ")");
  }
  if (spine != few)
    free(spine);
}

// ---- declarations ----
// where an assertion can be put in front of the value
static bool plain_scalar_init(Decl *d) {
  bool is_static =
      d->specs->storage == ST_STATIC || d->specs->storage == ST_EXTERN;
  return !is_static && d->init->kind != N_INIT_LIST &&
         canon(d->type)->kind != TY_ARRAY && !d->specs->auto_type;
}

static void print_one_declarator(Printer *p, Decl *d) {
  print_text(p, " ");
  print_range(p, d->pre);
  Type *async = d->specs->is_async ? async_target(d->written) : NULL;
  print_declarator(
      p, d->written, async ? async : d->specs->base, d->name->name, d->tok);
  print_text(p, " ");
  print_range(p, d->post);
  if (!d->init)
    return;
  print_text(p, "= ");
  if (plain_scalar_init(d))
    print_checked(p, d->init, L_ASSIGN);
  else
    print_initializer(p, d->init);
}

static void print_declaration(Printer *p, Node *s) {
  print_sync(p, s->tok);
  bool in_two = s->decl->names_itself && (s->decl->ahead || !s->decl->init);
  if ((p->async || in_two) && print_async_decl(p, s))
    return;
  print_specs(p, s->decl->specs);
  for (Decl *d = s->decl; d; d = d->next) {
    if (d->name)
      print_one_declarator(p, d);
    if (d->next)
      print_text(p, ",");
  }
  print_text(p, ";");
}

// a nested function in the old style: as written
static void print_old_params(Printer *p, Decl *d) {
  TokIndex after = d->range.to, body = after;
  while (kind_at(p->u, body) != P_LBRACE)
    body++;
  print_range(p, (Range){ after, body });
}

static void print_nested(Printer *p, Node *s) {
  Decl *d = s->decl;
  print_sync(p, s->tok);
  print_specs(p, d->specs);
  print_text(p, " ");
  print_range(p, d->range);
  if (canon(d->type)->oldstyle && canon(d->type)->params)
    print_old_params(p, d);
  else
    print_range(p, d->post);
  print_statement(p, s->a);
}

// ---- statements ----
static void print_block(Printer *p, Node *s) {
  print_at(p, s->tok, "{");
  p->indent++;
  for (Node *k = s->a; k; k = k->next) {
    print_text(p, " ");
    print_statement(p, k);
  }
  p->indent--;
  print_at(p, s->end, "}");
}

static void print_keyword(Printer *p, Node *s, const char *word) {
  print_sync(p, s->tok);
  print_text(p, word);
}

static void print_condition(Printer *p, Node *s, const char *word) {
  print_text(p, word);
  print_text(p, " (");
  print_checked(p, s->a, L_COMMA);
  print_text(p, ") ");
}

// the chain of `else if` in a loop
static void print_if(Printer *p, Node *s) {
  for (;; s = s->c) {
    print_sync(p, s->tok);
    print_condition(p, s, "if");
    print_statement(p, s->b);
    if (!s->c)
      return;
    print_at(p, s->end > s->tok ? s->end : s->c->tok, "else");
    print_text(p, " ");
    if (s->c->kind != N_IF || s->c->attrs.from != s->c->attrs.to)
      break;
  }
  print_statement(p, s->c);
}

static void print_loop_body(Printer *p, Node *s) {
  p->breaks++;
  p->continues++;
  print_statement(p, s);
  p->breaks--;
  p->continues--;
}

static void print_while(Printer *p, Node *s) { // or switch
  print_sync(p, s->tok);
  print_condition(p, s, s->kind == N_WHILE ? "while" : "switch");
  if (s->kind == N_WHILE) {
    print_loop_body(p, s->b);
    return;
  }
  p->breaks++;
  print_statement(p, s->b);
  p->breaks--;
}

// { init; for (; … ) }: in an async function several declarators cannot all become assignments in
// the heading.
static void print_for(Printer *p, Node *s) {
  bool apart = p->async && s->a && s->a->kind == N_DECL && s->a->decl->next;
  if (apart) {
    print_text(p, "{ ");
    print_statement(p, s->a);
    print_text(p, " ");
  }
  print_keyword(p, s, "for (");
  if (s->a && !apart)
    print_statement(p, s->a);
  else
    print_text(p, ";");
  if (s->b)
    print_checked(p, s->b, L_COMMA);
  print_text(p, "; ");
  if (s->c)
    print_checked(p, s->c, L_COMMA);
  print_text(p, ") ");
  print_loop_body(p, s->d);
  if (apart)
    print_text(p, " }");
}

static void print_do(Printer *p, Node *s) {
  print_keyword(p, s, "do ");
  print_loop_body(p, s->b);
  print_text(p, " ");
  print_condition(p, s, "while");
  print_text(p, ";");
}

// `__attribute__((fallthrough));` or `[[fallthrough]];` stands before the label: one is enough
static bool has_fall_through(Unit *u, TokIndex label) {
  return label > 4 && kind_at(u, label - 1) == P_SEMI &&
         (tok_is(u, label - 4, "fallthrough") ||
          tok_is(u, label - 4, "__fallthrough__"));
}

// Comments are gone from preprocessed text, and with them the one that says `fall through`; gcc
// wants to see it.
bool says_fall_through(Unit *u, TokIndex label) {
  if (has_fall_through(u, label))
    return false;
  Token *k = tok_at(u, label), *before = tok_at(u, label ? label - 1 : 0);
  if (!label || k->file != before->file || (k->flags & TF_SYSTEM) ||
      k->line - before->line > 20)
    return false;
  for (uint32_t line = before->line; line <= k->line; line++) {
    size_t n = 0;
    const char *text = source_line(u, k->file, line, &n);
    for (size_t i = 0; text && i + 9 < n; i++) {
      if (strncasecmp(text + i, "fall", 4) != 0)
        continue;
      // not a comment
      if (!memmem(text, i, "/*", 2) && !memmem(text, i, "//", 2))
        continue;
      const char *rest =
          text + i + 4 + (tolower((unsigned char)text[i + 4]) == 's');
      if (*rest == ' ' || *rest == '-' || *rest == '_')
        rest++;
      if ((size_t)(text + n - rest) >= 4 && strncasecmp(rest, "thr", 3) == 0)
        return true;
    }
  }
  return false;
}

static void print_labels(Printer *p, Node *s) {
  bool noted = p->u->opt.clang || p->quiet ||
               kind_at(p->u, s->tok - 1) == P_LBRACE || s->kind == N_LABEL;
  if (!noted && says_fall_through(p->u, s->tok))
    print_text(p, "__attribute__((fallthrough)); ");
  for (; s; s = s->c) {
    if (s->kind != N_CASE && s->kind != N_DEFAULT && s->kind != N_LABEL) {
      print_statement(p, s);
      return;
    }
    // attributes before it
    if (s->d)
      print_range(p, s->d->range);
    print_at(p,
             s->tok,
             s->kind == N_CASE      ? "case"
             : s->kind == N_DEFAULT ? "default"
                                    : s->name->name);
    if (s->kind == N_CASE) {
      print_text(p, " ");
      print_expr(p, s->a, L_COND);
    }
    if (s->kind == N_CASE && s->b) {
      print_text(p, " ... ");
      print_expr(p, s->b, L_COND);
    }
    print_text(p, ": ");
    if (s->kind == N_LABEL && strncmp(s->name->name, "fm__c", 5) == 0)
      print_text(p, "__attribute__((unused)) ");
    print_range(p, s->attrs);
  }
}

static void print_asm(Printer *p, Node *s) {
  for (Node *o = s->asm_->operands; o; o = o->next) {
    print_range(p, o->range);
    print_expr(p, o->a, L_COMMA);
  }
  print_range(p, s->asm_->tail);
  print_text(p, ";");
}

static void print_jump(Printer *p, Node *s) {
  print_sync(p, s->tok);
  if (print_jump_out(p, s))
    return;
  switch (s->kind) {
  case N_GOTO:
    print_text(p, "goto ");
    print_text(p, s->name->name);
    break;
  case N_GOTO_COMPUTED:
    print_text(p, "goto *");
    print_expr(p, s->a, L_COMMA);
    break;
  case N_BREAK:
    print_text(p, "break");
    break;
  case N_CONTINUE:
    print_text(p, "continue");
    break;
  default:
    print_text(p, "return ");
    if (s->a)
      print_checked(p, s->a, L_COMMA);
    break;
  }
  print_text(p, ";");
}

static void print_static_assert(Printer *p, Node *s) {
  print_keyword(p, s, "_Static_assert(");
  print_expr(p, s->a, L_COND);
  if (s->b) {
    print_text(p, ", ");
    print_expr(p, s->b, L_ASSIGN);
  }
  print_text(p, ");");
}

// One of the translation's own variables, of a structure with const members: one cannot assign to
// it.
static bool fixed_temporary(const Node *e) {
  return e->kind == N_ASSIGN && e->a->kind == N_IDENT && e->a->sym &&
         e->a->sym->local && e->a->sym->local->temp &&
         type_has_const_member(e->a->type);
}

static void print_fixed_temporary(Printer *p, Node *e) {
  print_text(p, "{ ");
  print_type(p, e->a->type, "fm__i", 0);
  print_text(p, " = ");
  print_expr(p, e->b, L_ASSIGN);
  print_text(p, "; __builtin_memcpy((void *)&");
  print_expr(p, e->a, L_CAST);
  print_text(p, ", &fm__i, sizeof fm__i); }");
}

void print_statement(Printer *p, Node *s) {
  if (s->kind != N_LABEL && s->kind != N_CASE && s->kind != N_DEFAULT &&
      !(p->part &&
        s->kind == N_EMPTY)) // fallthrough: the label may be elsewhere
    print_range(p, s->attrs);
  switch (s->kind) {
  case N_COMPOUND:
    print_block(p, s);
    break;
  case N_EXPR:
    if (fixed_temporary(s->a)) {
      print_fixed_temporary(p, s->a);
      break;
    }
    print_sync(p, s->tok);
    print_checked(p, s->a, L_COMMA);
    print_text(p, ";");
    break;
  case N_DECL:
    print_declaration(p, s);
    break;
  case N_IF:
    print_if(p, s);
    break;
  case N_WHILE:
  case N_SWITCH:
    print_while(p, s);
    break;
  case N_DO:
    print_do(p, s);
    break;
  case N_FOR:
    print_for(p, s);
    break;
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    print_labels(p, s);
    break;
  case N_ASM:
    print_asm(p, s);
    break;
  case N_EMPTY:
    print_keyword(p, s, ";");
    break;
  case N_LOCAL_LABELS:
    print_range(p, s->range);
    break;
  case N_NESTED_FUNC:
    print_nested(p, s);
    break;
  case N_PART:
    print_part(p, s);
    break;
  case N_STATIC_ASSERT:
    print_static_assert(p, s);
    break;
  case N_ACTIVATE:
  case N_YIELD:
  case N_AUTO:
  case N_PAUSE:
  case N_TAIL:
  case N_CODE:
  case N_THROW:
  case N_RETHROW:
    print_async_stmt(p, s);
    break;
  case N_RETURN:
    if (p->async)
      print_async_stmt(p, s);
    else
      print_jump(p, s);
    break;
  default:
    print_jump(p, s);
    break;
  }
}
