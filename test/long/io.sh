#!/usr/bin/env bash
# io.sh [SEEDS]: descriptors and sockets in earnest. stress/io-torture.c with 2,000 connections at once, under ASan+UBSan, in SEEDS (4) random
# orders; 10^5 connections to each web server and clients that are killed (sample/web-clients.sh); as many idle clients as the limit
# of descriptors allows (sample/web-many.sh), up to 50,000.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
export FMCC=${FMCC:-$root/build/bin/fmcc} SRC=$root CC=gcc
FMCC_ASAN=${FMCC_ASAN:-$root/build/asan/bin/fmcc}
seeds=${1:-4} passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -n "$(ulimit -Hn)"

note() { # STATUS NAME
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}

torture() { # SEED
  local status=0
  FERMATA_SCHED=random:$1 timeout 600 "$work/torture" 20000 2000 "$1" > "$work/out" || status=1
  grep -qx good "$work/out" || status=1
  note "$status" "io-torture, seed $1"
}

sample() { # NAME
  local status=0
  mkdir "$work/$1"
  (cd "$work/$1" && timeout 3000 bash "$root/test/sample/$1.sh") || status=$?
  [ "$status" = 77 ] || note "$status" "$1"
}

"$FMCC_ASAN" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o "$work/torture" "$root/test/stress/io-torture.c"
for seed in $(seq "$seeds"); do torture "$seed"; done
KILLS=50 LOOP=100000 sample web-clients
MANY=50000 sample web-many
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
