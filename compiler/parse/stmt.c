// stmt.c: statements and function bodies.
//
//     statement = compound | [ expr ] ";"
//               | "if" … | "switch" … | "case" … | "default" ":"
//               | "while" … | "do" … | "for" … | "break" ";" | "continue" ";"
//               | label ":" | "goto" … | "return" [ expr ] ";"
//               | asm | attributes ";"
//     compound  = "{" { "__label__" names ";" } { declaration | statement } "}"
#include "fmcc.h"

Node *parse_condition(Unit *u, const char *after) {
  expect(u, P_LPAREN, after);
  Node *e = parse_expr(u);
  check_no_task(u, e, first_token(e));
  expect(u, P_RPAREN, "after the condition");
  return e;
}

static Node *end_with_semi(Unit *u, Node *n, const char *after) {
  n->end = u->p;
  expect(u, P_SEMI, after);
  return n;
}

// ---- selection and loops ----
// A loop reads a chain of `else if`, because it can be thousands long.
static Node *if_statement(Unit *u) {
  Node *first = NULL;
  Node **where = &first;
  for (;;) {
    Node *n = *where = node_new(u, N_IF, u->p++);
    n->a = parse_condition(u, "after `if`");
    n->b = parse_statement(u);
    if (cur(u) != K_ELSE)
      return first;
    n->end = u->p++;
    where = &n->c;
    if (cur(u) == K_IF)
      continue;
    n->c = parse_statement(u);
    return first;
  }
}

static Node *while_statement(Unit *u) {
  Node *n = node_new(u, N_WHILE, u->p++);
  n->a = parse_condition(u, "after `while`");
  n->b = parse_statement(u);
  return n;
}

static Node *do_statement(Unit *u) {
  Node *n = node_new(u, N_DO, u->p++);
  n->b = parse_statement(u);
  expect(u, K_WHILE, "after the body of `do`");
  n->a = parse_condition(u, "after `while`");
  return end_with_semi(u, n, "after `do … while (…)`");
}

// `strnig s;` and `strnig *s;` are meant as declarations.
static void refuse_unknown_type(Unit *u) {
  if (cur(u) != T_IDENT || tok_at(u, u->p)->id->sym || word_at(u, u->p))
    return;
  TokIndex t = u->p + 1;
  while (kind_at(u, t) == P_STAR)
    t++;
  if (kind_at(u, t) != T_IDENT)
    return;
  TokenKind k = kind_at(u, t + 1);
  bool declares =
      k == P_SEMI || k == P_ASSIGN || k == P_COMMA || k == P_LBRACKET;
  if (declares || t == u->p + 1)
    fail_unknown_type(u, u->p);
}

static Node *expression_statement(Unit *u) {
  refuse_unknown_type(u);
  Node *n = node_new(u, N_EXPR, u->p);
  n->a = parse_expr(u);
  if (!is_value_of_block(u))
    drop_value(u, n->a);
  return end_with_semi(u, n, "after this expression");
}

// A `for` with variables that fmcc cleans up becomes { declaration for (; …) … }.
static Node *cleaned_up(Unit *u, Node *loop) {
  bool cleans = false;
  for (Decl *d = loop->a && loop->a->kind == N_DECL ? loop->a->decl : NULL; d;
       d = d->next)
    cleans |= d->cleanup != NULL;
  if (!cleans)
    return loop;
  Node *block = node_new(u, N_COMPOUND, loop->tok);
  block->a = loop->a;
  block->a->next = loop;
  block->end = u->p - 1;
  loop->a = NULL;
  return block;
}

Node *parse_for_heading(Unit *u) {
  Node *n = node_new(u, N_FOR, u->p++);
  expect(u, P_LPAREN, "after `for`");
  scope_enter(u);
  if (starts_type(u, u->p) || cur(u) == K_STATIC_ASSERT)
    n->a = parse_declaration(u);
  else if (!accept(u, P_SEMI))
    n->a = expression_statement(u);
  if (n->a && n->a->kind == N_NESTED_FUNC)
    fail_at(u,
            u->p,
            "a function cannot be defined here: move it to file scope");
  if (n->a && n->a->kind == N_DECL && n->a->decl->specs->auto_type &&
      n->a->decl->next)
    u->no_witness = true;
  if (cur(u) != P_SEMI)
    n->b = parse_expr(u);
  expect(u, P_SEMI, "after the condition of `for`");
  if (cur(u) != P_RPAREN)
    n->c = parse_expr(u);
  if (n->c)
    drop_value(u, n->c);
  expect(u, P_RPAREN, "after the heading of `for`");
  return n;
}

