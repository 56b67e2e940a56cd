# --emit-c: to standard output or to a file that is replaced whole.
. "$SRC/test/driver/common.bash"
fake_root
dialect d.c; echo 'int main(void) { return X; }' > p.c
"$FMCC" --emit-c d.c > out; has out 'int main'; lacks out '"d.c"'; lacks out '#pragma fermata'; absent d.o a.out
"$FMCC" --emit-c d.c -o d.out.c; same "-o" out d.out.c
"$FMCC" --emit-c -DX=5 p.c > out; same "plain C: the file itself" out p.c
"$FMCC" --emit-c=compiled --translate=verbatim -DX=5 p.c > out; has out 'return 5'
"$FMCC" --emit-c -MMD -DX=1 -c p.c d.c > out; has out 'return X'; has out fm_answer; absent p.d p.o
"$FMCC" --emit-c d.c -o /dev/null
ln -s d.out.c link.c; "$FMCC" --emit-c d.c -o plain.c; same "again" plain.c d.out.c
# The compiler's form, by name.
"$FMCC" --emit-c=compiled d.c > compiled.c; has compiled.c '"d.c"'
status 1 "$FMCC" --emit-c=other d.c; has err "unknown value 'other'; use --emit-c or --emit-c=compiled"
# Its output compiles.
$CC -x cpp-output -c compiled.c -o t.o
