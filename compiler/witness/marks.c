// marks.c: the marks that the parser has set for the witness (witness.c), and the text of the
// witness: the user's tokens at their places (place.c), with text of ours before, after or instead
// of some of them.
#include "fmcc.h"

#include <stdlib.h>

void witness_mark(Unit *u, Mark m) {
  if (!u->opt.witness || u->errors)
    return;
  Mark *k = NEW(&u->arena, Mark);
  m.order = u->marks.len;
  *k = m;
  vec_push(&u->marks, k);
}

void witness_before(Unit *u, TokIndex t, const char *text) {
  witness_mark(u,
               (Mark){
                   .tok = t,
                   .where = MARK_BEFORE,
                   .text = text,
               });
}
void witness_after(Unit *u, TokIndex t, const char *text) {
  witness_mark(u,
               (Mark){
                   .tok = t,
                   .where = MARK_AFTER,
                   .text = text,
               });
}

void witness_instead(Unit *u, TokIndex from, TokIndex to, const char *text) {
  witness_mark(u,
               (Mark){
                   .tok = from,
                   .to = to,
                   .where = MARK_INSTEAD,
                   .text = text,
               });
}

void witness_loud(Unit *u, TokIndex t, const char *text) {
  witness_mark(u,
               (Mark){
                   .tok = t,
                   .to = t + 1,
                   .where = MARK_INSTEAD,
                   .loud = true,
                   .text = text,
               });
}

// ---- the text ----
static int by_token(const void *a, const void *b) {
  const Mark *x = *(Mark *const *)a;
  const Mark *y = *(Mark *const *)b;
  if (x->tok != y->tok)
    return x->tok < y->tok ? -1 : 1;
  if (x->where != y->where)
    return x->where < y->where ? -1 : 1;
  if (x->outside != y->outside)
    return x->outside ? -1 : 1;
  int order = x->order < y->order ? -1 : x->order > y->order;
  // of two constructs that begin together, the outer one was marked later
  return x->where == MARK_BEFORE ? -order : order;
}

typedef struct Reader {
  Unit *u;
  Place *p;
  size_t i;
} Reader; // i: the next mark

// The next mark, if it stands at t and is of that kind.
static Mark *mark_at(const Reader *r, TokIndex t, MarkPlace where) {
  Mark *m = r->i < r->u->marks.len ? r->u->marks.at[r->i] : NULL;
  return m && m->tok == t && m->where == where ? m : NULL;
}

// Of several marks the outermost one, which was marked last.
static Mark *instead_at(Reader *r, TokIndex t) {
  Mark *found = NULL;
  for (Mark *m; (m = mark_at(r, t, MARK_INSTEAD)); r->i++)
    if (!found || m->to >= found->to)
      found = m;
  return found;
}

// Skips the marks inside a range that is replaced, except for text after its last token.
static void skip_inner(Reader *r, const Mark *swallows) {
  while (r->i < r->u->marks.len) {
    const Mark *m = r->u->marks.at[r->i];
    if (m->tok >= swallows->to ||
        (m->tok == swallows->to - 1 && m->where == MARK_AFTER &&
         m->order > swallows->order))
      return;
    r->i++;
  }
}

// A `case` or `default` after a comment that says `fall through`, which the preprocessor has
// dropped. An arm of `race` has marks of its own, and never falls through.
static bool falls_by_comment(Reader *r, TokIndex t) {
  Unit *u = r->u;
  if (!t || u->opt.clang ||
      (kind_at(u, t) != K_CASE && kind_at(u, t) != K_DEFAULT))
    return false;
  TokenKind before = kind_at(u, t - 1);
  if (before != P_SEMI && before != P_RBRACE && before != P_COLON)
    return false;
  return !mark_at(r, t, MARK_BEFORE) && !mark_at(r, t, MARK_INSTEAD) &&
         says_fall_through(u, t);
}

// Puts one token, or the text instead of it. Returns the next token.
static TokIndex one_token(Reader *r, TokIndex t) {
  Unit *u = r->u;
  TokIndex last = t;
  if (falls_by_comment(r, t))
    place_ours(r->p, t, "__attribute__((fallthrough));", QUIET);
  for (Mark *m; (m = mark_at(r, t, MARK_BEFORE)); r->i++)
    place_ours(r->p, t, m->text, QUIET);
  Mark *m = instead_at(r, t);
  if (m) {
    place_ours(r->p, t, m->text, m->loud);
    last = m->to - 1;
    if (last > t)
      skip_inner(r, m);
  } else {
    place_token(r->p, t);
  }
  for (Mark *a; r->i < u->marks.len && (a = u->marks.at[r->i])->tok == last &&
                a->where == MARK_AFTER;
       r->i++) {
    if (a->at)
      place_back(r->p, a->at, a->text, a->loud);
    else
      place_ours(r->p, last, a->text, a->loud);
  }
  return last + 1;
}

static const char prologue[] =
    "_Bool fm__w_maybe(void); int fm__w_arm(void); extern void "
    "(*fm__w_any)(void); void "
    "fm__w_share(int, ...); void fm__w_yield(void);\n"
    "__attribute__((noreturn)) void fm__w_throw(int, ...); "
    "__attribute__((noreturn)) void "
    "fm__w_end(void);\n";
static const char prologue_of_header[] = // put where <fermata.h> is included
    "fm_task fm__w_task(void); fm_job fm__w_job(void); fm_activity "
    "fm__w_scope(void);\n";

void emit_witness(Unit *u, Buf *out) {
  Place p = { .u = u, .out = out };
  Reader r = { u, &p, 0 };
  if (u->marks.len)
    qsort(u->marks.at, u->marks.len, sizeof *u->marks.at, by_token);
  for (TokIndex t = 0; kind_at(u, t) != T_EOF;) {
    if (t >= u->dialect_from && !p.begun) {
      p.begun = true;
      place_header(&p, prologue);
      if (intern(u, "fm_activity", 11)->sym)
        place_header(&p, prologue_of_header);
    }
    TokIndex next = r.i < u->marks.len ? ((Mark *)u->marks.at[r.i])->tok
                                       : (TokIndex)u->ntoks - 1;
    if (next > t && !p.begun && next > u->dialect_from)
      next = u->dialect_from;
    TokIndex raw = place_system(&p, t, next); // copies headers as they are
    t = raw > t ? raw : one_token(&r, t);
  }
  buf_putc(out, '\n');
  place_free(&p);
}
