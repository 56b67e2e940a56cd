#!/usr/bin/env bash
# text.sh CC WORK: what other people's code costs in bytes of text and in time to compile, as it is
# and with every function async; and how the time to compile grows with the pauses of a function.
#     plain_LIBRARY_OPTION_text, ours_LIBRARY_OPTION_text     bytes, -O2 and -Os
#     plain_LIBRARY_compile, ours_LIBRARY_compile             ms, -O2, of preprocessed text
#     calls_300, calls_3000       so many pausing calls in one function: microseconds for each
# Needs what build.sh made: WORK/obj/LIBRARY-CC.names, asyncify, measure. Environment: FMCC,
# LIBRARIES, BENCH_MOMENT.
set -eu
cc=$1 work=$2 times=5
[ -z "${BENCH_MOMENT:-}" ] || times=1
. "$(dirname "$0")/libraries.sh"

bytes() { size -A "$1" | awk '/^\.text/ { n += $2 } END { print n + 0 }'; }

# cost LIBRARY SIDE OPTION COMMAND...: prints the bytes and, for -O2, the time.
cost() {
  local library=$1 side=$2 option=$3 file text seconds bytes=0 ms=0
  shift 3
  for file in $(library_sources "$library"); do
    text=$work/obj/text-$cc-$library-$side-${file##*/}.i
    seconds=$("$work/obj/measure" "$([ "$option" = -O2 ] && echo "$times" || echo 1)" \
      "$@" -w "$option" -x cpp-output -c "$text" -o "$text.o")
    bytes=$((bytes + $(bytes "$text.o")))
    ms=$(awk -v a="$ms" -v b="${seconds% *}" 'BEGIN { print a + b * 1000 }')
  done
  echo "${side}_$library${option/-/_}_text $bytes"
  [ "$option" != -O2 ] || echo "${side}_${library}_compile $ms"
}

for library in $libraries; do
  library_text "$cc" "$library"
  for option in -O2 -Os; do
    cost "$library" plain "$option" "$cc"
    cost "$library" ours "$option" "$FMCC" --cc="$cc"
  done
done

pausing() { # N: a function of N calls that may pause
  printf '#include <fermata.h>\nasync int g(int);\nasync int f(int x) {\n'
  seq -f '  x += g(x + %.0f);' "$1"
  printf '  return x;\n}\n'
}
for n in 300 3000; do
  unit=$work/obj/pausing-$cc-$n
  pausing "$n" > "$unit.c"
  seconds=$("$work/obj/measure" 1 "$FMCC" --cc="$cc" -O2 -c -o "$unit.o" "$unit.c")
  awk -v n="$n" -v s="${seconds% *}" 'BEGIN { print "calls_" n, s * 1e6 / n }'
done
