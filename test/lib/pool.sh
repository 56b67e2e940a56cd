# pool.sh (sourced): runs many small jobs over the cores and counts how they end. Used by the test runner and the long tests.
# One job is one line of text; a worker command is called with that line as its last argument, in a fresh directory of
# its own, with a time limit. Exit status 0: passed, 77: skipped, anything else: failed; then its output is printed.
#
#   pool_run DIR SECONDS WORKER... < jobs     DIR receives `results` (passed|failed|skipped TAB job), must be new or ours
#   pool_needs PROGRAM                        ends the script when there is no such program
#   pool_summary DIR                          names the failures, then prints `N passed, M failed[, K skipped]`; status 1 if any failed
#
# JOBS says how many at once (default: the cores). KEEP=1 keeps the directories of failed jobs. TIMES=1: which jobs took most of the
# processors' time, in seconds, is told before the summary.

POOL_LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

pool_needs() {
  [ -x "$1" ] || { echo "${0##*/}: $1 is missing; \`make\` builds it" >&2; exit 2; }
}

pool_run() {
  local dir=$1 seconds=$2
  shift 2
  rm -rf "$dir"
  mkdir -p "$dir/tmp"
  : > "$dir/results"
  xargs -d '\n' -r -n 1 -P "${JOBS:-$(nproc)}" bash "$POOL_LIB/one.sh" "$dir" "$seconds" "$@" || true
}

pool_count() {
  grep -c "^$2	" "$1/results" || true
}

pool_times() {
  [ -s "$1/times" ] || return 0
  awk 'function seconds(t, p) { split(t, p, "m"); return p[1] * 60 + p[2] }
    { t = seconds($1) + seconds($2); sum += t; $1 = $2 = ""; printf "%8.1f%s\n", t, $0 }
    END { printf "%8.1f all\n", sum }' "$1/times" | sort -rn | head -n "${TIMES_SHOWN:-40}"
}

pool_summary() {
  local passed failed skipped
  pool_times "$1"
  passed=$(pool_count "$1" passed)
  failed=$(pool_count "$1" failed)
  skipped=$(pool_count "$1" skipped)
  [ "$failed" = 0 ] || { echo; sed -n 's/^failed\t/failed: /p' "$1/results" | sort; }
  if [ "$skipped" = 0 ]; then echo "$passed passed, $failed failed"
  else echo "$passed passed, $failed failed, $skipped skipped"
  fi
  [ "$failed" = 0 ]
}
