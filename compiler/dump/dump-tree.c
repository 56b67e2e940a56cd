// dump-tree.c: tokens, and trees with a line for each node: its kind, its type if it is an
// expression, and its parts below it, further to the right.
#include "fmcc.h"

static bool is_users(Unit *u, TokIndex t) {
  return !(tok_at(u, t)->flags & TF_SYSTEM);
}

void dump_place(Unit *u, TokIndex t, Buf *out) {
  const Token *k = tok_at(u, t);
  buf_printf(out, "%s:%u: ", u->files[k->file].name, k->line);
}

// ---- tokens ----
static const char *kind_name(Unit *u, TokIndex t) {
  const Token *k = tok_at(u, t);
  switch (k->kind) {
  case T_IDENT:
    return k->id->word && t >= u->dialect_from ? "dialect" : "name";
  case T_NUMBER:
    return "number";
  case T_CHAR:
    return "character";
  case T_STRING:
    return "string";
  case T_OTHER:
    return "other";
  default:
    return k->kind >= K_AUTO ? "keyword" : "punctuator";
  }
}

void dump_tokens(Unit *u, Buf *out) {
  for (TokIndex t = 0; kind_at(u, t) != T_EOF; t++) {
    size_t n;
    const char *text = tok_text(u, t, &n);
    if (!is_users(u, t))
      continue;
    dump_place(u, t, out);
    buf_printf(out, "%-11s%.*s\n", kind_name(u, t), (int)n, text);
  }
}

// ---- nodes ----
typedef struct Dump {
  Unit *u;
  Buf *out;
  Async *a; // the function of a lowered tree; else NULL
} Dump;

static void add_text(Dump *d, Range r) {
  for (TokIndex t = r.from; t < r.to; t++) {
    size_t n;
    const char *text = tok_text(d->u, t, &n);
    buf_printf(d->out, " %.*s", (int)n, text);
  }
}

static void add_spawn_words(Dump *d, unsigned how) {
  static const struct {
    unsigned flag;
    const char *word;
    // clang-format off
  } words[] = {
    { SPAWN_NOW, "now" },
    { SPAWN_DETACHED, "detached" },
    { SPAWN_CONTAINED, "contained" },
    { SPAWN_IN, "in" },
    { SPAWN_ON, "on" },
    { SPAWN_ARM, "arm" },
  };
  // clang-format on
  for (size_t i = 0; i < COUNT(words); i++)
    if (how & words[i].flag)
      buf_printf(d->out, " %s", words[i].word);
}

static void add_decls(Dump *d, const Decl *list) {
  for (; list; list = list->next)
    if (list->name)
      buf_printf(d->out,
                 "%s %s: %s",
                 list->specs->storage == ST_STATIC ? " static" : "",
                 list->name->name,
                 type_text(d->u, list->type));
}

// ---- the details of a node, by its kind ----
typedef void Details(Dump *d, Node *n);

static void add_symbol(Dump *d, Node *n) {
  if (n->sym)
    buf_printf(d->out, " %s", n->sym->name->name);
}

static void add_token(Dump *d, Node *n) {
  add_text(d, (Range){ n->tok, n->tok + 1 });
}

static void add_string(Dump *d, Node *n) {
  add_text(d, n->range);
}

static void add_operator(Dump *d, Node *n) {
  buf_printf(d->out, " %s", operator_text((TokenKind)n->op));
}

static void add_member(Dump *d, Node *n) {
  if (n->member && n->member->name)
    buf_printf(d->out, " %s", n->member->name->name);
}

static void add_name(Dump *d, Node *n) {
  buf_printf(d->out, " %s", n->name->name);
}

static void add_declared(Dump *d, Node *n) {
  add_decls(d, n->decl);
}

static void add_spawn(Dump *d, Node *n) {
  add_spawn_words(d, n->op);
}

static void add_type(Dump *d, Node *n) {
  buf_printf(d->out, " (%s)", type_text(d->u, n->tname->type));
}

// clang-format off
static Details *const details[] = {
  [N_IDENT] = add_symbol,
  [N_NUMBER] = add_token,
  [N_CHARCONST] = add_token,
  [N_STRING] = add_string,
  [N_UNARY] = add_operator,
  [N_PREFIX] = add_operator,
  [N_POSTFIX] = add_operator,
  [N_BINARY] = add_operator,
  [N_ASSIGN] = add_operator,
  [N_MEMBER] = add_member,
  [N_ARROW] = add_member,
  [N_LABEL] = add_name,
  [N_GOTO] = add_name,
  [N_CODE] = add_name,
  [N_RT] = add_name,
  [N_LABEL_ADDR] = add_name,
  [N_DECL] = add_declared,
  [N_CATCH] = add_declared,
  [N_SPAWN] = add_spawn,
  [N_CAST] = add_type,
  [N_COMPOUND_LIT] = add_type,
  [N_SIZEOF_TYPE] = add_type,
  [N_ALIGNOF_TYPE] = add_type,
  [N_VA_ARG] = add_type,
  [N_TYPE_ARG] = add_type,
};
// clang-format on

