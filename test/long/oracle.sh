#!/usr/bin/env bash
# oracle.sh [N [FIRST]]: N random programs of the core language (test/oracle/; from batch FIRST on,
# 1 when not given; N is 100000 when not given) do what the abstract machine of docs/formal.md does:
# the exact trace in the order of the queue; in random orders, and with every automatic yield taken,
# one of the traces of the machine; small programs have all of its outcomes. A batch is one unit of
# 100 programs. Most batches are compiled by clang -O0, which takes the least time; of 32, one each
# by gcc -O0 and -O2, clang -O2, and with ASan, now and then with UBSan, too.
# The first program of a batch that differs is shortened, and printed with both traces side by side.
# oracle.sh --seed SEED [SCHED [TICK]]: the program of one seed, or of a file with its text, explained
# in the same way. SCHED is fifo (when not given) or random:N, TICK off (when not given) or always.
# Environment: FMCC, JOBS, WAY (the number of a way, for all batches), SIZE (of a batch), LOG (a
# file that gets a line for each batch: its number, its way, what was compared).
# Ends with the rules that no program used, and with `N passed, M failed`, which count batches.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc}
SIZE=${SIZE:-100}

# Without its library for ASan a program's use of frames is reported wrongly.
needs_asan() {
  case ${WAY:-all} in
    all | 4 | 5) ;;
    *) return 0 ;;
  esac
  [ -f "$(dirname "$FMCC")/../lib/libfermata-asan.a" ] ||
    { echo "oracle.sh: libfermata-asan.a is missing; \`make variants\` builds it" >&2; exit 2; }
}

# way_of BATCH: the number of its way
way_of() {
  case $(($1 % 32)) in
    0) echo 1 ;;
    8) echo 2 ;;
    16) echo 3 ;;
    24) if [ $(($1 % 256)) = 24 ]; then echo 5; else echo 4; fi ;;
    *) echo 0 ;;
  esac
}

flags() {
  case $1 in
    0) echo "--cc=clang -O0" ;;
    1) echo "--cc=gcc -O0" ;;
    2) echo "--cc=gcc -O2" ;;
    3) echo "--cc=clang -O2" ;;
    4) echo "--cc=clang -O0 -fsanitize=address" ;;
    5) echo "--cc=gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
    *) echo "oracle.sh: there is no way $1" >&2; exit 2 ;;
  esac
}

# compile BASE WAY
compile() {
  # shellcheck disable=SC2046
  "$FMCC" $(flags "$2") -w -I "$root/test/oracle" -o "$1" "$1.c" > compile.out 2>&1
}

# The programs of try.c that fmcc refused: a shorter program need not be valid.
refused() {
  sed -n 's/^try\.c:\([0-9]*\):.* error: .*/\1/p' compile.out |
    while read -r line; do
      sed -n "1,${line}s/^static .* int p\([0-9]*\)_f.*/\1/p" try.c | tail -n 1
    done | sort -un | tr '\n' ' '
}

# Compiles try.c, without the programs that are refused.
compile_valid() {
  local numbers
  for _ in 1 2 3 4; do
    ! compile try "$1" || return 0
    numbers=$(refused)
    # shellcheck disable=SC2086
    [ -n "$numbers" ] && "$ORACLE" drop try $numbers || return 1
  done
  return 1
}

