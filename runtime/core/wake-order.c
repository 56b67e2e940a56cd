// wake-order.c: activities that are released in one step go on in the order in which they blocked.
// An activity that blocks gets a stamp in its innermost frame, whose `spare` has no other use then.
// Usually the activities are found in that order already. If not, they are sorted by their stamps,
// one byte at a time, which takes time in proportion to their number.
#include "fm.h"

void fm__wake_list_add(fm__wake_list *l, fm_node *a) {
  if (l->first)
    l->last->link = a;
  else
    l->first = a;
  l->last = a;
}

// How long ago a blocked; the difference is right even after the stamp has overflowed.
static uint32_t age(const fm__runtime *d, const fm_node *a) {
  return d->stamp - a->leaf->spare;
}

static bool is_sorted(const fm__runtime *d, const fm__wake_list *l) {
  for (const fm_node *a = l->first; a != l->last; a = a->link)
    if (age(d, a) < age(d, a->link))
      return false;
  return true;
}

// By one byte, the oldest first; equal ones keep their order.
static void sort_by(const fm__runtime *d, fm__wake_list *l, unsigned shift) {
  fm__wake_list lines[256] = { { 0 } };
  fm__wake_list all = { 0 };
  for (fm_node *a = l->first, *next; a; a = next) {
    next = a == l->last ? NULL : a->link;
    fm__wake_list_add(&lines[age(d, a) >> shift & 255], a);
  }
  for (int i = 255; i >= 0; i--)
    if (lines[i].first) {
      fm__wake_list_add(&all, lines[i].first);
      all.last = lines[i].last;
    }
  *l = all;
}

void fm__wake_list_release(fm__runtime *d, fm__wake_list *l) {
  if (!l->first)
    return;
  if (!is_sorted(d, l))
    for (unsigned shift = 0; shift < 32; shift += 8)
      sort_by(d, l, shift);
  for (fm_node *a = l->first, *next; a; a = next) {
    next = a == l->last ? NULL : a->link;
    fm__push(fm__set_of(d, a), a);
  }
  *l = (fm__wake_list){ 0 };
  fm__tick_check(d);
}
