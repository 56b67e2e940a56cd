// dump-quiet.c: which functions cannot pause, what that means for their callers, and the variables
// whose addresses are only lent to calls.
#include "fmcc.h"

static const char *kind_of(const Quiet *q) {
  return q->pure    ? "quiet, brief, pure"
         : q->brief ? "quiet, brief"
         : q->quiet ? "quiet"
                    : "may pause";
}

static void add_name(Buf *out, const char **sep, const char *name) {
  buf_printf(out, "%s%s", *sep, name);
  *sep = ", ";
}

static void lent_parameters(const Async *a, Buf *out) {
  const char *sep = "; only looks through ";
  int i = 0;
  for (const Param *q = a->type->params; q && i < 64; q = q->next, i++)
    if (a->quiet.lent >> i & 1)
      add_name(out, &sep, q->name ? q->name->name : "(no name)");
}

static void lent_variables(const Async *a, Buf *out) {
  const char *sep = "; only lends ";
  FOR_EACH (const Local, k, a->locals) {
    if (k->addresses && !k->addressed)
      add_name(out, &sep, k->sym->name->name);
  }
}

static void one(Unit *u, Async *a, Buf *out) {
  dump_place(u, a->decl->tok, out);
  buf_printf(out, "%s: %s", a->decl->name->name, kind_of(&a->quiet));
  lent_parameters(a, out);
  lent_variables(a, out);
  buf_puts(out, "\n");
}

void dump_quiet(Unit *u, Buf *out) {
  dump_each(u, out, one);
}
