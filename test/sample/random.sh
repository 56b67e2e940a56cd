# A few random programs mean the same with pauses everywhere as without.
set -eu
JOBS=1 CCS=$CC SIZE=6 WAYS=-O2 "$SRC/test/long/random.sh" 5
