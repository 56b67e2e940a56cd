// async.c: notes async functions and their variables while bodies are parsed. Out: Unit.asyncs,
// each with its locals, and whether their addresses are taken, for the passes of this folder.
#include "fmcc.h"

#include <stdlib.h>

// ---- the function ----
// Reads the pragmas before the token `before`. Each holds to the end of the unit, or to the next
// one of its kind:
//     #pragma fermata auto_yield off|calls|loops
//     #pragma fermata library      reports name the caller of these functions, not their own lines
static void
read_pragmas(Unit *u, TokIndex before, AutoYield *yields, bool *of_library) {
  for (size_t i = 0; i < u->npragmas && u->pragmas[i].before <= before; i++) {
    char line[120];
    char what[16] = "";
    char how[16] = "";
    pragma_text(u, &u->pragmas[i], line, sizeof line);
    if (sscanf(line, " # pragma fermata %15s %15s", what, how) < 1)
      continue;
    if (strcmp(what, "library") == 0)
      *of_library = true;
    else if (strcmp(what, "auto_yield") == 0)
      *yields = strcmp(how, "off") == 0     ? AUTO_YIELD_OFF
                : strcmp(how, "loops") == 0 ? AUTO_YIELD_LOOPS
                                            : AUTO_YIELD_CALLS;
  }
}

Async *new_async(Unit *u, Decl *d) {
  AutoYield yields = u->opt.auto_yield;
  Async *a = NEW(&u->arena, Async);
  a->u = u;
  a->decl = d;
  a->type = canon(d->type);
  a->name = d->name->name;
  a->external = u->external;
  a->share_depth = -1;
  read_pragmas(u, d->tok, &yields, &a->of_library);
  a->auto_yield = yields != AUTO_YIELD_OFF;
  a->loop_yield = yields == AUTO_YIELD_LOOPS;
  vec_push(&u->asyncs, a);
  return a;
}

void async_free(Async *a) {
  vec_free(&a->inner);
  vec_free(&a->jobs);
  vec_free(&a->locals);
  vec_free(&a->fields);
  vec_free(&a->temps);
  vec_free(&a->hoisted);
  vec_free(&a->shares);
  vec_free(&a->labels);
  vec_free(&a->parts);
  vec_free(&a->places);
  free(a->states);
}

void each_async(Unit *u, void (*fn)(Async *a)) {
  FOR_EACH (Async, a, u->asyncs) {
    u->external = a->external;
    if (a->body)
      fn(a);
  }
}

// ---- its variables ----
// Returns a name that no other variable of the function has.
static const char *own_name(Unit *u, const Local *k) {
  return unused_name(u, k->sym->name->name, k->index);
}

Local *new_local(Unit *u, Symbol *s) {
  Local *k = NEW(&u->arena, Local);
  *k = (Local){
    .sym = s,
    .owner = u->body->async,
    .name = s->name->name,
    .index = (int)u->body->async->locals.len,
    .slot = -1,
    .scope_from = s->tok,
  };
  // the resume version declares all variables in one block
  bool taken = s->outer != NULL;
  FOR_EACH (Local, k, u->body->async->locals) {
    taken |= k->sym->name == s->name;
  }
  if (taken)
    k->name = own_name(u, k);
  vec_push(&u->body->async->locals, k);
  return s->local = k;
}

// `extern int x;` in a block must keep its name, which is that of the object. A pause in the block
// may store a variable x of the function, so that variable gets another name.
void note_hidden(Unit *u, const Symbol *s) {
  for (const Symbol *o = s->outer; o; o = o->outer) {
    if (!o->local || o->local->owner != u->body->async)
      continue;
    o->local->hidden = true;
    o->local->name = own_name(u, o->local);
  }
}

// A variable of a function around an activate becomes a resident of that function, and the block
// that declares it waits for the activity.
void note_use(Unit *u, Symbol *s, TokIndex t) {
  if (!u->body->async)
    return;
  bool automatic = s->kind == S_VAR && s->depth > 0 &&
                   s->storage != ST_STATIC && s->storage != ST_EXTERN;
  for (Async *a = u->body->async; a && automatic; a = a->up)
    if (a->boundary && s->tok < a->decl->tok) {
      // only its type is used
      if (u->unevaluated)
        return;
      error_at(u,
               t,
               "`%s` belongs to the function around this `job`, which may have "
               "ended when the job runs: copy it by `job (%s) { … }`",
               s->name->name,
               s->name->name);
      return;
    }
  if (!s->local || s->local->owner == u->body->async)
    return;
  s->local->captured = true;
  refuse_va_capture(u, s, t);
  witness_shares(u->body->async, s);
  Async *a = u->body->async;
  while (a->up && a->up != s->local->owner)
    a = a->up;
  if (s->depth > a->share_depth)
    a->share_depth = s->depth;
  if (a->loop && s->tok > a->loop && !a->arm)
    warn_at(u,
            OWN_UNNAMED,
            t,
            "`%s` belongs to a loop around this `activate`, and its later "
            "turns share it: copy it by `activate (%s)`",
            s->name->name,
            s->name->name);
}

const char *call_name(const Local *k) {
  return k->hides || k->hidden ? k->name : k->sym->name->name;
}

void note_address_of(Local *k) {
  k->addressed = true;
  k->addresses++;
}

void note_address(Node *e) {
  for (;; e = e->a) {
    if (e->kind == N_COMPOUND_LIT && e->d)
      e = e->d;
    if (e->kind == N_IDENT) {
      if (e->sym && e->sym->local)
        note_address_of(e->sym->local);
      return;
    }
    bool inside = e->kind == N_PAREN || e->kind == N_MEMBER ||
                  e->kind == N_EXTENSION ||
                  (e->kind == N_INDEX && canon(e->a->type)->kind == TY_ARRAY) ||
                  (e->kind == N_UNARY && (e->op == K_REAL || e->op == K_IMAG));
    if (!inside)
      return;
  }
}

void name_literal(Unit *u, Node *e) {
  char name[40];
  int n = snprintf(name, sizeof name, "fm__lit%zu", u->body->async->locals.len);
  Symbol *s = declare(u, S_VAR, intern(u, name, (size_t)n), e->type, e->tok);
  Local *k = new_local(u, s);
  k->literal = true;
  k->scope_from = 0; // the call that it is handed to stands before it
  e->d = node_new(u, N_IDENT, e->tok);
  e->d->sym = s;
  e->d->type = e->type;
}
