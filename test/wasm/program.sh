#!/usr/bin/env bash
# program.sh FILE: a program of test/run as WebAssembly, under node, in the current, empty directory.
# Exit status 0: it compiles without a word and does what its comments say (../README.md).
# Environment: SRC, FMCC, OPT (-O1).
set -u
cp "$SRC/test/run/$1" .
file=$1

lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$file"; }
first_of() { lines_of "$1" | head -n 1; }
words_of() { lines_of "$1" | tr '\n' ' '; }
fail() { printf '%s\n' "$@"; exit 1; }

[ "$(first_of only)" != gcc ] || exit 77
export NODE_PATH=${NODE_PATH-/usr/share/nodejs}
# shellcheck disable=SC2046
timeout -k 2 120 "$FMCC" --cc=emcc -Wall -Wextra "${OPT:--O1}" -I"$SRC/test/run" -o program.js \
  "$file" $(words_of flags) -sASSERTIONS=0 > compile.out 2>&1 ||
  { head -c 3000 compile.out; fail "does not compile"; }
[ "$(first_of warn)" = ok ] || [ ! -s compile.out ] ||
  { head -c 3000 compile.out; fail "the compiler has something to say"; }

eval "args=($(words_of args))"
eval "vars=($(words_of env))"
lines_of stdin > stdin
lines_of expect > expected
status=0
timeout -k 2 60 env ${vars[@]+"${vars[@]}"} node --no-experimental-fetch program.js \
  ${args[@]+"${args[@]}"} < stdin > actual 2> stderr || status=$?
want=$(first_of status)
# abort() is an exception of the engine there
[ "$want" != 134 ] || ! grep -q Aborted stderr || want=1
if ! cmp -s expected actual || [ "$status" != "${want:-0}" ]; then
  diff -u --label expected --label actual expected actual | head -n 40
  head -c 2000 stderr
  fail "exit status $status, expected ${want:-0}"
fi
