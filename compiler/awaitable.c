// awaitable.c: what can be awaited besides tasks and jobs: a structure with the functions of the pattern.
#include "fmcc.h"

Node *await_object(Unit *u, Node *n) {
  error_at(u, n->tok, "a value of type `%s` cannot be awaited: neither a task nor a call of an async function", type_text(u, n->a->type));
  n->type = type_scalar(u, TY_ERROR);
  return n;
}
