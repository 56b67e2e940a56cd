#!/usr/bin/env bash
# run.sh: what Fermata costs in WebAssembly under node, beside Asyncify's fibers and JavaScript, as
# a Markdown table. Each figure is the least of ROUNDS (5) runs, taken in turns. JSPI needs a flag
# in the engines of Debian, so it is left out.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/bench/wasm rounds=${ROUNDS:-5}
fmcc=${FMCC:-$root/build/bin/fmcc}
export NODE_PATH=${NODE_PATH-/usr/share/nodejs}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$fmcc" --cc=emcc -O2 -o fermata.js "$here/fermata.c"
emcc -O2 -sASYNCIFY -sALLOW_MEMORY_GROWTH=1 -o asyncify.js "$here/asyncify.c"
"$fmcc" --cc=emcc -Os -o small.js "$root/examples/collatz.c"
cp "$here/javascript.js" .

least() { # PROGRAM QUESTION
  node --no-experimental-fetch --expose-gc "$1.js" "$2"
}
declare -A best
for ((i = 0; i < rounds; i++)); do
  for q in fib switch spawn idle; do
    for p in fermata asyncify javascript; do
      v=$(least $p $q)
      [ -n "${best[$p $q]:-}" ] && awk "BEGIN { exit !($v >= ${best[$p $q]}) }" || best[$p $q]=$v
    done
  done
done
echo '| | Fermata | Asyncify | JavaScript |'
echo '| --- | --- | --- | --- |'
row() { echo "| $2 | ${best[fermata $1]} | ${best[asyncify $1]} | ${best[javascript $1]} |"; }
row fib 'a call, in fib (ns)'
row switch 'a switch (ns)'
row spawn 'spawn and join (ns)'
row idle 'an idle activity (bytes)'
echo
echo "A generator's call in JavaScript: $(least javascript generator) ns."
echo "The page waits at most $(least fermata turn) ms while two activities compute."
echo "examples/collatz.c with -Os: $(stat -c %s small.wasm) bytes of WebAssembly."
