# A few programs, and cJSON, do with every function async and every yield taken what they do without.
set -eu
timeout 120 "$SRC/test/long/fetch.sh" torture cjson || exit 77
JOBS=1 CCS=$CC CSMITH=2 EVERY=200 LIBRARIES="-O0,cjson" "$SRC/test/long/all-async.sh" libraries csmith torture