static Node *for_statement(Unit *u) {
  Node *n = parse_for_heading(u);
  n->d = parse_statement(u);
  scope_leave(u);
  return cleaned_up(u, n);
}

static Node *switch_statement(Unit *u) {
  Node *n = node_new(u, N_SWITCH, u->p++);
  n->a = parse_condition(u, "after `switch`");
  n->b = parse_statement(u);
  return n;
}

// ---- labels ----
// A label before `}` has no statement.
static bool at_block_end(Unit *u) {
  return cur(u) == P_RBRACE;
}

static Node *labelled(Unit *u, Node *n) {
  TokIndex from = u->p;
  skip_attributes(u);
  n->attrs = (Range){ from, u->p };
  if (!at_block_end(u) && !starts_type(u, u->p))
    n->c = parse_statement(u);
  return n;
}

static Node *case_label(Unit *u) {
  Node *n = node_new(u, N_CASE, u->p++);
  n->a = parse_fixed(u);
  if (accept(u, P_ELLIPSIS))
    n->b = parse_fixed(u);
  n->end = u->p;
  expect(u, P_COLON, "after this `case`");
  return n;
}

static void check_entered(Unit *u, const char *word) {
  if (u->body->switches)
    return;
  if (u->body->async && u->body->async->up)
    error_at(u,
             u->p,
             "the `switch` of this `%s` is outside: a jump cannot enter the "
             "%s",
             word,
             body_word(u));
  else if (u->body->whole->strict && !u->body->cleanup)
    error_at(u, u->p, "this `%s` is outside of any `switch`", word);
}

// A loop reads labels in a row.
static Node *label_chain(Unit *u) {
  Node *first = NULL;
  Node **where = &first;
  for (;;) {
    Node *n;
    bool of_switch = cur(u) == K_CASE || cur(u) == K_DEFAULT;
    if (of_switch)
      check_entered(u, cur(u) == K_CASE ? "case" : "default");
    if (cur(u) == K_CASE) {
      n = case_label(u);
    } else if (cur(u) == K_DEFAULT) {
      n = node_new(u, N_DEFAULT, u->p++);
      n->end = u->p;
      expect(u, P_COLON, "after `default`");
    } else {
      n = node_new(u, N_LABEL, u->p++);
      n->name = tok_at(u, n->tok)->id;
      vec_push(&u->body->whole->labels, n->name);
      if (u->body->async)
        vec_push(&u->body->async->labels, n->name);
      u->p++;
    }
    *where = n;
    where = &n->c;
    bool more = cur(u) == K_CASE || cur(u) == K_DEFAULT ||
                (cur(u) == T_IDENT && kind_at(u, u->p + 1) == P_COLON);
    if (!more) {
      labelled(u, n);
      return first;
    }
  }
}

// ---- jumps ----
static Node *goto_statement(Unit *u) {
  Node *n = node_new(u, N_GOTO, u->p++);
  // in a statement expression, the jump may leave code that has a cleanup
  u->body->natomics++;
  if (accept(u, P_STAR)) {
    n->kind = N_GOTO_COMPUTED;
    n->a = parse_expr(u);
  } else {
    if (cur(u) != T_IDENT)
      expect(u, T_IDENT, "of a label after `goto`");
    n->name = tok_at(u, u->p++)->id;
  }
  return end_with_semi(u, n, "after `goto`");
}

static Node *return_statement(Unit *u) {
  Node *n = node_new(u, N_RETURN, u->p++);
  u->body->natomics++;
  if (cur(u) != P_SEMI)
    n->a = parse_expr(u);
  bool infers = u->body->async && u->body->async->infers;
  // the first `return` gives the type of a job
  if (n->a && u->body->async && u->body->async->infers) {
    u->body->func->type->base = rvalue(u, n->a);
    u->body->async->infers = false;
  }
  if (n->a && u->body->async && u->body->async->up)
    error_at(u,
             n->tok,
             "the %s returns no value: `return;` ends it",
             body_word(u));
  if (n->a)
    used_as_value(u, n->a);
  if (n->a && u->body->func && canon(u->body->func->type)->kind == TY_FUNC) {
    check_convert(u, n->a, canon(u->body->func->type)->base);
    give_throws(u, n->a, canon(u->body->func->type)->base, NULL);
  }
  if (u->body->cleanup)
    error_at(u, n->tok, "a `return` cannot leave `finally` or `defer`");
  end_with_semi(u, n, "after `return`");
  witness_return(u, n, infers);
  return n;
}

