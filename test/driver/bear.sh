# bear records units in the dialect, in a form that editors can use.
. "$SRC/test/driver/common.bash"
need bear; need make
{ echo '#include <fermata.h>'; echo 'async int main(void) { yield; return X; }'; } > a.c
echo 'int p;' > p.c
printf 'all:\n\t$(CC) -O1 -DX=0 -c a.c -o a.o\n\t$(CC) -c p.c\n\t$(CC) a.o p.o -o prog\n' > Makefile
timeout 60 bear -- make CC="$FMCC" > log 2>&1 || { cat log; fail bear; }
lacks log warning; ./prog
has compile_commands.json 'a.c"'; has compile_commands.json '"-DX=0"'; has compile_commands.json 'p.c"'
has compile_commands.json "$(cd "${FMCC%/*}/.." && pwd)/include"
lacks compile_commands.json cpp-output; lacks compile_commands.json /tmp/fmcc-
