// rules-plain.c: the rules of plain code and calls (docs/formal.md, "Plain code").
#include "machine.h"

RULE(Call_Contained);

RULE(Print) {
  print(m, n->at[0], value_of(m, a, n->part[0]));
  m->act[a].sliceable = true;
}

// A full expression has been evaluated.
static void evaluated(State *m, int a, const Node *e) {
  m->act[a].sliceable |= calls(e);
}

RULE(Set) {
  evaluated(m, a, n->part[0]);
  assign(m, m->act[a].env, n->at[0], value_of(m, a, n->part[0]));
}

RULE(Set_Global) {
  evaluated(m, a, n->part[0]);
  m->global[n->at[0]] = value_of(m, a, n->part[0]);
}

RULE(Set_Ref) {
  const Env *e = &m->env[m->act[a].env];
  evaluated(m, a, n->part[0]);
  *variable(m, e->ref_env, e->ref_var) = value_of(m, a, n->part[0]);
}

RULE(Block) {
  push(m, a, K_SEQ, n);
}

RULE(If) {
  evaluated(m, a, n->part[0]);
  push_statement(m, a, value_of(m, a, n->part[0]) ? n->part[1] : n->part[2]);
}

RULE(Loop) {
  push(m, a, K_LOOP, n)->x = (int16_t)n->at[0];
}

RULE(Loop_Turn) {
  Frame *k = top(m, a);
  Exit *out = &m->act[a].out;
  if (out->how == GOES && k->x-- > 0) {
    push_statement(m, a, n->part[0]);
    return;
  }
  pop(m, a);
  if (out->how == BREAKS)
    *out = (Exit){ .how = GOES };
}

RULE(Break) {
  (void)n;
  m->act[a].out = (Exit){ .how = BREAKS };
}

// ---- calls ----
void start_call(State *m, int a, int f, int16_t argument, int to) {
  const Node *fun = core_function(machine.program, f);
  Frame *k = push(m, a, K_CALL, fun);
  int env = env_new(m);
  k->x = (int16_t)to;
  k->y = m->act[a].env;
  m->env[env].var[0] = argument;
  m->act[a].env = (int8_t)env;
  if (fun->at[1]) // an atomic function
    enter_atomic(m, a);
  push_statement(m, a, fun->part[0]);
}

// Returns the environment of the function.
int call(State *m, int a, int f, int16_t argument, int to) {
  const Node *n = core_function(machine.program, f);
  if (!n->at[1] && in_own_scope(m, a)) {
    int child = make(m, m->act[a].inner, f, argument);
    int env = m->act[child].env;
    call_reached(m, a, child, to);
    return env;
  }
  if (!runs_contained(m, a, f)) {
    start_call(m, a, f, argument, to);
    return m->act[a].env;
  }
  int child = make(m, region_enter(m, a, N_SHIELD), f, argument);
  Frame *k = push(m, a, K_AWAITED, n);
  k->x = (int16_t)to;
  k->y = (int16_t)child;
  APPLY(Call_Contained);
  return m->act[child].env;
}

RULE(Call) {
  m->act[a].sliceable = true;
  call(m, a, n->at[1], value_of(m, a, n->part[0]), n->at[0]);
}

// v: the variable of the caller that the function gets a reference to
static void call_with_ref(State *m, int a, const Node *n, int f, int to, int v) {
  int caller = m->act[a].env;
  Env *e = &m->env[call(m, a, f, value_of(m, a, n->part[0]), to)];
  while (m->env[caller].outer != NOBODY && m->env[caller].copied != v)
    caller = m->env[caller].outer;
  e->ref_env = (int8_t)caller;
  e->ref_var = (int8_t)v;
}

RULE(Call_Ref) {
  call_with_ref(m, a, n, n->at[1], n->at[0], n->at[2]);
}

RULE(Sum) {
  push(m, a, K_SUM, n);
}

// Calls come first, from left to right; what does not pause is read when they have ended.
RULE(Sum_Next) {
  Frame *k = top(m, a);
  if (m->act[a].out.how != GOES) {
    pop(m, a);
    return;
  }
  if (k->x)
    k->value = wrap(k->value + m->act[a].value);
  if (k->x == 2) {
    assign(m, m->act[a].env, n->at[0], wrap(value_of(m, a, n->part[0]) + k->value));
    pop(m, a);
    return;
  }
  k->x++;
  call(m, a, n->at[k->x], value_of(m, a, n->part[k->x]), TO_RESULT);
}

// The caller returns the value of the latest call.
static void return_it(State *m, int a) {
  Frame *k = top(m, a);
  while (k->op != K_CALL && k->op != K_AWAITED)
    k--;
  k->flag = true;
}

// The activity stays where it is: the frame of the caller is replaced.
RULE(Tail_Call) {
  int16_t argument = value_of(m, a, n->part[0]);
  Act *t = &m->act[a];
  int d = t->depth;
  while (t->stack[d - 1].op == K_SEQ)
    d--;
  if (t->stack[d - 1].op != K_CALL || m->env[t->env].members || runs_contained(m, a, n->at[0])) {
    call(m, a, n->at[0], argument, TO_RESULT);
    return_it(m, a);
    return;
  }
  t->depth = (uint8_t)d;
  t->waited = false; // that was in the function that is gone, or a function below says it
  Frame left = *top(m, a);
  pop(m, a);
  m->env[t->env] = (Env){ .used = false };
  t->env = (int8_t)left.y;
  start_call(m, a, n->at[0], argument, left.x);
  if (left.flag)
    return_it(m, a);
}

// The frame of the caller stays: the reference leads to it.
RULE(Tail_Ref) {
  call_with_ref(m, a, n, n->at[0], TO_RESULT, n->at[1]);
  return_it(m, a);
}

RULE(Return) {
  m->act[a].out = (Exit){ .how = RETURNS, .value = value_of(m, a, n->part[0]) };
}

// The value of a call has come to the caller.
void called(State *m, int a, int16_t value, int to, bool returns) {
  if (returns)
    m->act[a].out = (Exit){ .how = RETURNS, .value = value };
  else if (to == TO_RESULT)
    m->act[a].value = value;
  else
    assign(m, m->act[a].env, to, value);
}

RULE(Call_End) {
  Frame k = *top(m, a);
  Act *t = &m->act[a];
  (void)n;
  if (m->env[t->env].members) {
    push(m, a, K_GROUP, NULL)->out = t->out;
    t->out = (Exit){ .how = GOES };
    return;
  }
  pop(m, a);
  m->env[t->env] = (Env){ .used = false };
  t->env = (int8_t)k.y;
  t->sliceable = true;
  if (t->out.how > BREAKS)
    return;
  int16_t value = t->out.how == RETURNS ? t->out.value : 0;
  t->out = (Exit){ .how = GOES };
  called(m, a, value, k.x, k.flag);
}
