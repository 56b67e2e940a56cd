#!/usr/bin/env bash
# needs.sh CC [FLAG...]: says in words what is missing before anything can be built: a compiler,
# the C library's headers, libuv. Says nothing when all is there. deps.sh installs, this one asks.
set -u

missing() {
  echo "Fermata cannot be built here: $1" >&2
  echo "  on Debian and Ubuntu:  apt-get install $2" >&2
  [ -z "${3:-}" ] || echo "  $3" >&2
  echo "  \`make demo\` and \`make check\` install by themselves what is missing." >&2
  exit 1
}

# Whether this program can be compiled and linked with the options given.
builds() {
  # shellcheck disable=SC2086
  printf '%s\n' "$1" | $cc -x c "${flags[@]}" -o "$work/program" - ${2:-} > "$work/log" 2>&1
}

cc=$1
shift
flags=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v "${cc%% *}" > /dev/null ||
  missing "there is no C compiler called $cc." gcc "Another one can be named: make CC=clang"
builds '#include <stdio.h>
int main(void) { return puts("") < 0; }' || {
  head -n 5 "$work/log" >&2
  missing "$cc ${flags[*]} does not make a program of \"hello\"." "gcc libc6-dev"
}
builds '#include <uv.h>
int main(void) { return uv_version() == 0; }' -luv ||
  missing "libuv and its headers (uv.h) are not found." libuv1-dev \
    "elsewhere than in /usr: make CPPFLAGS=-I…/include LDFLAGS=-L…/lib"
