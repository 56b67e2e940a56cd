# A part of the constraint violations and warnings draws the same diagnostics in every body as in plain C.
set -eu
"$SRC/test/long/diagnostics.sh" 24 whole
