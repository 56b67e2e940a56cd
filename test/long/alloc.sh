#!/usr/bin/env bash
# alloc.sh: every allocation of fmcc fails in turn, in each of the commands of test/alloc/every.bash, with gcc and with clang underneath.
# Environment: FMCC. Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc} SRC=$root

one() {
  export CC=$1
  . "$root/test/driver/common.bash"
  . "$root/test/alloc/every.bash"
  every_case
}

if [ "${1:-}" = one ]; then one "$2"; exit; fi
pool_needs "$FMCC"
results=$root/build/test/alloc.$$
printf '%s\n' gcc clang | pool_run "$results" 7200 bash "$root/test/long/alloc.sh" one
pool_summary "$results" && status=0 || status=1
[ -n "${KEEP:-}" ] || rm -rf "$results"
exit $status
