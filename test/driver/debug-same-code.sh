# -g does not change optimised code, and -g0 takes it back.
. "$SRC/test/driver/common.bash"
need objdump
code() { "$FMCC" "$@" -c -o code.o "$source" && objdump -dr --no-show-raw-insn code.o | sed 1,3d; }
for source in "$SRC"/library/{net,sync,agent}.c "$SRC"/examples/collatz.c; do
  code -O2 > plain
  code -O2 -g > debug
  same "$source -O2" plain debug
done
code -O0 > plain
code -O0 -ggdb3 -g0 > debug
same "$source -O0" plain debug
"$FMCC" -g --emit-c=compiled "$source" > text; has text __fm_names
"$FMCC" -gz -gno-column-info --emit-c=compiled "$source" > text; lacks text __fm_names
