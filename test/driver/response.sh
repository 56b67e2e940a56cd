# @file: gcc's quoting, nesting, and command lines longer than the system takes.
. "$SRC/test/driver/common.bash"
fake_root
dialect a.c
printf -- '-c\n  a.c\t-o "my file.o"\n' > args
"$FMCC" @args; present "my file.o"
cat > b.c <<'C'
char s[] = S, t[] = T, u[] = U;
C
cat > args <<'A'
-DS="\"a b\"" '-DT="c\\\\d"'
-DU=\"e\ \'f\" @more
A
echo '-c b.c' > more
$CC @args -o want.o; "$FMCC" @args -o got.o; same "quoting" got.o want.o
"$FMCC" --translate=verbatim @args -o got.o; same "quoting, translated" got.o want.o
echo '@loop' > loop
status 1 "$FMCC" @loop
status 1 "$FMCC" -c @nosuch; has err nosuch
# A command line so long that fmcc passes it on in a file (gcc itself takes little more), plain and in the dialect.
for i in $(seq 1350); do echo "-DMACRO_NUMBER_$i=a_rather_long_value_that_takes_room_in_the_arguments_$i"; done > big
echo 'int main(void) { return 0; }' > c.c
"$FMCC" @big c.c -o c || fail "a long plain command"
"$FMCC" @big a.c -o a || fail "a long command in the dialect"
./a
# Own options, too.
echo '--emit-c=compiled --translate=verbatim' > own; "$FMCC" @own c.c > out; has out 'int main'
