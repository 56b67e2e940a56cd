# What --emit-c prints for people, of a part of the programs; the C compiler alone compiles some.
set -eu
"$SRC/test/long/readable.sh" 12 8
