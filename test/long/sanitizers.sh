#!/usr/bin/env bash
# sanitizers.sh [EVERY]: every EVERYth program about async functions of test/run (1: all) under
# ThreadSanitizer (gcc) and MemorySanitizer (clang). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
export FMCC=${FMCC:-$root/build/bin/fmcc} SRC=$root
every=${1:-1} passed=0 failed=0
. "$root/test/sanitize.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

all() { # CC SANITIZER
  local file n=0
  can "$1" "$2" || { echo "no $1 -fsanitize=$2 here"; return 0; }
  for file in "$root"/test/run/async-*.c; do
    n=$((n + 1))
    [ $((n % every)) = 0 ] || continue
    if sanitized "$1" "$2" "$file"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done
}

all gcc thread
all clang memory
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
