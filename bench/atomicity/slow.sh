#!/usr/bin/env bash
# slow.sh: how many times as long a program takes with -fsanitize=atomicity as with -O2 alone, by
# kind of work (slow.c), gcc and clang. The two take turns, and the best of ROUNDS (7) counts.
# Environment: FMCC, CCS ("gcc clang"), ROUNDS.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
FMCC=${FMCC:-$root/build/bin/fmcc}
rounds=${ROUNDS:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "| work | compiler | -O2 | with the sanitizer | times |"
echo "| --- | --- | ---: | ---: | ---: |"
for cc in ${CCS:-gcc clang}; do
  "$FMCC" --cc="$cc" -O2 -Wall -Wextra "$root/bench/atomicity/slow.c" -o "$work/off"
  "$FMCC" --cc="$cc" -O2 -Wall -Wextra -fsanitize=atomicity "$root/bench/atomicity/slow.c" \
    -o "$work/on"
  for what in own:200000 shared:200000 async:3000000 calls:3000000 ints:400 longs:400 bytes:400 \
    sum:400 text:400; do
    for _ in $(seq "$rounds"); do
      echo "$(FERMATA_TICK=off "$work/off" "${what%:*}" "${what#*:}")" \
        "$(FERMATA_TICK=off "$work/on" "${what%:*}" "${what#*:}")"
    done | awk -v what="${what%:*}" -v cc="$cc" '
      NR == 1 || $1 < off { off = $1 }
      NR == 1 || $2 < on { on = $2 }
      END { printf "| %s | %s | %.2f ms | %.2f ms | %.0f |\n", what, cc, off * 1e3, on * 1e3, on / off }'
  done
done