// break, continue
static Node *simple(Unit *u, NodeKind k, const char *after) {
  u->body->natomics++;
  return end_with_semi(u, node_new(u, k, u->p++), after);
}

// ---- asm ----
// The expressions of the operands are parsed; the rest is kept as written.
Node *parse_asm(Unit *u) {
  Node *n = node_new(u, N_ASM, u->p++);
  AsmPart *a = n->asm_ = NEW(&u->arena, AsmPart);
  Node **tail = &a->operands;
  while (cur(u) == K_VOLATILE || cur(u) == K_INLINE || cur(u) == K_GOTO ||
         cur(u) == K_CONST) {
    if (cur(u) == K_GOTO && u->body->async)
      u->body->async->asm_jumps = true;
    u->p++;
  }
  if (cur(u) != P_LPAREN)
    expect(u, P_LPAREN, "after `asm`");
  TokIndex end = skip_balanced(u, u->p);
  TokIndex from = n->tok;
  a->head = (Range){ from, from };
  u->p++;
  int colons = 0; // operands stand after the first and the second
  for (; u->p < end - 1; u->p++) {
    if (cur(u) == P_COLON)
      colons++;
    if (cur(u) == P_COLONCOLON)
      colons += 2;
    bool operand = cur(u) == P_LPAREN && (colons == 1 || colons == 2) &&
                   kind_at(u, u->p - 1) == T_STRING;
    if (cur(u) == P_LBRACKET)
      u->p = skip_balanced(u, u->p) - 1;
    else if (operand) {
      Node *o = *tail = node_new(u, N_OPAQUE, u->p);
      tail = &o->next;
      u->p++;
      o->range = (Range){ from, u->p };
      o->a = parse_expr(u);
      flags_up(n, o->a);
      from = u->p;
      if (cur(u) != P_RPAREN)
        expect(u, P_RPAREN, "after this operand");
    }
  }
  a->tail = (Range){ from, end };
  u->p = end;
  return end_with_semi(u, n, "after `asm (…)`");
}

// ---- compound ----
static Node *local_labels(Unit *u) {
  Node *n = node_new(u, N_LOCAL_LABELS, u->p);
  TokIndex from = u->p;
  while (cur(u) != P_SEMI && cur(u) != T_EOF)
    u->p++;
  expect(u, P_SEMI, "after the labels");
  n->range = (Range){ from, u->p };
  if (u->body->async)
    u->body->async->own_labels = true;
  return n;
}

static bool is_label(Unit *u) {
  return cur(u) == T_IDENT && kind_at(u, u->p + 1) == P_COLON;
}

// `[[fallthrough]];`, `__attribute__((fallthrough));`
static bool attribute_statement(Unit *u) {
  if (cur(u) != K_ATTRIBUTE &&
      !(cur(u) == P_LBRACKET && kind_at(u, u->p + 1) == P_LBRACKET))
    return false;
  TokIndex back = u->p;
  bool std = cur(u) == P_LBRACKET; // `[[…]] x` is no declaration without a type
  skip_attributes(u);
  bool is = cur(u) == P_SEMI || is_label(u) ||
            (!starts_type(u, u->p) &&
             (std || (cur(u) != T_IDENT && cur(u) != P_STAR)));
  u->p = back;
  return is;
}

static Node *nested_function(Unit *u, Node *n) {
  Symbol *outer = u->body->func;
  if (u->body->async)
    error_at(u,
             n->decl->tok,
             "a function cannot be defined inside an async function: move it "
             "to file scope");
  u->body->whole->nested++;
  u->body->func = n->decl->sym;
  n->a = parse_body(u, n->decl, u->p);
  u->body->func = outer;
  u->body->whole->nested--;
  return n;
}

Node *parse_block_item(Unit *u) {
  if (cur(u) == K_LABEL)
    return local_labels(u);
  bool declares = !is_label(u) &&
                  (starts_type(u, u->p) || cur(u) == K_STATIC_ASSERT) &&
                  !attribute_statement(u);
  if (cur(u) == K_EXTENSION && !starts_type(u, u->p))
    declares = kind_at(u, u->p + 1) == K_STATIC_ASSERT;
  if (!declares)
    return parse_statement(u);
  Node *n = parse_declaration(u);
  return n->kind == N_NESTED_FUNC ? nested_function(u, n) : n;
}