# shorten WAY "N SCHED TICK": leaves the shortest program in short.core
shorten() {
  local way=$1 number=${2%% *} how=${2#* } i found
  "$ORACLE" pick b "$number" > short.core
  for i in $(seq 25); do
    "$ORACLE" shorter short try || break
    compile_valid "$way" || break
    for i in $(seq 0 $(($(grep -c '^(program' try.core) - 1))); do echo "$i $how"; done |
      ./try 2> try.err | "$ORACLE" check try > try.out || true
    found=$(sed -n 's/^differs \([0-9]*\) .*/\1/p' try.out | head -n 1)
    [ -n "$found" ] || break
    "$ORACLE" pick try "$found" > next.core
    mv next.core short.core
  done
}

# explain WAY "differs N SCHED TICK STATUS"
explain() {
  local number how
  read -r _ number how <<< "$2"
  how=${how% *}
  echo "seed $(sed -n "$((number + 1))p" b.seeds), $how; shortened:"
  shorten "$1" "$number $how"
  "$ORACLE" unit short
  compile short "$1" || { head -n 5 compile.out; return 0; }
  echo "0 $how" | ./short 2> short.err | "$ORACLE" explain short
  grep -n '' short.err | sed -n '1,6s/^[0-9]*:/  stderr: /p'
  echo "The program; put(place, value) adds to the trace, docs/formal.md has the rest:"
  sed -n '/^int main/q; /^static .*;$/d; 3,$p' short.c
  echo "The same for the machine:"
  cat short.core
}

one() {
  local batch=$1 way=${WAY:-} first
  way=${way:-$(way_of "$batch")}
  echo "batch $batch: fmcc $(flags "$way")"
  "$ORACLE" batch $((batch * 1000)) "$SIZE" b
  compile b "$way" || { head -n 20 compile.out; exit 1; }
  "$ORACLE" jobs b > jobs
  ./b < jobs > results 2> stderr || { tail -n 3 stderr; exit 1; }
  if ORACLE_RULES=$RULES.$$ "$ORACLE" check b < results > verdict; then
    tail -n 1 verdict >> "$RULES.tally"
    [ -z "${LOG:-}" ] || echo "$batch: $(flags "$way"): $(tail -n 1 verdict)" >> "$LOG"
    exit 0
  fi
  head -n 8 verdict
  first=$(grep -m 1 '^differs' verdict) || exit 1
  explain "$way" "$first"
  exit 1
}

# The names of all rules, in the order of the machine's files.
rule_names() {
  (cd "$root/test/oracle" &&
    sed -n 's/^RULE(\([A-Za-z_]*\)) {$/\1/p' rules-plain.c rules-activity.c rules-atomic.c \
      rules-errors.c rules-tree.c rules-objects.c)
}

unused_rules() {
  cat "$RULES".[0-9]* 2> /dev/null | awk '{ n[$1] += $2 } END { for (r in n) print r }' |
    sort > "$RULES.used"
  rule_names | sort | comm -23 - "$RULES.used" | tr '\n' ' '
}

# seed SEED SCHED TICK
seed() {
  local way=${WAY:-0} dir=$root/build/test/oracle.$$ line
  mkdir -p "$dir"
  [ ! -f "$1" ] || cp "$1" "$dir/b.core"
  cd "$dir"
  ORACLE=$dir/oracle
  "${BUILD_CC:-cc}" -O2 -o "$ORACLE" "$root"/test/oracle/*.c
  [ -f b.core ] || "$ORACLE" gen "$1" > b.core
  echo "$1" > b.seeds
  "$ORACLE" unit b
  compile b "$way" || { head -n 20 compile.out; exit 1; }
  if echo "0 $2 $3" | ./b 2> stderr | tee result | "$ORACLE" check b > verdict; then
    cp b.core short.core
    "$ORACLE" explain short < result
  else
    line=$(grep -m 1 '^differs' verdict)
    explain "$way" "$line"
  fi
  rm -rf "$dir"
}

main() {
  local n=${1:-100000} first=${2:-1} dir=$root/build/test/oracle.$$ status=0 batches
  batches=$(((n + SIZE - 1) / SIZE))
  pool_needs "$FMCC"
  needs_asan
  mkdir -p "$root/build/test"
  export ORACLE=$dir.oracle RULES=$dir.rules
  "${BUILD_CC:-cc}" -O2 -o "$ORACLE" "$root"/test/oracle/*.c
  seq "$first" $((first + batches - 1)) | pool_run "$dir" 600 bash "$root/test/long/oracle.sh" --one
  echo "rules that were not used: $(unused_rules)"
  awk '{ e += $1; m += $3; u += $5; o += $7 }
    END { print e+0 " exact, " m+0 " members, " u+0 " unknown, " o+0 " outcomes" }' \
    "$RULES.tally" 2> /dev/null || true
  pool_summary "$dir" || status=1
  rm -f "$ORACLE" "$RULES".*
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

case ${1:-} in
  --one) one "$2" ;;
  --seed) seed "$2" "${3:-fifo}" "${4:-off}" ;;
  *) main "$@" ;;
esac
