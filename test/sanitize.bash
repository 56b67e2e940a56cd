# sanitize.bash: programs under -fsanitize=thread and memory, which link libraries of their own. Wants FMCC and SRC.

# Some tests alone are run without these libraries having been built before.
(exec 9> "$SRC/build/install.lock"; flock 9; cd "$SRC" && eval "${BUILD_MAKE:-env -u CC make} --no-print-directory -s variants" > /dev/null 9>&-)

# can CC SANITIZER: whether that compiler has it, and it works here.
can() {
  echo 'int main(void) { return 0; }' > probe.c
  "$1" -fsanitize="$2" -o probe probe.c 2> probe.err && ./probe 2>> probe.err
}

# sanitized CC SANITIZER FILE [ARGUMENT]…: true if the program prints what it should, and the sanitizer nothing; else says what happened.
sanitized() {
  local cc=$1 with=$2 file=$3 status=0 expected=0 here=$PWD flags
  shift 3
  flags=$(sed -n 's|.*// flags: *||p' "$file")
  [ $# -gt 0 ] || eval "set -- $(sed -n 's|.*// args: *||p' "$file")"
  # shellcheck disable=SC2086
  (cd "${file%/*}" && "$FMCC" --cc="$cc" -O1 -g -fsanitize="$with" -Wall -Wextra -pthread $flags -I"$SRC/test/run" -o "$here/program" "${file##*/}") 2> err ||
    { echo "$file with $cc -fsanitize=$with does not compile"; cat err; return 1; }
  sed -n 's|.*// expect: \{0,1\}||p' "$file" > expected
  ! grep -q '// status:' "$file" || expected=$(sed -n 's|.*// status: *||p' "$file" | head -1)
  # A program that ends where there is no more memory leaves threads behind.
  # shellcheck disable=SC2046
  env $(sed -n 's|.*// env: \{0,1\}||p' "$file") TSAN_OPTIONS="exitcode=66 die_after_fork=0 report_thread_leaks=0" \
    timeout 120 ./program "$@" > out 2> err < /dev/null || status=$?
  ! grep -q 'Sanitizer' err && [ "$status" = "$expected" ] && cmp -s expected out && return
  echo "$file with $cc -fsanitize=$with: exit status $status, expected $expected"
  diff expected out
  head -60 err
  return 1
}
