# __FILE__, __LINE__ and the compiler's messages name the user's file and line.
. "$SRC/test/driver/common.bash"
fake_root
mkdir src
cat > src/h.h <<'C'
static inline int from_header(void) { return __LINE__; }
C
cat > src/a.c <<'C'
#include <fermata.h>
#include <stdio.h>
#include "h.h"
static int unused_function(void) { return 1; }
int main(void) {
  int unused_variable;
  printf("%s %d %d\n", __FILE__, __LINE__, from_header());
#line 100 "other.y"
  printf("%s %d\n", __FILE__, __LINE__);
  return 0;
}
C
"$FMCC" -Wall src/a.c -o prog 2> err
has err 'src/a.c:4:12: warning'; has err 'src/a.c:6:7: warning'; has err 'static int unused_function'
./prog > out; has out 'src/a.c 7 1'; has out 'other.y 100'
# The same text, plain, gives the same messages.
sed 's/<fermata.h>/<stddef.h>/' src/a.c > src/b.c
$CC -Wall -c src/b.c 2> want; "$FMCC" --translate=verbatim -Wall -c src/b.c 2> got; same "warnings" got want
# System headers stay system headers: no warnings from them.
"$FMCC" --translate=verbatim -Wall -Wextra -Wsystem-headers -Wno-all -c src/b.c 2> /dev/null
printf '#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\nint x = EOF;\n' > sys.c
"$FMCC" --translate=verbatim -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -c sys.c || fail "warnings from system headers"
# An error of the compiler in a translated unit.
printf '#include <fermata.h>\nint f(void) {\n  return sizeof(struct nosuch);\n}\n' > e.c
status 1 "$FMCC" -c e.c; has err 'e.c:3:'
