# Every plain program of test/run, with our type of each of its expressions and our layout of its structures asserted to the C
# compiler; then it still has to print what it should.
set -eu

one_of() { sed -n "s|.*// $2: \{0,1\}||p" "$1" | tr '\n' ' '; }

# asserts FILE: compiles and runs it in mode assert; false with a message if something is wrong.
asserts() {
  local flags args status=0 want
  flags=$(one_of "$1" flags)
  want=$(sed -n 's|.*// status: ||p' "$1" | head -n 1)
  eval "args=($(one_of "$1" args))"
  sed -n 's|.*// stdin: \{0,1\}||p' "$1" > stdin
  sed -n 's|.*// expect: \{0,1\}||p' "$1" > expected
  # shellcheck disable=SC2086
  "$FMCC" --cc="$CC" --translate=assert -w -I"$SRC/test/run" -o program "$1" $flags > output 2>&1 || {
    cut -c1-400 output
    return 1
  }
  timeout 20 ./program ${args[@]+"${args[@]}"} < stdin > actual 2> stderr || status=$?
  [ "$status" = "${want:-0}" ] && diff -u --label expected --label actual expected actual
}

failed=0
for file in "$SRC"/test/run/*.c; do
  case $file in */async-*) continue ;; esac        # the dialect's types are not C's
  only=$(one_of "$file" only)
  [ -z "$only" ] || [ "$only" = "$CC " ] || continue
  asserts "$file" || { echo "FAIL: $file"; failed=1; }
done
exit $failed
