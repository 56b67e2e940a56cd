# Text that is preprocessed, but for the macros (gcc -E -fdirectives-only), as some build caches make it; and -fpreprocessed.
. "$SRC/test/driver/common.bash"
! is_clang || { echo "SKIP: clang has no -fdirectives-only"; exit 77; }
printf '#include <fermata.h>\n#define NAME main\n#define LINE __LINE__\nasync int NAME(void) { yield; printf("%%d %%s\\n", LINE, __FILE__); return 0; }\n' > a.c
printf '#include <stdio.h>\n#define TEXT "p"\nint main(void) { puts(TEXT); return 0; }\n' > p.c
"$FMCC" -fdirectives-only -E p.c -o p.i; "$FMCC" -fdirectives-only -fpreprocessed p.i -o p; [ "$(./p)" = p ] || fail "plain"
"$FMCC" -fdirectives-only -E a.c -o a.i; has a.i '#define LINE'
"$FMCC" -Wall -fdirectives-only -fpreprocessed a.i -o a 2> err; [ ! -s err ] || fail "$(cat err)"
[ "$(./a)" = '4 a.c' ] || fail "$(./a)"
"$FMCC" -fdirectives-only -fpreprocessed -c a.i -o a.o; "$FMCC" a.o -o a; [ "$(./a)" = '4 a.c' ] || fail "-c: $(./a)"
"$FMCC" -E a.c -o whole.c; "$FMCC" -fpreprocessed whole.c -o a; [ "$(./a)" = '4 a.c' ] || fail "-fpreprocessed: $(./a)"
