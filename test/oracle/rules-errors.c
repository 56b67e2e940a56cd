// rules-errors.c: the rules of errors and cleanups (docs/formal.md, "Errors").
#include "machine.h"

RULE(Throw) {
  int code = 1 + (value_of(m, a, n->part[0]) & 7);
  throw_error(m, a, error_of(n->at[0] ? code + TYPE_1 : code));
}

RULE(Rethrow) {
  Frame *k = top(m, a);
  (void)n;
  while (k->op != K_CATCH && k->op != K_EACH)
    k--;
  m->act[a].out = k->out;
}

RULE(Try) {
  if (n->part[3]->kind != NONE)
    push(m, a, K_FINALLY, n);
  push(m, a, K_TRY, n);
  push_statement(m, a, n->part[0]);
}

RULE(Catch) {
  Frame *k = top(m, a);
  Exit out = m->act[a].out;
  const Node *clause = n->part[k->y];
  int value = k->y == 1 ? out.error.code : codes(out.error);
  k->op = K_CATCH;
  k->out = out;
  m->act[a].out = (Exit){ .how = GOES };
  assign(m, m->act[a].env, n->at[0], wrap(value));
  push_statement(m, a, clause);
}

RULE(No_Catch) {
  (void)n;
  pop(m, a);
}

// The first clause that takes the error; no clause takes a cancel.
RULE(Try_End) {
  Exit out = m->act[a].out;
  Frame *k = top(m, a);
  k->y = 0;
  if (out.how == THROWS && n->part[1]->kind != NONE && out.error.code < TYPE_1)
    k->y = 1;
  else if (out.how == THROWS && n->part[2]->kind != NONE)
    k->y = 2;
  if (k->y)
    APPLY(Catch);
  else
    APPLY(No_Catch);
}

RULE(Catch_End) {
  (void)n;
  pop(m, a);
}

// ---- cleanups ----
static void clean_up(State *m, int a, const Node *statement) {
  pop(m, a);
  Frame *k = push(m, a, K_CLEANUP, statement);
  k->out = m->act[a].out;
  k->x = (int16_t)region_enter(m, a, N_SHIELD);
  m->act[a].out = (Exit){ .how = GOES };
  push_statement(m, a, statement);
}

RULE(Finally) {
  clean_up(m, a, n->part[3]);
}

// It stands below the rest of its block.
RULE(Defer) {
  Frame rest = *top(m, a);
  pop(m, a);
  push(m, a, K_DEFER, n);
  *push(m, a, K_SEQ, NULL) = rest;
}

// The block of the function's variables, which may be shared.
static bool in_outermost_block(const State *m, int a) {
  const Frame *k = &m->act[a].stack[m->act[a].depth - 1];
  while (k->op == K_DEFER)
    k--;
  return k->op == K_CALL;
}

// What it cleans up may be used by activities that share the variables: these end first.
RULE(Defer_Runs) {
  Act *t = &m->act[a];
  if (!m->env[t->env].members || !in_outermost_block(m, a)) {
    clean_up(m, a, n->part[0]);
    return;
  }
  push(m, a, K_GROUP, NULL)->out = t->out;
  t->out = (Exit){ .how = GOES };
}

// An error that was in flight hangs on the new one.
RULE(Cleanup_Replaces) {
  Frame *k = top(m, a);
  Error *e = &m->act[a].out.error;
  (void)n;
  if (k->out.how == THROWS)
    *e = join_errors(*e, k->out.error);
}

RULE(Cleanup_Carried) {
  Frame *k = top(m, a);
  Error e = m->act[a].out.error;
  (void)n;
  k->out.error = join_errors(e, k->out.error);
  k->out.error.in_cancel = true;
  m->act[a].out = k->out;
}

RULE(Cleanup_End) {
  Frame *k = top(m, a);
  Exit *out = &m->act[a].out;
  int shield = k->x;
  if (out->how == GOES)
    *out = k->out;
  else if (out->how != THROWS)
    fail_machine(BROKEN, "a cleanup is left by something else than an error");
  else if (k->out.how == CANCELS)
    APPLY(Cleanup_Carried);
  else
    APPLY(Cleanup_Replaces);
  pop(m, a);
  leave_shield(m, a, shield);
}
