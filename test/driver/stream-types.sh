#!/usr/bin/env bash
# Streams whose elements have another type than is wanted: what the C compiler finds, at the user's line.
set -eu

cat > head.h <<'END'
#include <fermata.h>
#include <fermata/stream.h>
struct point { int x, y; };
typedef fm_stream(int) ints;
typedef fm_stream(struct point) points;
typedef fm_chan(double) double_chan;
typedef fm_event(double) double_event;
typedef fm_batch(double, 3) three;
typedef fm_stream(three) threes;
points some_points(void);
END

refused() {
  printf '#include "head.h"\n%s\n' "$1" > it.c
  if "$FMCC" -c it.c 2> errors; then echo "accepted: $1"; exit 1; fi
  grep -q '^it.c:2:[0-9]*: error:' errors || { echo "not at its line: $1"; cat errors; exit 1; }
}

refused 'ints f(void) { return some_points(); }'
refused 'ints f(ints s, points p) { return fm_stream_merge(s, p); }'
refused 'ints f(ints s, points p) { return fm_stream_concat(s, s, p); }'
refused 'ints f(double_chan *c) { return fm_stream_from_chan(ints, c); }'
refused 'ints f(double_event *e) { return fm_stream_from_event(ints, e, 1); }'
refused 'ints f(double *d) { return fm_stream_from_array(ints, d, 3); }'
refused 'threes f(ints s) { return fm_stream_buffer(threes, s); }'
refused 'async bool f(ints *s, double *x) throws(fm_error) { return fm_stream_next(s, x); }'
refused 'size_t f(ints *s, double *x) { return fm_stream_past(s, x, 1); }'
refused 'ints f(void) { return fm_stream_of(ints, (struct point){ 1, 2 }); }'
refused 'points f(points p) { return fm_stream_take(3, p); }'
