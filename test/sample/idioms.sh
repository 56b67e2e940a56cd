# Common idioms of C mean in async functions what they mean in plain C. clang is for WAYS=all.
set -eu
[ "$CC" = gcc ] || [ "${WAYS:-}" = all ] || exit 77
JOBS=1 CCS=$CC WAYS=split "$SRC/test/long/idioms.sh"
