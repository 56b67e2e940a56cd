#!/usr/bin/env bash
# editors.sh: clangd, through fermata-clangd, has nothing to say of any example, program of the tutorial or of run/.
set -eu
SRC=$(cd "$(dirname "$0")/../.." && pwd)
export SRC
. "$SRC/test/headers/editor.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
checks=()
for program in "$SRC/test/headers/editor-all.c" $(programs); do
  reads "$program" || status=1
  [ -n "$(options_of "$program")" ] || checks+=(--check="$program")
done
"$SRC/build/bin/fermata-clangd" --clang-tidy=0 "${checks[@]}" -- -std=gnu11 -I"$SRC/examples/webserver" -isystem /usr/share/include || status=1
echo "$((1 - status)) passed, $status failed"
exit $status
