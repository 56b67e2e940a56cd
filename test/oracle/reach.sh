#!/usr/bin/env bash
# reach.sh [BATCHES [FIRST]]: what random programs do not reach. Makes BATCHES batches of 100
# programs (20 when not given, from batch FIRST on, 1 when not given), and prints
#   - the rules of the machine that no program used, in the order of the queue or in a few random
#     schedules;
#   - the functions of the compiler's lowering (compiler/lower and compiler/frame) that no program
#     reached, and the part of their lines that was reached, by gcov.
# The compiler is built once more for that, in build/test/reach. Nothing is run but fmcc --emit-c.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/build/test/reach
cc=${BUILD_CC:-cc}
mkdir -p "$work/obj"
"$cc" -O2 -o "$work/oracle" "$root"/test/oracle/*.c

# The compiler with counters, at its place beside the headers that it needs.
build() {
  local file name
  mkdir -p "$work/build/bin"
  cp -r "$root/build/include" "$root/build/lib" "$root/build/share" "$work/build/"
  for file in "$root"/compiler/*/*.c "$root"/compiler/*.c; do
    [ -f "$file" ] || continue
    name=${file#"$root"/compiler/}
    name=${name//\//_}
    set -- -O0
    [[ $file != */lower/* && $file != */frame/* ]] || set -- -O0 --coverage
    "$cc" -std=gnu11 -w "$@" -I"$root/include" -I"$root/compiler" \
      -I"$(dirname "$file")" -c -o "$work/obj/${name%.c}.o" "$file"
  done
  "$cc" --coverage -o "$work/build/bin/fmcc" "$work"/obj/*.o
}

batches() {
  local i
  rm -f "$work"/obj/*.gcda "$work/rules"
  for i in $(seq "$2" $(($2 + $1 - 1))); do
    ORACLE_RULES=$work/rules "$work/oracle" batch $((i * 1000)) 100 "$work/b"
    ORACLE_RULES=$work/rules "$work/oracle" walk "$work/b"
    "$work/build/bin/fmcc" --cc=clang -w -I "$root/test/oracle" --emit-c=compiled \
      -o "$work/b.i" "$work/b.c"
  done
}

rules() {
  (cd "$root/test/oracle" &&
    sed -n 's/^RULE(\([A-Za-z_]*\)) {$/\1/p' rules-plain.c rules-activity.c rules-atomic.c \
      rules-errors.c rules-tree.c rules-objects.c) | sort > "$work/all"
  awk '$2 { print $1 }' "$work/rules" | sort -u > "$work/used"
  echo "rules that no program used: $(comm -23 "$work/all" "$work/used" | tr '\n' ' ')"
  echo "of $(wc -l < "$work/all") rules"
}

# Functions with their part of the lines; the compiler has no function twice in one file.
functions() {
  (cd "$work/obj" && gcov -f -n -o . ./*.gcda 2> /dev/null) > "$work/gcov.out" || true
  awk -F"'" '
    /^Function/ { name = $2; next }
    /^File/ { name = ""; file = $2; next }
    /^Lines executed/ && name != "" {
      split($0, part, /[:% ]+/); f[++n] = name; share[name] = part[3]; size[name] = $0
      sub(/.* of /, "", size[name]); next
    }
    /^Lines executed/ && file ~ /compiler\/(lower|frame)\// {
      split($0, part, /[:% ]+/); k = $0; sub(/.* of /, "", k)
      lines += k; reached += k * part[3] / 100; file = ""
    }
    END {
      for (i = 1; i <= n; i++) if (share[f[i]] == 0) { none = none " " f[i]; m++ }
      printf "%d of %d lines of compiler/lower and compiler/frame were reached\n", reached, lines
      printf "%d of %d functions were not reached:\n%s\n", m, n, none
    }' "$work/gcov.out" | fold -s -w 100
}

[ -x "$work/build/bin/fmcc" ] || build
batches "${1:-20}" "${2:-1}"
rules
functions
