# What --emit-c prints for people, of a part of the programs; the C compiler alone compiles some.
# gcc is for WAYS=all.
set -eu
[ "$CC" = clang ] || [ "${WAYS:-}" = all ] || exit 77
"$SRC/test/long/readable.sh" 12 8
