#!/usr/bin/env bash
# run.sh: what Fermata costs in WebAssembly, as Markdown tables: under node beside Asyncify's
# fibers and JavaScript; in headless Chromium, if there is one, beside JSPI too. Each figure is the
# least of ROUNDS (5) runs, taken in turns.
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
clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -Wl,--export-dynamic -o jspi.wasm "$here/jspi.c"
cp "$here"/{javascript.js,jspi.js,page.html,frame.html} .
for opt in -Os -O2; do
  "$fmcc" --cc=emcc $opt -o small$opt.js "$root/examples/collatz.c"
done

declare -A best
note() { # PROGRAM QUESTION NUMBER
  [ -n "${best[$1 $2]:-}" ] && awk "BEGIN { exit !($3 >= ${best[$1 $2]}) }" || best[$1 $2]=$3
}
row() { # PLACE QUESTION TEXT PROGRAM...
  local place=$1 q=$2 line="| $3 |" p
  shift 3
  for p; do line="$line ${best[$place-$p $q]:-} |"; done
  echo "$line"
}
table() { # PLACE PROGRAM...
  row "$1" fib 'a call, in fib (ns)' "${@:2}"
  row "$1" switch 'a switch (ns)' "${@:2}"
  row "$1" spawn 'spawn and join (ns)' "${@:2}"
}

for ((i = 0; i < rounds; i++)); do
  for q in fib switch spawn idle; do
    for p in fermata asyncify javascript; do
      note node-$p $q "$(node --no-experimental-fetch $p.js $q)"
    done
    note node-generator $q "$(node javascript.js generator $q)"
  done
  note node-fermata turn "$(node --no-experimental-fetch fermata.js turn)"
done
echo '| node | Fermata | Asyncify, fibers | async functions | generators |'
echo '| --- | --- | --- | --- | --- |'
table node fermata asyncify javascript generator
row node idle 'an idle activity (bytes)' fermata asyncify javascript generator
echo
if command -v "${CHROMIUM:-chromium}" > /dev/null; then
  : > drive.js
  cp drive.js page.js
  DRIVE=$work PAGE_SECONDS=600 node "$root/test/wasm/browser.js" . "page" > answers
  while read -r p q v; do note "page-$p" "$q" "$v"; done < <(grep -v : answers)
  echo '| Chromium | Fermata | Asyncify, fibers | JSPI | async functions | generators |'
  echo '| --- | --- | --- | --- | --- | --- |'
  table page fermata asyncify jspi javascript generator
  echo
  echo "The longest turn in Chromium while two activities compute: ${best[page-fermata turn]} ms."
  echo "A recursion with 64 live variables in JSPI: ${best[page-jspi deep]} calls deep."
fi
echo "The longest turn under node while two activities compute: ${best[node-fermata turn]} ms."
echo "A call of a recursion that is 10^6 deep, with 64 live variables:" \
  "$(node --no-experimental-fetch fermata.js deep) ns."
for opt in -Os -O2; do
  echo "examples/collatz.c with $opt: $(stat -c %s small$opt.wasm) bytes of WebAssembly," \
    "$(gzip -9c small$opt.wasm | wc -c) with gzip."
done
