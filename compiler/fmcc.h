// fmcc.h: the tour of the translator. Each folder is a stage, and each has a header with the
// structures that the stage makes and the functions that other stages call, grouped by the file
// that defines them. They are included here in the order of the pipeline:
//
//   text      the preprocessed unit, as the driver hands it to translate() (translate.h)
//   tokens    parse/lex.h: lex() makes them; they stay for good, and everything that comes later
//             points at them by index (TokIndex, Range), so each message and each generated line
//             knows where the user wrote it
//   tree      parse/tree.h: nodes and declarations; parse/parse.h: their makers. C cannot be
//             parsed without knowing which names are types, so names (check/scope.h), types
//             (check/type.h) and expressions (check/check.h) are checked as the tree grows, and no
//             later stage recurses over it for types
//   quiet     quiet/quiet.h: which functions cannot pause, so that calls of them stay C calls
//   lowered   lower/lower.h: in a body that pauses, each pause becomes a statement of its own, and
//             everything that happens when a block is left is spelled out
//   frame     frame/frame.h: what each pause has to keep, which variables live in the frame, and
//             which of them share a field
//   C         emit/print.h prints trees; emit/emit.h puts the unit together: plain C is copied as
//             it stands, a function that pauses becomes several functions and a descriptor
//   witness   witness/witness.h: the unit once more as plain C in the user's own shape, of which
//             the C compiler's warnings come
//   dump      dump/dump.h: --dump=PASS prints the unit after any pass
//
// Everything about one unit hangs on a Unit (unit.h), which is handed to every function; there are
// no globals. Memory is Unit.arena, released whole at the end. base/ has what all stages stand on:
// memory and growing text (base.h), the names of the structures (types.h), interned names
// (ident.h), messages (diag.h). The driver, which runs compilers, is apart (driver/driver.h).
//
// A file that needs one stage alone may include that stage's header: each is complete by itself.
#ifndef FMCC_H
#define FMCC_H

#include "base/base.h"
#include "base/types.h"

#include "base/ident.h"
#include "base/diag.h"
#include "translate.h"

#include "parse/lex.h"
#include "parse/tree.h"
#include "parse/children.h"
#include "parse/body.h"
#include "parse/parse.h"

#include "check/type.h"
#include "check/scope.h"
#include "check/check.h"

#include "quiet/quiet.h"
#include "lower/lower.h"
#include "frame/frame.h"
#include "frame/dataflow.h"

#include "emit/print.h"
#include "emit/emit.h"

#include "witness/witness.h"
#include "dump/dump.h"

#include "unit.h"

#endif
