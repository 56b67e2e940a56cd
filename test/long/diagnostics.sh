#!/usr/bin/env bash
# What the C compiler says of plain C it says in every body of the dialect: each warning and error once, at the same column of the case's line.
# diagnostics.sh [EVERY [whole]]: only each so-many-th case; whole: the generated text is compiled as well. FMCC, CC (gcc and clang).
# Where fmcc refuses a case in its own words, one error at that line is enough.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD every=${1:-1} whole=${2-} failed=0
FMCC=${FMCC:-$top/build/bin/fmcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$top"/test/diagnostics/prelude.h .
export LC_ALL=C

warnings='-O2 -std=gnu11 -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wformat=2 -Wuninitialized -Wnull-dereference -Wparentheses
  -Wunused -Wcast-qual -Wcast-align -Wstrict-prototypes -Wpointer-arith -Wwrite-strings -Wfloat-equal -Wundef -Wvla -Wswitch-default -Wswitch-enum
  -Wnested-externs -Wimplicit-fallthrough -Wmissing-field-initializers -Wbad-function-cast'
for_gcc='-fno-ipa-icf -Wno-misleading-indentation -Wmaybe-uninitialized -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wjump-misses-init -Walloca -Wstringop-overflow -Warray-bounds'
for_clang='-ferror-limit=0 -Wno-empty-body -Wno-unknown-warning-option -Wconditional-uninitialized -Wcomma -Wassign-enum'

write() { awk -v clang="$clang" -f "$top/test/diagnostics/write.awk" "$@" "$top/test/diagnostics/cases.txt"; }
read_messages() { awk -v map="$1" -v whole="$whole" -f "$top/test/diagnostics/read.awk" "$2" | sort -u; }

# compare NAME: plain.NAME with ours.NAME; own.NAME are fmcc's own errors.
compare() {
  awk -v own="own.$1" -v map="ours.map" -v compiler="$CC" '
    function tell(what) { print compiler ": " what; wrong++ }
    { key = $1; context = $2; where = $3; text = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", text) }
    FILENAME ~ /^plain/ { if (where == "in") wants[key, context] = wants[key, context] "\n    " text; else outside[key] = 1; next }
    where == "in" { gets[key, context] = gets[key, context] "\n    " text; next }
    { if (!(key in outside)) tell("case " key " in " context ": said of what stands around it: " text) }
    END {
      while ((getline one < own) > 0) { split(one, k, " "); refused[k[1], k[2]]++; if (k[3] != "in") tell("case " k[1] " in " k[2] ": refused at another line: " one) }
      while ((getline one < map) > 0) {
        split(one, k, " ")
        if (k[4] != "in") continue
        cases++
        if ((k[2], k[3]) in refused) {
          if (wants[k[2], k[3]] == "") tell("case " k[2] " in " k[3] ": refused, though nothing is wrong")
          if (refused[k[2], k[3]] > 1) tell("case " k[2] " in " k[3] ": refused more than once")
        } else if (gets[k[2], k[3]] != wants[k[2], k[3]]) {
          tell("case " k[2] " in " k[3] ":\n  plain C:" wants[k[2], k[3]] "\n  here:" gets[k[2], k[3]])
        }
      }
      print compiler ": " cases " places, " wrong + 0 " wrong"
      exit wrong > 0
    }' "plain.$1" "ours.$1"
}

try() {                                           # NAME: the cases of only.NAME
  write -v plain=1 -v map=plain.map -v only="only.$1" > unit.c
  $CC $options -c -o /dev/null unit.c 2> said || true
  read_messages plain.map said > "plain.$1"
  : > leave; : > "own.$1"
  for round in 1 2 3 4; do
    write -v map=ours.map -v only="only.$1" -v leave=leave > unit.c
    "$FMCC" --cc="$CC" --emit-c=compiled -o /dev/null unit.c 2> said && break
    read_messages ours.map said > refused
    grep -q error refused || { cat said; exit 1; }
    cat refused >> "own.$1"
    awk '/error/ { print $1, $2 }' refused >> leave
    [ "$round" -lt 4 ] || { echo "fmcc goes on refusing"; head said; exit 1; }
  done
  # A place that fmcc has refused has no lines now, but it is one of those that are counted.
  if [ "$whole" ]; then                           # what is generated, too, and what fmcc makes of the messages
    "$FMCC" --cc="$CC" $options -c -o /dev/null unit.c 2> said || true
  else
    "$FMCC" --cc="$CC" $options --emit-witness -o witness.i unit.c
    $CC $options -x cpp-output -S -o /dev/null witness.i 2> said || true
  fi
  if grep -E ': (error|warning|note): ' said | grep -E '^<fermata>|mistake in fmcc|^/usr/.*(error|warning):|fm__w'; then
    echo "$CC: a message points where the user has written nothing"
    failed=1
  fi
  read_messages ours.map said > "ours.$1"
  write -v map=ours.map -v only="only.$1" > /dev/null
  compare "$1" || failed=1
}

for CC in ${CC:-gcc clang}; do
  options="$warnings $for_gcc" clang=
  case $CC in *clang*) options="$warnings $for_clang" clang=1 ;; esac
  write -v plain=1 -v map=plain.map > unit.c      # which of them are errors, which would hide what the optimiser finds
  $CC $options -c -o /dev/null unit.c 2> said || true
  read_messages plain.map said > all
  awk -v every="$every" '/^#/ || /^ *$/ { next } ++i % every == 0 { print i }' "$top/test/diagnostics/cases.txt" > chosen
  awk 'FILENAME == "all" { if ($5 ~ /error/) bad[$1] = 1; next } $1 in bad' all chosen > only.errors
  awk 'FILENAME == "all" { if ($5 ~ /error/) bad[$1] = 1; next } !($1 in bad)' all chosen > only.warnings
  for kind in warnings errors; do try $kind; done
done
[ "$failed" = 0 ] && echo "1 passed, 0 failed" || echo "0 passed, 1 failed"
exit $failed
