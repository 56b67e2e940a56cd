# Random expressions mean the same as in plain C wherever they stand.
set -eu
JOBS=1 CCS=$CC WAYS=-O0 "$SRC/test/long/places.sh" 2
