#!/usr/bin/env bash
# fmcc's own warnings become errors by -Werror and -Werror=NAME, as the C compiler's do.
set -eu

fail() {
  echo "$1"
  cat said
  exit 1
}

cat > a.c << 'END'
#include <fermata.h>
#include <fermata/posix.h>
#include <pthread.h>
struct bad { int n; };
static _Thread_local int mine;
async int f(int x) throws(struct bad);
async int quiet(int x);
async void blocking(pthread_mutex_t *m) { pthread_mutex_lock(m); }
async void shared_state(void) { mine = 1; }
async int implicit_await(int x) { return 1 + quiet(x); }
async void unawaited_task(void) { task(int) t = spawn f(1); (void)t; }
async int tail_call(int x) { int a[2] = { x, x }; await quiet(a[0]); return await quiet(a[1]); }
END
all=(blocking shared-state implicit-await unawaited-task tail-call)
on=(-Wimplicit-await -Wtail-call)

check() {                                         # STATUS WARNINGS ERRORS OPTION …
  local want=$1 warnings=$2 errors=$3 status=0
  shift 3
  rm -f a.o
  "$FMCC" --cc="$CC" -c "$@" a.c 2> said || status=$?
  [ "$status" = "$want" ] || fail "$*: status $status"
  [ "$(grep -c ': warning: ' said)" = "$warnings" ] || fail "$*: $warnings warnings are expected"
  [ "$(grep -c ': error: ' said)" = "$errors" ] || fail "$*: $errors errors are expected"
  [ "$(grep -c ': error: .*\[-Werror=[a-z-]*\]$' said)" = "$errors" ] || fail "$*: an error names its option"
  if [ -e a.o ]; then [ "$status" = 0 ] || fail "$*: an object is left"; fi
}

check 0 5 0 "${on[@]}"
check 1 0 5 "${on[@]}" -Werror
check 1 0 5 -Werror "${on[@]}"
check 0 5 0 "${on[@]}" -Werror -Wno-error
check 0 0 0 "${on[@]}" -Werror -w
check 1 0 3 -Werror
check 0 0 0 -Werror -Wno-blocking -Wno-shared-state -Wno-unawaited-task
check 1 2 1 -Werror -Wno-error=blocking -Wno-error=unawaited-task
check 1 2 1 -Wno-error=blocking -Werror -Wno-error=unawaited-task # the one that has a name wins
check 0 3 0 -Werror=blocking -Wno-error=blocking
check 0 2 0 -Werror=blocking -Wno-blocking
check 1 2 1 -Werror=blocking -Werror=unused-variable
grep -q '^a.c:8:43: error: `pthread_mutex_lock` may block.* \[-Werror=blocking\]$' said || fail "the place and the name"
for name in "${all[@]}"; do
  status=0
  "$FMCC" --cc="$CC" -c "-Werror=$name" a.c 2> said || status=$?
  [ "$status" = 1 ] || fail "-Werror=$name: status $status"
  [ "$(grep ': error: ' said | grep -v -c "\[-Werror=$name\]$")" = 0 ] || fail "-Werror=$name: others are errors"
done

cat > loop.c << 'END'
#include <fermata.h>
async void f(int n) {
  for (int i = 0; i < n; i++) activate { n += i; }
}
END
status=0
"$FMCC" -Werror -c loop.c 2> said || status=$?
[ "$status" = 1 ] || fail "a warning without a name: status $status"
grep -q 'loop.c:3:.*: error: `i` belongs to a loop.* \[-Werror\]$' said || fail "a warning without a name"
