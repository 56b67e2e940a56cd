#!/usr/bin/env bash
# test.sh 'FOLDER/FILE [WAY]': runs one test in the current, empty directory. Exit status 0: passed, 77: skipped.
# Needs SRC, FMCC, FMCC_ASAN and BUILD_CC; run.sh sets them. README.md describes the expectations that a test file may hold.
set -u

# ---- expectations: comments anywhere in the file; each prints the rest of the line ----
lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$source"; }
first_of() { lines_of "$1" | head -n 1; }
words_of() { lines_of "$1" | tr '\n' ' '; }

fail() {
  printf '%s\n' "$@"
  exit 1
}

limit() { timeout -k 2 "$@"; }

# ---- run/: compile without a word from the compiler, run, compare output and status ----
way_flags() {
  case $1 in
    *,asan) echo "${1%,asan} -g -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
    *) echo "$1" ;;
  esac
}

compile_program() {
  local flags
  flags="--cc=$cc --translate=$mode -Wall -Wextra $(way_flags "$opt") -I$SRC/test/$folder -o program $file $(words_of flags)"
  echo "fmcc $flags"
  # shellcheck disable=SC2086
  ASAN_OPTIONS=detect_leaks=0 limit 60 "$FMCC" $flags > compile.out 2>&1 || { cat compile.out; fail "does not compile"; }
  [ "$(first_of warn)" = ok ] || [ ! -s compile.out ] || { cat compile.out; fail "the compiler has something to say"; }
}

run_program() {
  local status=0 args vars
  eval "args=($(words_of args))"
  eval "vars=($(words_of env))"
  lines_of stdin > stdin
  lines_of "${expectation:-expect}" > expected
  limit "${seconds:-20}" env ${vars[@]+"${vars[@]}"} ./program ${args[@]+"${args[@]}"} < stdin > actual 2> stderr || status=$?
  if ! cmp -s expected actual || [ "$status" != "${want_status:-0}" ]; then
    diff -u --label expected --label actual expected actual
    head -n 40 stderr
    fail "exit status $status, expected ${want_status:-0}"
  fi
}

test_run() {
  local cc opt mode only want_status
  read -r cc opt mode <<< "$way"
  only=$(first_of only)
  [ -z "$only" ] || [ "$only" = "$cc" ] || exit 77
  want_status=$(first_of status)
  compile_program
  run_program
}

# ---- examples: as run/, but what they print is called `output`; a server is only compiled here, and `driven by` a script ----
test_example() {
  local cc opt mode expectation=output
  read -r cc opt mode <<< "$way"
  case $BUILD_CC,$way in
    gcc,gcc*,asan*) FMCC=$FMCC_ASAN ;;            # program and library both sanitized
  esac
  compile_program
  if [ -n "$(first_of 'driven by')" ]; then
    [ -f "$SRC/$(first_of 'driven by')" ] || fail "$(first_of 'driven by') is missing"
  else
    export FERMATA_TICK=off                       # no switch because the machine is busy
    [ -n "$(lines_of output)" ] || fail "no \`// output:\` says what it prints"
    run_program
  fi
}

# ---- stress/: one program under sanitizers, in several orders of what happens ----
test_stress() {
  local seconds=60 cc=gcc opt=-O1,asan mode=auto want_status order
  want_status=$(first_of status)
  compile_program
  for order in FERMATA_SCHED=fifo FERMATA_SCHED=random:1 FERMATA_SCHED=random:2 FERMATA_TICK=always; do
    echo "$order"
    export "${order?}"
    run_program
    unset "${order%%=*}"
  done
}

# ---- reject/: the diagnostics, all of them and no others ----
has_diagnostic() {
  local kind=$1 want=$2 place message
  place=$(cut -d: -f1,2 <<< "$want")
  message=$(cut -d: -f3- <<< "$want" | sed 's/^ //')
  grep -F -e "$file:$place: $kind: " output | grep -q -F -e "$message" || fail "missing: $file:$place: $kind: $message"
}

