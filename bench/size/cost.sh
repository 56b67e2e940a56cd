#!/bin/sh
# cost.sh CC FMCC WORK: text size (bytes) and compile time (ms) of WORK/heavy.c as plain C and as
# Fermata, with -O2.
set -eu
cc=$1 fmcc=$2 work=$3
here=$(cd "$(dirname "$0")/.." && pwd)
times=12
[ -z "${BENCH_MOMENT:-}" ] || times=1
flags="-I$here -O2 -w -DPREFIX=h_"

side() { # NAME COMMAND...
  name=$1; shift
  time=$("$work/measure" "$times" "$@" $flags -c -o "$work/heavy-$cc-$name.o" "$work/heavy.c" | cut -d' ' -f1)
  size -A "$work/heavy-$cc-$name.o" | awk -v name="$name" '/^\.text/ { n += $2 } END { print name "_text", n }'
  echo "$name"_compile "$(echo "$time" | awk '{ print $1 * 1000 }')"
}

side plain "$cc" -DPLAIN
side ours "$fmcc" --cc="$cc"