static void add_details(Dump *d, Node *n) {
  if (n->kind < COUNT(details) && details[n->kind])
    details[n->kind](d, n);
}

// The state of a pause, and the label for errors.
static void add_state(Dump *d, const Node *n) {
  bool has_state = n->kind == N_PAUSE || n->kind == N_TAIL ||
                   n->kind == N_AUTO || n->kind == N_YIELD;
  if (!d->a || !has_state || !n->val)
    return;
  if (n->kind == N_PAUSE && !pauses_there(n->b))
    buf_puts(d->out, " (does not pause, but may throw)");
  else
    buf_printf(d->out, " %d", (int)n->val);
  if (n->kind == N_PAUSE && has_second_state(n))
    buf_printf(d->out, ", or %d after it", (int)n->val + 1);
}

static void add_value(Dump *d, const Node *n) {
  if (!n->type)
    return;
  buf_printf(d->out, ": %s", type_text(d->u, n->type));
  if (n->flags & NF_CONST)
    buf_printf(d->out, " = %lld", (long long)n->val);
  if (n->kind == N_CALL && (n->flags & NF_ASYNC))
    buf_puts(d->out, n->flags & NF_ATOMIC ? ", atomic" : ", may pause");
  if (n->kind == N_CALL && (n->flags & NF_THROWS))
    buf_puts(d->out, ", may throw");
}

static void dump_node(Dump *d, Node *n, int depth) {
  buf_printf(d->out, "%*s%s", 2 * depth, "", node_shapes[n->kind].name);
  add_details(d, n);
  add_state(d, n);
  if (n->kind < N_COMPOUND)
    add_value(d, n);
  else
    buf_printf(d->out, "  (line %u)", tok_at(d->u, n->tok)->line);
  buf_putc(d->out, '\n');
  Node *k;
  Children parts = children(n, PART_ALL & ~PART_OTHER);
  while ((k = next_child(&parts)))
    dump_node(d, k, depth + 1);
  if (n->d && (n->kind == N_PAUSE || n->kind == N_THROW ||
               n->kind == N_RETHROW || n->kind == N_YIELD))
    buf_printf(
        d->out, "%*serrors go to %s\n", 2 * depth + 2, "", n->d->name->name);
}

// ---- the unit ----
static void
dump_head(Unit *u, const char *name, Type *t, TokIndex at, Buf *out) {
  dump_place(u, at, out);
  buf_printf(out,
             "%s: %s%s\n",
             name,
             type_text(u, t),
             throws_text(u, canon(t)->throws));
}

static void dump_item(Unit *u, Item *it, Buf *out) {
  Dump d = { u, out, NULL };
  if (it->kind != ITEM_FUNCTION) {
    dump_place(u, it->range.from, out);
    buf_puts(out, "declaration");
    add_text(&d, it->range);
    buf_putc(out, '\n');
    return;
  }
  dump_head(u, it->sym->name->name, it->sym->type, it->range.from, out);
  if (it->tree)
    dump_node(&d, it->tree, 1);
  else
    buf_puts(out, "  plain C, which is copied as it stands\n");
}

void dump_trees(Unit *u, Buf *out) {
  for (Item *it = u->items; it; it = it->next)
    if (is_users(u, it->range.from))
      dump_item(u, it, out);
}

void dump_each(Unit *u, Buf *out, void (*fn)(Unit *u, Async *a, Buf *out)) {
  FOR_EACH (Async, a, u->asyncs) {
    if ((a->body || a->tree) && is_users(u, a->decl->tok))
      fn(u, a, out);
  }
}

static void dump_body(Unit *u, Async *a, Buf *out) {
  Dump d = { u, out, a };
  dump_head(u, a->name, a->decl->type, a->decl->tok, out);
  for (Node *n = a->body; n; n = n->next)
    dump_node(&d, n, 1);
}

void dump_lowered(Unit *u, Buf *out) {
  dump_each(u, out, dump_body);
  for (Item *it = u->items; it; it = it->next)
    if (it->plain && is_users(u, it->range.from))
      dump_item(u, it, out);
}
