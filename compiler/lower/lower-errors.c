// lower-errors.c: lowers try, catch, finally and throw. The handlers of a try stand after its body,
// and errors in the body jump to them:
//
//     { … }          in it: an error goes to the landing
//     if (0) { landing: err = caught; if (err is a T) { T e = …; …; goto end; } …; rethrow err; }
//     end: ;
//
// A catch and a finally are regions (regions.c) as well.
#include "lower/lowering.h"

// ---- the error that was caught ----
// *(const T *)fm_error_value(err); in `catch (fm_error *e)`: err itself
static Node *error_value(Lower *L, Decl *d, Symbol *err, TokIndex t) {
  Type *pointer = type_pointer(L->u, type_scalar(L->u, TY_VOID));
  if (canon(d->type)->kind == TY_POINTER) {
    Node *value = ident_node(L, err, t);
    value->type = pointer;
    return value;
  }
  Node *call = rt_call(L, "fm_error_value", t, RT_BARE, ident_node(L, err, t));
  call->type = pointer;
  Type *type = type_unqual(L->u, d->type);
  Type *constant = type_qualify(L->u, type, Q_CONST);
  Node *cast = cast_node(L, type_pointer(L->u, constant), call);
  return unary_node(L, P_STAR, cast, type);
}

const char *error_type_name(Type *t) {
  Tag *g = canon(t)->tag;
  if (g->name)
    return g->name->name;
  return g->typedef_sym ? g->typedef_sym->name->name : "";
}

// Returns the arguments that name a type: "name", sizeof(T); 0, 0 for every error.
static const char *type_arguments(Lower *L, Type *t) {
  if (canon(t)->kind == TY_POINTER)
    return "0, 0";
  return arena_printf(&L->u->arena,
                      "\"%s\", sizeof(%s)",
                      error_type_name(t),
                      type_spelled(L->u, type_unqual(L->u, t)));
}

// fm__is(err, "name", sizeof(T))
static Node *is_of_type(Lower *L, Decl *d, Symbol *err, TokIndex t) {
  Node *type = code_node(L, t, type_arguments(L, d->type));
  Node *args = argument_list(ident_node(L, err, t), type);
  Node *n = rt_call(L, "fm__is", t, RT_BARE, args);
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

// ---- catch ----
// T e = …; (void)e;
static void declare_caught(Lower *L, Node *k, Symbol *err) {
  Node *d = node_new(L->u, N_DECL, k->tok);
  d->decl = k->decl;
  k->decl->init = error_value(L, k->decl, err, k->tok);
  put_stmt(L, d);
  Node *e = ident_node(L, k->decl->sym, k->tok);
  put_expr(L, to_void(L, e), k->tok);
}

// { T e = …; body; goto end; }: a region whose cleanup drops the error. Sets *falls if the end of
// the body may be reached.
static Node *
catch_block(Lower *L, Node *k, Symbol *err, Ident *end, bool *falls) {
  Opened o;
  Nest here;
  Symbol *outer = L->caught;
  open_list(L, &o);
  open_region(L, &here, k);
  L->caught = err;
  if (k->decl->name)
    declare_caught(L, k, err);
  lower_stmt(L, k->a);
  L->caught = outer;
  end_region(L, &here, k->end);
  put_rt(L, "fm__error_drop", k->end, RT_BARE, ident_node(L, err, k->end));
  go_on(L, &here, k->end);
  *falls |= here.falls;
  if (here.falls)
    put_stmt(L, goto_node(L, end, k->end));
  return block_of(L, close_list(L, &o), k->tok, k->end);
}

// err = caught; if (fm__is(err, …)) { … } …; rethrow err;   Sets *falls as catch_block() does.
static Node *handlers(Lower *L, Node *s, Symbol *err, Ident *end, bool *falls) {
  Opened o;
  open_list(L, &o);
  put_caught(L, err, s->tok);
  for (Node *k = s->b; k; k = k->next) {
    Node *cond = is_of_type(L, k->decl, err, k->tok);
    Node *block = catch_block(L, k, err, end, falls);
    put_stmt(L, make_node(L, N_IF, k->tok, cond, block));
  }
  put_rethrow(L, err, s->end);
  return close_list(L, &o);
}

static void try_catch(Lower *L, Node *s) {
  Nest here = {
    .outer = L->nest, .kind = NEST_TRY, .node = s->a, .landing = new_label(L)
  };
  Ident *end = new_label(L);
  Symbol *err = own_temp(L, error_pointer(L), s->tok);
  L->nest = &here;
  Node *body = lower_sub(L, s->a);
  L->nest = here.outer;
  put_stmt(L, body);
  // nothing in the body can throw: the handlers are not needed
  if (!here.landed)
    return;
  bool falls = !ends(body);
  bool caught = false;
  Node *list = handlers(L, s, err, end, &caught);
  if (falls) {
    put_landing(L, here.landing, list, s->end);
  } else { // the handlers are all that is left
    put_stmt(L, label_node(L, here.landing, s->end));
    put_stmt(L, block_of(L, list, s->end, s->end));
  }
  if (caught)
    put_stmt(L, label_node(L, end, s->end));
}

static void try_finally(Lower *L, Node *s) {
  Nest here;
  Opened o;
  Node *place = make_node(L, N_EMPTY, s->tok, NULL, NULL);
  place->end = s->c->tok - 1;
  open_region(L, &here, place);
  open_list(L, &o);
  if (s->b)
    try_catch(L, s);
  else
    put_stmt(L, lower_sub(L, s->a));
  put_stmt(L, block_of(L, close_list(L, &o), s->tok, place->end));
  end_region(L, &here, s->end);
  put_cleanup(L, &here, s->c);
  go_on(L, &here, s->end);
}

void lower_try(Lower *L, Node *s) {
  Opened o;
  // a block, because the labels that lowering adds are declared in it
  open_list(L, &o);
  if (s->c)
    try_finally(L, s);
  else
    try_catch(L, s);
  put_stmt(L, block_of(L, close_list(L, &o), s->tok, s->end));
}

// ---- throw ----
// `throw;`: the error goes on. The variable of the catch is cleared, so that its cleanup does not
// drop the error.
static void throw_again(Lower *L, Node *s) {
  Symbol *err = L->caught;
  Symbol *t = own_temp(L, error_pointer(L), s->tok);
  put_assign(L, t, ident_node(L, err, s->tok), s->tok);
  put_assign(L, err, number_node(L, 0, s->tok), s->tok);
  put_rethrow(L, t, s->tok);
}

void lower_throw(Lower *L, Node *s) {
  note_throwing(L, NULL);
  if (s->sym) {
    put_rethrow(L, s->sym, s->tok);
    return;
  }
  if (!s->a) {
    throw_again(L, s);
    return;
  }
  s->a = lower_expr(L, s->a);
  if (!L->plain)
    s->val = new_state(L->a, s->tok, WHY_THROW);
  s->d = landing(L, s->tok);
  put_stmt(L, s);
}
