# -v shows the commands and runs them; -### only shows them.
. "$SRC/test/driver/common.bash"
fake_root
dialect a.c; echo 'int b;' > b.c
"$FMCC" '-###' a.c b.c -o prog 2> err
absent prog a.o b.o prog.d
has err ' -E a.c'; has err 'cpp-output'; has err 'libfermata.a'
"$FMCC" -v a.c b.c -o prog > out 2> err; present prog
has err ' -E a.c'; has err 'cpp-output'; has err 'libfermata.a'
[ ! -s out ] || fail "-v wrote to standard output"
# The words shown can be given to a shell.
"$FMCC" '-###' "-DX=\"a b\$(c)\"" -c a.c 2> err
has err '"-DX=\"a b\$(c)\""'
# Plain: the compiler's own dry run.
$CC '-###' b.c -c 2> want || true
"$FMCC" '-###' b.c -c 2> got || true
has got "$(grep -o 'b\.c' want | head -1)"; absent b.o
