// all.c: fm_all, fm_any.
#include "fm.h"

void fm__hub_hears(fm__domain *d, fm_node *w, fm_node *a) {
  (void)d;
  (void)w;
  (void)a;
}
