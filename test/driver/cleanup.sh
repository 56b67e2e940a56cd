# No temporary file stays: after success, after errors, after a signal; and no half-written output.
. "$SRC/test/driver/common.bash"
fake_root
mkdir tmp; export TMPDIR=$PWD/tmp
empty() { [ -z "$(ls -A tmp)" ] || fail "$1 left $(ls -A tmp)"; }
dialect a.c; echo 'int f(void) { return 1 }' > bad.c
{ echo '#include <fermata.h>'; echo 'int main(void) { return undeclared_thing; }'; } > baddia.c
"$FMCC" a.c -o prog; empty "a link"
"$FMCC" -c a.c; empty "-c"
"$FMCC" --emit-c a.c > /dev/null; empty "--emit-c"
"$FMCC" '-###' a.c 2> /dev/null; empty "-###"
"$FMCC" -E a.c > /dev/null; empty "-E"
status 1 "$FMCC" -c bad.c; empty "an error of plain C"
echo old > baddia.o
status 1 "$FMCC" -c baddia.c; empty "an error in the dialect"; absent baddia.o
echo old > out.o
status 1 "$FMCC" -c baddia.c -o out.o; absent out.o
status 1 "$FMCC" --translate=verbatim -c bad.c -o bad.o; absent bad.o; empty "an error in verbatim mode"
echo 'keep me' > kept.c
status 1 "$FMCC" --emit-c --translate=verbatim nosuch.c -o kept.c; has kept.c 'keep me'; empty "a missing file"
ls | grep -q '\.tmp$' && fail "a temporary file stayed beside --emit-c's output"
# Killed while the compiler works; the compiler's process is ended as well.
cat > slow <<'S'
#!/bin/bash
case " $* " in *" -E "*) exec $REAL "$@";; esac
echo $$ > slow.pid
exec sleep 60
S
chmod +x slow; export REAL=$CC
interrupt() {
  local sig=$1 want=$2 got=0 tries=0
  shift 2
  rm -f slow.pid
  env --default-signal=INT,TERM,HUP "$@" & pid=$!
  while [ ! -s slow.pid ]; do
    tries=$((tries + 1)); [ $tries -lt 500 ] || fail "the slow compiler did not start"
    sleep 0.01
  done
  kill -"$sig" $pid
  wait $pid 2> /dev/null || got=$?
  [ $got = "$want" ] || fail "SIG$sig: expected status $want, got $got"
  ! kill -0 "$(cat slow.pid)" 2> /dev/null || fail "SIG$sig: the compiler still runs"
  empty "SIG$sig"
}
interrupt TERM 143 "$FMCC" --cc=./slow -c a.c
interrupt INT 130 "$FMCC" --cc=./slow -c a.c -o x.o
interrupt HUP 129 "$FMCC" --cc=./slow a.c -o x
# Into a pipe that nobody reads.
"$FMCC" -v -c a.c 2>&1 | true; empty "a closed pipe"
# A temporary directory that cannot be written is replaced.
TMPDIR=/nonexistent "$FMCC" -c a.c
