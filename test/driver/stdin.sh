# Source from standard input or a pipe is read once, plain or in the dialect.
. "$SRC/test/driver/common.bash"
fake_root
printf '#include <stdio.h>\nint main(void) { printf("%%s:%%d\\n", __FILE__, __LINE__); return 0; }\n' > plain.c
{ echo '#include <fermata.h>'; cat plain.c; } > dia.c
for f in plain dia; do
  n=2; [ $f = plain ] || n=3
  "$FMCC" -x c - -o prog < $f.c; ./prog > out; has out "<stdin>:$n"
  "$FMCC" -xc -c -o x.o - < $f.c; "$FMCC" x.o -o prog; ./prog > out; has out "<stdin>:$n"
  cat $f.c | "$FMCC" -x c -c - -x none; present ./-.o; rm ./-.o
  "$FMCC" -x c <(cat $f.c) -o prog; ./prog > out; has out ":$n"
  "$FMCC" -E - < $f.c > out; has out 'int main'
done
"$FMCC" --emit-c -x c - < dia.c > out; has out 'int main'; lacks out '#pragma fermata'
$CC -E plain.c | "$FMCC" -x cpp-output - -o prog; ./prog > out; has out 'plain.c:2'
status 1 "$FMCC" -x c -c - < <(echo 'int f( {'); has err '<stdin>:1'
status 1 "$FMCC" -x c -c - < <(echo '#include "nosuch.h"'); has err nosuch.h
printf 'int f(void) { int unused; return 0; }\n' | "$FMCC" -Wall -x c -c - -o w.o 2> err
has err "<stdin>:1:"
