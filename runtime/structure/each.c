// each.c: scopes with clauses `catch each`: a child that has failed goes on in a frame of the
// clauses, as its last act. The frame is the first one of the child then; its code shows that the
// child has come to its clauses, so that an error of the clauses is the scope's.
//
// In: an activity that has failed, and whose error would be the scope's. Out: the same activity,
// ready or running, in a new first frame.
#include "fm.h"

// As in activity.c: the frame of a body that shares variables of the function around it.
typedef struct clause_frame {
  fm_frame head;
  fm_frame *up;
} clause_frame;

// It is in no queue, and has ended, or is about to.
static void begin_again(fm__runtime *d, fm_node *a, fm_frame *root) {
  enum { OVER = FM__BODY | FM__ENDED | FM__DELAYED };
  a->leaf = root;
  if (a->word & FM__ENDED) // a pause of its own has ended with it
    a->word &= ~(uint64_t)FM__HELD;
  a->word &= ~(uint64_t)OVER;
  if (fm__in_atomic(d) && !a->set)
    a->word |= FM__DELAYED;
  fm__inherit(d, a); // what came after its end
}

bool fm__each_takes(fm__runtime *d, fm_node *s, fm_node *a, fm_frame *root) {
  const fm__clauses *k = fm__clauses_of(d, s);
  fm_error *e = fm__error_in(root);
  if (!k || root->code == k->code)
    return false;
  // What it shared ends with its own body; a block may go on.
  if (a->word & FM__GROUPED) {
    fm__leave_group(d, a);
    a->word &= ~(uint64_t)FM__GROUPED;
  }
  fm__frame_free(&d->c, root);
  clause_frame *f = (clause_frame *)k->start(&d->c, e);
  f->up = k->up;
  begin_again(d, a, &f->head);
  return true;
}

// Live children stand at the end of the ring.
void fm__each_revives(fm__runtime *d, fm_node *a) {
  fm_node *p = a->parent;
  fm__ring_remove(a);
  fm__ring_add(p, a);
  a->handles = 0;
  a->word &= ~(uint64_t)FM__CONTAINED;
  fm__ready(d, a);
}

void fm__scope_each(fm_domain *c,
                    fm_frame *(*start)(fm_domain *c, fm_error *e),
                    const fm_code *code,
                    fm_frame *up) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__innermost(d->current ? d->current : &d->host);
  *fm__clauses_new(d, s) = (fm__clauses){ start, code, up };
}
