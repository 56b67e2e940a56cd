# Twenty random programs leave blocks in every way: end, return, break, continue, goto, throw.
set -eu
[ "$CC" = gcc ] || exit 77              # the seeds take turns with the compilers
JOBS=1 "$SRC/test/long/leave.sh" 12
