# Assembler made from async code is linked with the runtime, in one step or two; other assembler is not.
. "$SRC/test/driver/common.bash"
echo '#include <fermata.h>
async int main(void) { yield; puts("1"); return 0; }' > a.c
"$FMCC" -S a.c; "$FMCC" a.s -o a; [ "$(./a)" = 1 ] || fail "a.s"
"$FMCC" -c a.s 2> err; [ ! -s err ] || { cat err; fail "a.s: the compiler has something to say"; }
"$FMCC" a.o -o a; [ "$(./a)" = 1 ] || fail "a.s, then a.o"
"$FMCC" -x assembler a.s -x none -o a; [ "$(./a)" = 1 ] || fail "-x assembler"
cp a.s a.S; "$FMCC" a.S -o a; [ "$(./a)" = 1 ] || fail "a.S"
echo 'int main(void) { return 0; }' > p.c
"$FMCC" -S p.c; "$FMCC" '-###' p.s 2> err; lacks err libfermata
# Steps and ways that make no difference.
same_answer() { rm -f a; "$FMCC" "$@" -o a; [ "$(./a)" = 1 ] || fail "$*"; }
same_answer -pipe a.c
same_answer -save-temps a.c
same_answer -O2 -flto a.c
"$FMCC" -c a.c; echo 'int unused;' > b.c; "$FMCC" -c b.c
$CC -r -nostdlib a.o b.o -o ab.o; same_answer ab.o
"$FMCC" -r a.o b.o -o ab.o; same_answer ab.o
printf '%s\n' '-O1' '-DX="1 2"' a.c > words; same_answer @words