// Reads the block from its `{`. The caller enters and leaves the scope.
static Node *block(Unit *u, Node *n) {
  Node **tail = &n->a;
  n->val = u->scope_depth;
  expect(u, P_LBRACE, "to open this block");
  while (cur(u) != P_RBRACE) {
    if (cur(u) == T_EOF) {
      error_at(u, n->tok, "this `{` is never closed");
      longjmp(*u->recover, 1);
    }
    TokIndex first = u->p;
    Thrown *thrown = u->body->thrown;
    *tail = parse_block_item(u);
    if (u->body->thrown != thrown)
      witness_may_throw(u, first, (*tail)->kind == N_DECL);
    tail = &(*tail)->next;
  }
  n->end = u->p++;
  return n;
}

Node *parse_compound(Unit *u) {
  NEST(u);
  scope_enter(u);
  Node *n = block(u, node_new(u, N_COMPOUND, u->p));
  scope_leave(u);
  UNNEST(u);
  return n;
}

static Node *with_attributes(Unit *u) {
  TokIndex from = u->p;
  skip_attributes(u);
  Range attrs = { from, u->p };
  Node *n =
      cur(u) == P_SEMI ? node_new(u, N_EMPTY, u->p++) : parse_statement(u);
  if (n->kind == N_LABEL || n->kind == N_CASE || n->kind == N_DEFAULT) {
    n->d = node_new(u, N_OPAQUE, from); // a label's own `attrs` stand after it
    n->d->range = attrs;
  } else {
    n->attrs = attrs;
  }
  return n;
}

// around: how many statements there are that `word` could leave.
static void
check_leaves(Unit *u, const char *word, int around, const char *what) {
  if (around)
    return;
  if (u->body->cleanup)
    error_at(u, u->p, "`%s` cannot leave `finally` or `defer`", word);
  else if (u->body->async && u->body->async->up)
    error_at(u, u->p, "`%s` cannot leave the %s", word, body_word(u));
  else if (u->body->whole->strict)
    error_at(u, u->p, "this `%s` is outside of any %s", word, what);
}

static Node *statement(Unit *u) {
  if (is_label(u))
    return label_chain(u);
  if (attribute_statement(u))
    return with_attributes(u);
  DialectWord w = word_at(u, u->p);
  Node *dialect = w ? parse_dialect_stmt(u, w) : NULL;
  if (dialect)
    return dialect;
  switch (cur(u)) {
  case P_LBRACE:
    return parse_compound(u);
  case P_SEMI:
    return node_new(u, N_EMPTY, u->p++);
  case K_IF:
    return if_statement(u);
  case K_WHILE:
    return while_statement(u);
  case K_DO:
    return do_statement(u);
  case K_FOR:
    return for_statement(u);
  case K_SWITCH:
    return switch_statement(u);
  case K_CASE:
  case K_DEFAULT:
    return label_chain(u);
  case K_GOTO:
    return goto_statement(u);
  case K_BREAK:
    check_leaves(u, "break", u->body->breakable, "loop or switch");
    return simple(u, N_BREAK, "after `break`");
  case K_CONTINUE:
    check_leaves(u, "continue", u->body->loops, "loop");
    return simple(u, N_CONTINUE, "after `continue`");
  case K_RETURN:
    return return_statement(u);
  case K_ASM:
    return parse_asm(u);
  default:
    return expression_statement(u);
  }
}

// Counts loops and switches: `break` and `continue` may leave nothing else.
static Node *counted(Unit *u) {
  TokenKind k = cur(u);
  bool loop = k == K_WHILE || k == K_DO || k == K_FOR;
  bool breakable = loop || k == K_SWITCH;
  TokIndex outer = u->body->loop;
  if (loop && !u->body->loop)
    u->body->loop = u->p;
  u->body->loops += loop;
  u->body->switches += k == K_SWITCH;
  u->body->breakable += breakable;
  Node *n = statement(u);
  u->body->loops -= loop;
  u->body->switches -= k == K_SWITCH;
  u->body->breakable -= breakable;
  u->body->loop = outer;
  return n;
}

Node *parse_statement(Unit *u) {
  NEST(u);
  Node *n = counted(u);
  UNNEST(u);
  return n;
}

Node *parse_body(Unit *u, Decl *func, TokIndex open) {
  u->p = open;
  scope_enter(u); // the parameters live in the body's own block
  declare_params(u, canon(func->type)); // as this definition names them
  Node *n = block(u, node_new(u, N_COMPOUND, u->p));
  scope_leave(u);
  return n;
}
