# Some allocations of fmcc fail, each in a run of its own (test/long/alloc.sh: every one): a message, status 1, nothing left behind.
. "$SRC/test/driver/common.bash"
. "$SRC/test/alloc/every.bash"
TRIES=4
every_case
# The old output goes, as after any error of the compiler; that of --emit-c, which replaces it in the end, stays.
failing_with_old() {
  got=0; echo old > old
  env FAIL_AT="$1" LD_PRELOAD="$PWD/fail.so" "$FMCC" "$2" small.c -o old 2> err || got=$?
  [ $got = 1 ] || fail "$2: status $got"
  has err 'out of memory'
}
failing_with_old 700 -c; absent old
failing_with_old 700 --emit-c; has old old
# The tool.
every "fermata run" 0 "${FMCC%fmcc}fermata" run -xc plain.c
