#!/usr/bin/env bash
# The work of fmcc and the size of what it prints grow with the number of statements in one function,
# not with its square: calls, calls in loops, in try and with defer, races. Twice the statements: at
# most 2.4 times the instructions (valgrind counts them) and 2.1 times the text. And labels of ours
# belong to blocks, because gcc walks over all labels of a function at the end of each of its blocks.
. "$SRC/test/driver/common.bash"
command -v valgrind > valgrind.path || exit 77
[ "$CC" = gcc ] || exit 77 # fmcc's own work is the same

statement() {
  case $1 in
    call) echo "x += h($2);" ;;
    loop) echo "for (int i = 0; i < 3; i++) x += h(i);" ;;
    try) echo "try { x += g($2); } catch (struct E e) { x -= e.v; }" ;;
    throw) echo "try { if (x == $2) throw (struct E){ x }; } catch (struct E e) { x -= e.v; }" ;;
    defer) echo "{ defer use(x); x += h($2); }" ;;
    defers) echo "defer use(x); x += h($2);" ;;
    finally) echo "try { x += h($2); } finally { h(x); }" ;;
    race) echo "race { case h($2): x++; case h(1): x--; }" ;;
    local) echo "{ int a[3] = { $2 }; x += h(a[1]) + a[x % 3]; }" ;;
    chan) echo "x += fm_recv(c);" ;;
  esac
}

program() {
  local i
  echo '#include <fermata.h>'
  echo '#include <fermata/sync.h>'
  echo 'struct E { int v; }; async int g(int n) throws(struct E); async int h(int n); int use(int);'
  echo 'fm_chan(int) *c;'
  echo 'async int f(int n) throws(struct fm_closed) { int x = n;'
  for ((i = 0; i < $2; i++)); do statement "$1" "$i"; done
  echo 'return x; }'
}

# kind, statements → instructions, bytes; out.c
work() {
  program "$1" "$2" > "$1.c"
  valgrind --tool=callgrind --callgrind-out-file=counts "$FMCC" --cc=gcc --emit-c=compiled -o out.c "$1.c" 2> log ||
    { grep -v '^==' log | head -20; fail "$1: does not compile"; }
  instructions=$(awk '/^summary:|^totals:/ { print $2; exit }' counts)
  bytes=$(wc -c < out.c)
}

# labels of ours that belong to a whole function: out of a text of one function
labels_at_large() {
  grep -o 'fm__[cw][0-9]*:' "$1" | tr -d : | sort -u > defined
  grep -o '__label__ fm__[cw][0-9]*' "$1" | sed 's/.* //' | sort -u > local
  comm -23 defined local | wc -l
}

for kind in ${KINDS:-call try defers finally chan}; do # also: loop throw race defer local
  work "$kind" 400
  before=$instructions size=$bytes
  work "$kind" 800
  echo "$kind: $before to $instructions instructions, $size to $bytes bytes"
  [ "$instructions" -lt $((before * 24 / 10)) ] || fail "$kind: the work of fmcc grows faster than the function"
  [ "$bytes" -lt $((size * 21 / 10)) ] || fail "$kind: the text grows faster than the function"
  sed -n '/^int f__fm_atomic(int n) {/,$p' out.c > atomic.c
  [ "$(labels_at_large atomic.c)" -lt 200 ] || fail "$kind: $(labels_at_large atomic.c) labels in one function"
  "$FMCC" --cc=gcc --emit-witness "$kind.c" > witness.c
  [ "$(labels_at_large witness.c)" -lt 200 ] || fail "$kind: $(labels_at_large witness.c) labels in one function of the witness"
done
