#!/usr/bin/env bash
# The chat server of examples/ with visitors who talk, one who never reads, and its end by SIGTERM: plain and sanitized.
set -eu
fail() { echo "FAIL: $*" >&2; exit 1; }

# talk FLAGS...
talk() {
  local status=0 i
  "$FMCC" --cc="$CC" -Wall -Wextra -Werror "$@" -o chat "$SRC/examples/chat.c"
  : > said
  ./chat > said 2> complaints &
  pid=$!
  trap 'kill -9 $pid 2>/dev/null || true' EXIT
  for i in $(seq 500); do [ ! -s said ] || break; sleep 0.02; done
  timeout 60 ./visitors "$(sed -n 's/^port //p' said)" "$pid" > heard || fail "visitors: status $?"
  diff expected heard || fail "with $*"
  for i in $(seq 500); do kill -0 "$pid" 2>/dev/null || break; sleep 0.02; done
  ! kill -0 "$pid" 2>/dev/null || fail "it does not end"
  wait "$pid" || status=$?
  trap - EXIT
  [ "$status" = 0 ] && [ ! -s complaints ] || { cat complaints; fail "exit status $status"; }
  [ "$(tail -n 1 said)" = end ] || fail "no end"
}

"$FMCC" --cc="$CC" -O1 -Wall -Wextra -Werror -o visitors "$SRC/test/chat/visitors.c"
sed -n 's|.*// expect: ||p' "$SRC/test/chat/visitors.c" > expected
talk -O2
talk -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
