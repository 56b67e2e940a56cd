#!/bin/sh
# step.sh WHAT NAME COMMAND...: runs one step of the build. It is shown as WHAT and NAME;
# the command itself is shown only when it fails.
printf '  %-8s %s\n' "$1" "$2"
shift 2
"$@" || {
  status=$?
  printf '  FAILED   %s\n' "$*" >&2
  exit $status
}
