#!/usr/bin/env bash
# one.sh DIR SECONDS WORKER... JOB: runs one job of pool.sh in a fresh directory, records the result in DIR/results and
# prints the output of a job that failed, whole and not mixed with another's.
set -u

verdict() {
  case $1 in
    0) echo passed ;;
    77) echo skipped ;;
    *) echo failed ;;
  esac
}

describe() {
  case $1 in
    124 | 137) echo "(no end within $seconds s)" ;;
    *) echo "(exit status $1)" ;;
  esac
}

report() {
  echo "---- FAIL $job $(describe "$1")"
  cut -c1-400 "$work.log" | head -n 80
  [ -z "${KEEP:-}" ] || echo "kept: $work"
}

dir=$1 seconds=$2
shift 2
job=${!#}
work=$(mktemp -d "$dir/tmp/XXXXXXXX")
cd "$work" || exit 1
status=0
# timeout makes a process group of its own: when this run is interrupted, it has to be told.
timeout -k 5 "$seconds" "$@" > "$work.log" 2>&1 < /dev/null &
trap 'kill $! 2>/dev/null; exit 1' INT TERM HUP
wait $! || status=$?
printf '%s\t%s\n' "$(verdict "$status")" "$job" >> "$dir/results"
if [ -n "${TIMES:-}" ]; then
  times > "$work.times"                           # not in a subshell, which would have no children
  echo "$(tail -n 1 "$work.times") $job" >> "$dir/times"
  rm -f "$work.times"
fi
[ "$(verdict "$status")" != failed ] || report "$status" | flock "$dir/tmp" cat
cd /
[ "$(verdict "$status")" = failed ] && [ -n "${KEEP:-}" ] || rm -rf "$work"
rm -f "$work.log"
exit 0
