// body.c: enters and leaves bodies. The state of a body is empty at first; when the body is left,
// the state of the body around it is valid again.
#include "fmcc.h"

void body_enter(Unit *u, Symbol *func, Async *a) {
  Body *b = NEW(&u->arena, Body);
  Body *outer = u->body;
  bool inside = outer && outer->outer;
  *b = (Body){
    .outer = outer,
    .func = func,
    .async = a,
  };
  b->whole = inside ? outer->whole : NEW(&u->arena, Definition);
  u->body = b;
}

void body_leave(Unit *u) {
  Body *b = u->body;
  Body *outer = b->outer;
  if (outer && outer->outer) {
    // a statement around it has to be lowered as well
    outer->natomics += b->natomics;
  } else {
    vec_free(&b->whole->jobs);
    vec_free(&b->whole->mentions);
    vec_free(&b->whole->bodies);
    vec_free(&b->whole->labels);
  }
  u->body = outer;
}

void body_leave_all(Unit *u) {
  while (u->body->outer)
    body_leave(u);
}

const char *body_word(const Unit *u) {
  return u->body->async->each ? "clause `catch each`" : "body of `activate`";
}
