// reachable.c: answers whether the end of lowered statements may be reached, whether they may
// pause, and whether what they start may run before their end. In doubt all are taken to be so.
#include "lower/lowering.h"

// A `break` in s leaves the loop whose body is s.
static bool breaks(const Node *s) {
  if (!s)
    return false;
  switch (s->kind) {
  case N_BREAK:
    return true;
  case N_COMPOUND:
    for (const Node *k = s->a; k; k = k->next)
      if (breaks(k))
        return true;
    return false;
  case N_IF:
    return breaks(s->b) || breaks(s->c);
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    return breaks(s->c);
  default:
    return false;
  }
}

static bool is_endless(const Node *loop) {
  if (loop->kind == N_FOR)
    return !loop->b && !breaks(loop->d);
  bool always = (loop->a->flags & NF_CONST) && loop->a->val;
  return always && !breaks(loop->b);
}

static const Node *last_of(const Node *list) {
  while (list && list->next)
    list = list->next;
  return list;
}

// clang-format off
static const bool is_jump[N_PART + 1] = {
  [N_BREAK] = true,
  [N_CONTINUE] = true,
  [N_GOTO] = true,
  [N_GOTO_COMPUTED] = true,
  [N_RETHROW] = true,
  [N_RETURN] = true,
  [N_TAIL] = true,
  [N_THROW] = true,
};
// clang-format on

bool ends(const Node *s) {
  if (!s)
    return false;
  switch (s->kind) {
  case N_EXPR:
    return never_returns(s->a);
  case N_PAUSE:
    return never_returns(s->b);
  case N_COMPOUND:
    return ends(last_of(s->a));
  case N_IF:
    return s->c && ends(s->b) && ends(s->c);
  case N_FOR:
  case N_WHILE:
    return is_endless(s);
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    return ends(s->c);
  default:
    return is_jump[s->kind];
  }
}

// Other activities of this domain may run during the call. They may not during a wait inside an
// atomic or during a `run`.
static bool lets_others_run(const Node *call) {
  if ((call->flags & NF_ATOMIC) || call->kind == N_RUN)
    return false;
  return call->kind != N_CALL || (call->flags & NF_ASYNC);
}

static bool statement_may_pause(Node *s) {
  switch (s->kind) {
  case N_PAUSE:
    return lets_others_run(s->b);
  case N_YIELD:
  case N_TAIL:
  case N_ACTIVATE:
    return true;
  default:
    break;
  }
  Children parts = children(s, PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (statement_may_pause(k))
      return true;
  return false;
}

bool may_pause(Node *list) {
  for (; list; list = list->next)
    if (statement_may_pause(list))
      return true;
  return false;
}

static bool holds(Node *n, bool (*what)(const Node *)) {
  if (!n || what(n))
    return n != NULL;
  Children parts = children(n, PART_VALUE | PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (holds(k, what))
      return true;
  return false;
}

static bool any_holds(Node *list, bool (*what)(const Node *)) {
  for (; list; list = list->next)
    if (holds(list, what))
      return true;
  return false;
}

static bool is_auto_yield(const Node *n) {
  return n->kind == N_AUTO;
}

// A function that is called atomically may do so, too.
static bool starts_activities(const Node *n) {
  return n->kind == N_SPAWN || (n->kind == N_CALL && n->flags & NF_ASYNC);
}

bool children_may_run(Node *list) {
  return any_holds(list, starts_activities) && any_holds(list, is_auto_yield);
}
