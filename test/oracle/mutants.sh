#!/usr/bin/env bash
# mutants.sh [NAME...]: puts each mistake of the table `mutants` (all when none is named) into a
# copy of the runtime or compiler, and lets the oracle look for it in up to BATCHES batches of 100
# programs (100 when not given), from batch 600 on. Prints for each `NAME seed SEED SCHED TICK
# STATUS`, the first program that differs, or `NAME not found`; status 1 if one was not found.
# A line of the table: name | file | perl substitution | what was found, with tabs around the bars.
# `asan` before the seed: a mistake of the compiler that changes no trace as long as freed memory is
# not used again; the programs are compiled with ASan.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${WORK:-$root/build/test/mutants}
BATCHES=${BATCHES:-100}
mkdir -p "$work/batches"
cc=${BUILD_CC:-cc}
"$cc" -O2 -o "$work/oracle" "$root"/test/oracle/*.c

# batch N: makes the batch, as an object of the right compiler
batch() {
  local base=$work/batches/$1
  [ ! -f "$base.o" ] || return 0
  "$work/oracle" batch "${1}000" 100 "$base"
  "$root/build/bin/fmcc" --cc=clang -w -O0 -I "$root/test/oracle" -c -o "$base.o" "$base.c"
  "$work/oracle" jobs "$base" | grep -v random > "$base.jobs"
  "$root/build/bin/fmcc" --cc=clang -o "$work/right" "$base.o"
  "$work/right" < "$base.jobs" 2> /dev/null | "$work/oracle" check "$base" |
    grep '^differs' > "$base.known" || true
}

# install FILE SUBSTITUTION: a tree with the mistake, in $work/tree
install_mutant() {
  local name
  name=$(basename "$1" .c)
  rm -rf "$work/tree"
  mkdir -p "$work/tree"
  cp -r "$root/build/bin" "$root/build/lib" "$root/build/include" "$root/build/share" "$work/tree/"
  perl -0pe "$2" "$root/$1" > "$work/$name.c"
  ! cmp -s "$root/$1" "$work/$name.c" || { echo "the substitution changes nothing"; return 1; }
  "$cc" -std=gnu11 -w -O1 -I"$root/include" -I"$root/compiler" -I"$root/runtime" \
    -I"$root/$(dirname "$1")" -fPIE -c -o "$work/$name.o" "$work/$name.c" || return 1
  if [[ $1 == runtime/* ]]; then
    ar r "$work/tree/lib/libfermata.a" "$work/$name.o" 2> /dev/null
  else
    find "$root/build/obj/compiler" -name '*.o' \
      ! -path "*/$(basename "$(dirname "$1")")/$name.o" > "$work/objects"
    # shellcheck disable=SC2046
    "$cc" -o "$work/tree/bin/fmcc" $(cat "$work/objects") "$work/$name.o"
  fi
}

# try_batch FILE N OPTION: prints the first difference
try_batch() {
  local base=$work/batches/$2 from=$work/batches/$2.o
  [[ $1 == runtime/* ]] || from=$base.c
  # shellcheck disable=SC2086
  "$work/tree/bin/fmcc" --cc=clang -w -O0 $3 -I "$root/test/oracle" -o "$work/program" "$from" \
    > "$work/compile.out" 2>&1 ||
    { echo "differs 0 it does not compile"; return 0; }
  ORACLE_SECONDS=1 "$work/program" < "$base.jobs" 2> /dev/null | "$work/oracle" check "$base" |
    grep --line-buffered '^differs' | grep --line-buffered -vxFf "$base.known" | head -n 1 || true
}

# one NAME FILE SUBSTITUTION FOUND
one() {
  local name=$1 file=$2 i found number how option=
  [[ $4 != asan* ]] || option=-fsanitize=address
  install_mutant "$file" "$3" || return 1
  for i in $(seq 600 $((599 + BATCHES))); do
    batch "$i"
    found=$(try_batch "$file" "$i" "$option")
    [ -n "$found" ] || continue
    read -r _ number how <<< "$found"
    echo "$name ${option:+asan }seed $(sed -n "$((number + 1))p" "$work/batches/$i.seeds") $how"
    return 0
  done
  echo "$name not found"
  return 1
}

status=0
while IFS=$'\t' read -r name file substitution found; do
  [[ $name != '#'* ]] || continue
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  one "$name" "$file" "$substitution" "$found" || { echo "$name: failed"; status=1; }
done < "$root/test/oracle/mutants"
exit $status
