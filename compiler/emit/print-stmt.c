// print-stmt.c: prints statements and declarations. A table has the function for each kind of
// statement; print-pause.c has those for the kinds that the versions print differently.
#include "emit/layout.h"

// ---- declarations ----
// The initial value is an expression, before which assertions (assert.c) can stand.
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

// The parameters of a nested function in the old style, as written.
static void print_old_params(Printer *p, Decl *d) {
  TokIndex after = d->range.to;
  TokIndex body = after;
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

// ---- blocks and branches ----
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

// A chain of `else if` is printed in a loop.
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

// ---- loops and switch ----
static void print_loop_body(Printer *p, Node *s) {
  p->breaks++;
  p->continues++;
  print_statement(p, s);
  p->breaks--;
  p->continues--;
}

static void print_while(Printer *p, Node *s) {
  print_sync(p, s->tok);
  print_condition(p, s, "while");
  print_loop_body(p, s->b);
}

static void print_switch(Printer *p, Node *s) {
  print_sync(p, s->tok);
  print_condition(p, s, "switch");
  p->breaks++;
  print_statement(p, s->b);
  p->breaks--;
}

static void print_for_heading(Printer *p, Node *s, Node *first) {
  print_keyword(p, s, "for (");
  if (first)
    print_statement(p, first);
  else
    print_text(p, ";");
  if (s->b)
    print_checked(p, s->b, L_COMMA);
  print_text(p, "; ");
  if (s->c)
    print_checked(p, s->c, L_COMMA);
  print_text(p, ") ");
}

// In an async function a declaration with several declarators may become several statements. Then
// it stands before the loop: { init; for (; … ) }.
static void print_for(Printer *p, Node *s) {
  bool apart = p->async && s->a && s->a->kind == N_DECL && s->a->decl->next;
  if (apart) {
    print_text(p, "{ ");
    print_statement(p, s->a);
    print_text(p, " ");
  }
  print_for_heading(p, s, apart ? NULL : s->a);
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

// ---- labels and jumps ----
static bool is_label(const Node *s) {
  return s->kind == N_CASE || s->kind == N_DEFAULT || s->kind == N_LABEL;
}

static const char *label_word(const Node *s) {
  if (s->kind == N_CASE)
    return "case";
  return s->kind == N_DEFAULT ? "default" : s->name->name;
}

static void print_case_values(Printer *p, Node *s) {
  print_text(p, " ");
  print_expr(p, s->a, L_COND);
  if (!s->b)
    return;
  print_text(p, " ... ");
  print_expr(p, s->b, L_COND);
}

static void print_one_label(Printer *p, Node *s) {
  if (s->d) // attributes before the label
    print_range(p, s->d->range);
  print_at(p, s->tok, label_word(s));
  if (s->kind == N_CASE)
    print_case_values(p, s);
  print_text(p, ": ");
  if (s->kind == N_LABEL && strncmp(s->name->name, "fm__c", 5) == 0)
    print_text(p, "__attribute__((unused)) ");
  print_range(p, s->attrs);
}

static void print_labels(Printer *p, Node *s) {
  bool first = kind_at(p->u, s->tok - 1) == P_LBRACE || s->kind == N_LABEL;
  bool silent = p->u->opt.clang || p->quiet;
  if (!first && !silent && says_fall_through(p->u, s->tok))
    print_text(p, "__attribute__((fallthrough)); ");
  for (; s && is_label(s); s = s->c)
    print_one_label(p, s);
  if (s)
    print_statement(p, s);
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

static void print_return(Printer *p, Node *s) {
  if (p->async)
    print_async_stmt(p, s);
  else
    print_jump(p, s);
}

// ---- other statements ----
static void print_asm(Printer *p, Node *s) {
  for (Node *o = s->asm_->operands; o; o = o->next) {
    print_range(p, o->range);
    print_expr(p, o->a, L_COMMA);
  }
  print_range(p, s->asm_->tail);
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

static void print_empty(Printer *p, Node *s) {
  print_keyword(p, s, ";");
}

// `__label__`: the user's, or one that frame/block-labels.c has made
static void print_local_labels(Printer *p, Node *s) {
  if (!s->val)
    print_range(p, s->range);
  else if (p->version != V_CALL && p->version != V_RESUME)
    buf_printf(p->out, "__label__ %s; ", s->name->name);
}

// e assigns to a temporary of a structure with const members, to which C cannot assign.
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

static void print_expression(Printer *p, Node *s) {
  if (fixed_temporary(s->a)) {
    print_fixed_temporary(p, s->a);
    return;
  }
  print_sync(p, s->tok);
  print_checked(p, s->a, L_COMMA);
  print_text(p, ";");
}

// The function for each kind of statement. Other kinds are jumps.
// clang-format off
static void (*const printers[N_PART + 1])(Printer *, Node *) = {
  [N_ACTIVATE] = print_async_stmt,
  [N_ASM] = print_asm,
  [N_AUTO] = print_async_stmt,
  [N_CASE] = print_labels,
  [N_CODE] = print_async_stmt,
  [N_COMPOUND] = print_block,
  [N_DECL] = print_declaration,
  [N_DEFAULT] = print_labels,
  [N_DO] = print_do,
  [N_EMPTY] = print_empty,
  [N_ENTRY] = print_async_stmt,
  [N_EXPR] = print_expression,
  [N_FOR] = print_for,
  [N_IF] = print_if,
  [N_LABEL] = print_labels,
  [N_LOCAL_LABELS] = print_local_labels,
  [N_NESTED_FUNC] = print_nested,
  [N_PART] = print_part,
  [N_PAUSE] = print_async_stmt,
  [N_RETHROW] = print_async_stmt,
  [N_RETURN] = print_return,
  [N_STATIC_ASSERT] = print_static_assert,
  [N_SWITCH] = print_switch,
  [N_TAIL] = print_async_stmt,
  [N_THROW] = print_async_stmt,
  [N_WHILE] = print_while,
  [N_YIELD] = print_async_stmt,
};
// clang-format on

void print_statement(Printer *p, Node *s) {
  // In a part of a large function the label after `[[fallthrough]];` may be in another part.
  bool falls_elsewhere = p->part && s->kind == N_EMPTY;
  if (!is_label(s) && !falls_elsewhere)
    print_range(p, s->attrs);
  if (printers[s->kind])
    printers[s->kind](p, s);
  else
    print_jump(p, s);
}
