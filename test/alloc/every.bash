# every.bash (sourced): a command of fmcc again and again, each time with another one of its allocations failing.
#
#   every NAME STATUS COMMAND…     STATUS: how the command ends when nothing fails. It writes to ./output, or to nothing.
#
# With TRIES=N (0: all) so many allocations are tried, spread evenly. Each time the command says that there is no memory, has status 1 and
# leaves nothing behind, or does as it does when nothing fails. Needs SRC, CC; runs in an empty directory.
TRIES=${TRIES:-0}
$CC -O1 -shared -fPIC -o fail.so "$SRC/test/alloc/fail.c"
mkdir -p tmp
export TMPDIR=$PWD/tmp

failing() {
  local n=$1 got=0
  shift
  rm -f output
  timeout 60 env FAIL_AT="$n" FAIL_COUNT="$PWD/count" LD_PRELOAD="$PWD/fail.so" "$@" > said 2> err || got=$?
  [ -e output ] || : > output
  [ -z "$(ls -A tmp)" ] || fail "allocation $n of '$*' fails: $(ls -A tmp) is left behind"
  return "$got"
}

every() {
  local name=$1 status=$2 got=0 all n step told=0
  shift 2
  failing 0 "$@" || got=$?
  [ "$got" = "$status" ] || { cat err; fail "$name: status $got, expected $status"; }
  all=$(od -An -t d8 count | tr -d ' ')
  [ "$all" -gt 5 ] || fail "$name: only $all allocations"
  mv said want.said; mv output want.output; mv err want.err
  step=1
  [ "$TRIES" = 0 ] || step=$(((all + TRIES - 1) / TRIES))
  for ((n = 1; n <= all; n += step)); do
    got=0
    failing "$n" "$@" || got=$?
    if [ "$got" = 1 ] && grep -q 'error: out of memory$' err; then
      told=$((told + 1))
      [ ! -s output ] && [ ! -s said ] || fail "$name: allocation $n of $all fails, and there is output"
    elif [ "$got" != "$status" ] || ! cmp -s said want.said || ! cmp -s output want.output || ! cmp -s err want.err; then
      cat err; fail "$name: allocation $n of $all fails: status $got, not a word about it"
    fi
  done
  # Few are harmless, as that of a buffer without which stdio can do.
  [ $((told * 4)) -ge $(((n - 1) / step * 3)) ] || fail "$name: of $(((n - 1) / step)) failures only $told were noticed"
}

alloc_sources() {
  cat > small.c <<'END'
#include <fermata.h>
#include <fermata/time.h>
struct bad { int why; };
static async int half(int x) throws(struct bad) {
  if (x & 1) throw (struct bad){x};
  yield;
  return x / 2;
}
async int main(void) {
  int sum = 0, unused;
  try { sum += half(3); } catch (struct bad b) { sum += b.why; }
  activate { fm_sleep(1); sum++; }
  atomic { sum += 2; }
  return sum;
}
END
  printf '#include <fermata.h>\nasync int main(void) { fm_slepp(1); return await 3 + ; }\n' > bad.c
  printf '#include <fermata.h>\nasync int main(void) { const int x = 1; yield; switch (x) { case 1: case 1: ; } return 0; }\n' > below.c
  printf '#include <stdio.h>\nint main(void) { puts("1"); return 0; }\n' > plain.c
  echo '-O1 -DX=1 small.c' > response
}

every_case() {
  alloc_sources
  every --emit-c 0 "$FMCC" --emit-c small.c
  every "--emit-c -o" 0 "$FMCC" --emit-c small.c -o output
  every --frame-report 0 "$FMCC" --frame-report small.c
  every "-c, warnings" 0 "$FMCC" -Wall -c small.c -o output
  every "-c, response file" 0 "$FMCC" @response -c -o output
  every "-c, dependencies" 0 "$FMCC" -MMD -MF deps -c small.c -o output
  every "a link" 0 "$FMCC" small.c -o output
  every "an error of ours" 1 "$FMCC" -c bad.c -o output
  every "an error of the compiler" 1 "$FMCC" -c below.c -o output
  every "plain C" 0 "$FMCC" -c plain.c -o output
  every "re-printed" 0 "$FMCC" --translate=assert -c plain.c -o output
  every --version 0 "$FMCC" --version
}
