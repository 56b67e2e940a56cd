#!/usr/bin/env bash
# A part of long/sync.sh.
set -eu
FMCC=$FMCC FMCC_ASAN=$FMCC_ASAN "$SRC/test/long/sync.sh" "${SYNC_OPERATIONS:-20000}" 4