check_diagnostics() {
  local want count
  while IFS= read -r want; do has_diagnostic error "$want"; done < <(lines_of error)
  while IFS= read -r want; do has_diagnostic note "$want"; done < <(lines_of note)
  count=$(grep -c -E '^[^ ]+:[0-9]+:[0-9]+: error: ' output)
  [ "$count" = "$(lines_of error | wc -l)" ] || fail "$count errors, expected $(lines_of error | wc -l)"
}

test_reject() {
  local status=0 flags
  flags=$(words_of flags)
  case $flags in *--translate=*) ;; *) flags="--translate=reprint $flags" ;; esac
  # shellcheck disable=SC2086
  limit 20 "$FMCC" -c -o program.o -I"$SRC/test/$folder" "$file" $flags > output 2>&1 || status=$?
  cat output
  [ "$status" = 1 ] || fail "exit status $status, expected 1"
  [ ! -e program.o ] || fail "an object file was left behind"
  [ -n "$(lines_of error)" ] || fail "the test expects no error"
  check_diagnostics
}

# ---- emit/: what the translation contains ----
test_emit() {
  local flags want
  flags=$(words_of flags)
  case $flags in *--translate=*) ;; *) flags="--translate=reprint $flags" ;; esac
  # shellcheck disable=SC2086
  limit 20 "$FMCC" --emit-c=compiled -I"$SRC/test/$folder" "$file" $flags > output 2> errors || { cat errors; fail "exit status $?"; }
  [ ! -s errors ] || { cat errors; fail "fmcc has something to say"; }
  while IFS= read -r want; do
    grep -q -F -e "$want" output || { cat output; fail "not emitted: $want"; }
  done < <(lines_of emits)
  while IFS= read -r want; do
    ! grep -q -F -e "$want" output || { cat output; fail "emitted: $want"; }
  done < <(lines_of emits-not)
}

# ---- unit/: C against the parts of the compiler and the runtime, under sanitizers ----
test_unit() {
  local lib=$SRC/build/asan/lib
  # shellcheck disable=SC2046,SC2086
  limit 60 $BUILD_CC -std=gnu11 -Wall -Wextra -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    -I"$SRC/include" -I"$SRC/compiler" -I"$SRC/runtime" -o unit "$source" "$lib/libfmcc.a" "$lib/libfermata.a" \
    $(words_of flags) $(cat "$lib/libfermata.libs") || fail "does not compile"
  limit 60 ./unit || fail "exit status $?"
}

# ---- fuzz-found/: whatever the input, an answer; the driver leaves its memory to the end of the process ----
test_fuzz_found() {
  local status=0
  ASAN_OPTIONS=detect_leaks=0 limit 10 "$FMCC_ASAN" --emit-c=compiled --translate=reprint -x cpp-output "$source" > output 2> errors || status=$?
  [ "$status" -le 1 ] && ! grep -q -E 'Sanitizer|runtime error:' errors || { tail -n 40 errors; fail "exit status $status"; }
}

# ---- driver/ and sample/: scripts ----
test_script() {
  CC=$way limit "$1" bash "$source"
}

job=$1
name=${job%% *}
way=${job#"$name"}
way=${way# }
folder=${name%%/*}
file=${name#*/}
source=$SRC/test/$name
[ "$folder" != examples ] || source=$SRC/$name
case $folder in
  run | stress | reject | emit | examples) cp "$source" . ;;
esac
case $folder in
  run) test_run ;;
  stress) test_stress ;;
  examples) test_example ;;
  reject) test_reject ;;
  emit) test_emit ;;
  unit) test_unit ;;
  fuzz-found) test_fuzz_found ;;
  driver) test_script 120 ;;
  sample) test_script 500 ;;
  *) fail "no such kind of test: $folder" ;;
esac
