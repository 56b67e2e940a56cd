#!/usr/bin/env bash
# The report of a deadlock says of each activity what it waits for: room in a channel, a MVar, a mutex.
set -eu

"$FMCC" -g -o it "$SRC/test/run/async-sync-deadlock.c"
status=0
./it > out 2> err || status=$?
[ "$status" = 1 ]
grep -q 'deadlock: nothing is ready and nothing is pending' err
grep -q '#1 main: waits at .*async-sync-deadlock.c:[0-9]* for a MVar to be full' err
grep -q '#2 sender: waits at .*async-sync-deadlock.c:[0-9]* for room in a channel' err
