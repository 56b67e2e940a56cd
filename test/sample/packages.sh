# zlib, built through the tree, passes its tests; its objects and bzip2's, copied verbatim, are the C compiler's own.
# Skipped where the sources cannot be fetched soon; clang is for WAYS=all.
set -eu
[ "$CC" = gcc ] || [ "${WAYS:-}" = all ] || exit 77
timeout 60 "$SRC/test/long/fetch.sh" zlib bzip2 || exit 77
JOBS=1 CCS=$CC "$SRC/test/long/identical.sh" bzip2
JOBS=1 CCS=$CC MODES=reprint "$SRC/test/long/packages.sh" zlib
