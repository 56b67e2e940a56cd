# The program that includes some 150 system headers: verbatim translation gives the C compiler's own object code, plain, with
# the checking inline functions of -D_FORTIFY_SOURCE and with the vector intrinsics; reprinted and with types asserted it compiles.
set -eu

input=$SRC/test/headers/all.c

contents() { objdump -s -r -t "$1" | tail -n +3 | grep -v ' df \*ABS\*'; }

# The C compiler reads preprocessed text too: debug information holds columns of what was read.
compare() {
  "$CC" "$@" -w -g -E -o text.i "$input"
  "$CC" "$@" -w -g -c -o cc.o text.i
  "$FMCC" --cc="$CC" --translate=verbatim "$@" -w -g -c -o fmcc.o "$input"
  contents cc.o > cc.txt
  contents fmcc.o > fmcc.txt
  diff cc.txt fmcc.txt | head -n 20 | grep . && { echo "objects differ with: $*"; exit 1; }
  "$FMCC" --cc="$CC" --translate=reprint "$@" -w -c -o reprint.o "$input"
  "$FMCC" --cc="$CC" --translate=assert "$@" -w -c -o assert.o "$input"
}

compare
compare -O2 -D_FORTIFY_SOURCE=2
compare -O2 -DVECTORS
