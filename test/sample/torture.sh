# Every sixtieth of gcc's execution tests behaves as with the C compiler itself. Skipped where they cannot be fetched soon.
set -eu
timeout 120 "$SRC/test/long/fetch.sh" torture || exit 77
JOBS=1 CCS=$CC EVERY=60 "$SRC/test/long/torture.sh"
