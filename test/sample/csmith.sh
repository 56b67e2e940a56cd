# Ten generated programs compute the same checksum as with the C compiler itself.
set -eu
JOBS=1 CCS=$CC RUN_SECONDS=3 "$SRC/test/long/csmith.sh" 5
