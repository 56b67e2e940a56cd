# Common idioms of C mean in async functions what they mean in plain C.
set -eu
JOBS=1 CCS=$CC WAYS=split "$SRC/test/long/idioms.sh"
