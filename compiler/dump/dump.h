// dump.h: the state of a unit after a pass, as text for people (--dump=PASS). Declarations of
// system headers, and of the library's, are left out. Nothing here changes the unit.
#ifndef FMCC_DUMP_DUMP_H
#define FMCC_DUMP_DUMP_H

#include "base/types.h"

// ---- dump-tree.c: tokens and trees ----
void dump_tokens(Unit *u, Buf *out);
void dump_trees(Unit *u, Buf *out);   // as they were parsed
void dump_lowered(Unit *u, Buf *out); // and plain functions that were lowered
void dump_place(Unit *u, TokIndex t, Buf *out); // `x.c:3: `
// Calls fn for each async function in a file of the user's.
void dump_each(Unit *u, Buf *out, void (*fn)(Unit *u, Async *a, Buf *out));

// ---- dump-quiet.c: functions that cannot pause ----
void dump_quiet(Unit *u, Buf *out);

// ---- dump-frame.c: the variables of async functions ----
void dump_residents(Unit *u, Buf *out);
void dump_live(Unit *u, Buf *out);
void dump_forms(Unit *u, Buf *out);
void dump_fields(Unit *u, Buf *out);

#endif
