# -fdiagnostics-format=json: one array, also of units in the dialect, with the user's positions.
. "$SRC/test/driver/common.bash"
! is_clang || { echo "SKIP: clang has no such format"; exit 77; }
need python3
cat > a.c <<'A'
#include <fermata.h>
async int main(void) {
  int unused; yield; switch (unused) { case 1: case 1: ; }
  return printf("%s\n", 3);
}
A
cat > read.py <<'A'
import json, sys
for line in sys.stdin:
    for m in json.loads(line):
        def show(m, depth):
            place = ''.join('%(file)s:%(line)d:%(column)d ' % l['caret'] for l in m['locations'])
            print('  ' * depth + place + m['kind'] + ' ' + m.get('option', '-') + ' ' + m['message'])
            for c in m['children']: show(c, depth + 1)
        show(m, 0)
A
told() { got=0; "$FMCC" -fdiagnostics-format=json "$@" 2> err || got=$?; python3 read.py < err > out || { cat err; fail "$*: no JSON"; }; }
told -Wall -c a.c; [ $got = 1 ] || fail "status $got"; absent a.o
has out 'a.c:3:48 error - duplicate case value'; has out '  a.c:3:40 note - previously used'; has out 'a.c:4:19 warning -Wformat='
[ "$(grep -c duplicate out)" = 1 ] || fail "told twice"; lacks out __fm
# Errors of ours, of the preprocessor, of the command line.
printf '#include <fermata.h>\nasync int main(void) { await 3 + ; }\n' > b.c; told -c b.c; has out 'b.c:2:'; has out ' error - '
printf '#include <fermata.h>\n#include "none.h"\n' > c.c; told -c c.c; has out 'none.h'
told -c none.c; [ $got = 1 ] || fail "status $got"; has out 'error - none.c: No such file'
# Nothing to say; plain C, which is gcc's own.
printf '#include <fermata.h>\nasync int main(void) { yield; return 0; }\n' > d.c; told -Wall -c d.c; [ "$(cat err)" = '[]' ] || fail "$(cat err)"
echo 'int main(void) { int x; return 0 }' > p.c; got=0; "$FMCC" -Wall -fdiagnostics-format=json -c p.c 2> ours || got=$?; [ $got = 1 ] || fail "status $got"
gcc -Wall -fdiagnostics-format=json -c p.c 2> theirs || true; same "plain C" ours theirs
