# What an error of ours looks like: place, line and caret; in headers, in macros, in long lines; how many there are.
. "$SRC/test/driver/common.bash"
reprint() { status 1 "$FMCC" -c --translate=reprint "$@"; absent "${1%.c}.o"; }

# The user's line and a caret under the token.
printf 'int f(int x) {\n\treturn x + misspelt;\n}\n' > a.c
reprint a.c
printf 'a.c:2:13: error: `misspelt` is not declared\n    \treturn x + misspelt;\n    \t           ^~~~~~~~\n' > want
same "message, line and caret" want err

# In a header: the header's name and line, as the compiler would say it, also from another directory.
mkdir -p inc/deep sub
printf '#define ADD(a, b) ((a) + (b))\nstatic inline int g(int x) {\n  return x.y;\n}\n' > inc/deep/b.h
printf '#include <stdio.h>\n#include <deep/b.h>\nint h(void) { return ADD(g(1), nothing); }\n' > b.c
reprint b.c -Iinc
has err 'inc/deep/b.h:3:11: error: a value of type `int` has no members'
has err '      return x.y;'
has err 'b.c:3:32: error: `nothing` is not declared'
(cd sub && status 1 "$FMCC" -c --translate=reprint ../b.c -I../inc && has err '../inc/deep/b.h:3:11: error:' && has err '../b.c:3:32: error:')
# A token that a macro brought is shown at the macro's name.
printf '#define FIELD(p) ((p)->gone)\nstruct s { int a; };\nint f(struct s *p) { int n = 1; return n + FIELD(p); }\n' > c.c
reprint c.c
printf 'c.c:3:44: error: `struct s` has no member named `gone`\n' > want
printf '    int f(struct s *p) { int n = 1; return n + FIELD(p); }\n    %43s^~~~~\n' '' >> want
same "in a macro" want err
# A line too long to be shown is shown in part.
{ printf 'int f(int x) { return '; for i in $(seq 200); do printf 'x + '; done; printf 'gone; }\n'; } > d.c
reprint d.c
has err 'd.c:1:823: error: `gone`'; has err '^~~~'
[ "$(wc -L < err)" -lt 200 ] || fail "the line is shown whole"
# Without a source file the preprocessed line is shown.
printf '# 7 "nowhere.y"\nint f(void) { return gone; }\n' > e.i
status 1 "$FMCC" --emit-c=compiled --translate=reprint e.i; has err 'nowhere.y:7:22: error: `gone`'; has err 'int f(void) { return gone; }'
# From standard input.
status 1 "$FMCC" -c --translate=reprint -x c - -o x.o < a.c; has err '<stdin>:2:13: error:'; absent x.o
# Several errors, one message each; all files of a command are looked at.
for i in 1 2 3; do printf 'int f%d(void) { return gone%d; }\n' $i $i; done > m.c
cp a.c m2.c
status 1 "$FMCC" -c --translate=reprint m.c m2.c
[ "$(grep -c ' error: ' err)" = 4 ] || { cat err; fail "expected four errors"; }
has err 'gone1'; has err 'gone3'; has err 'm2.c:2:13'
# Colour when asked for, none in a file.
lacks err "$(printf '\033')"
status 1 "$FMCC" -fdiagnostics-color=always -c --translate=reprint a.c; has err "$(printf '\033')"
status 1 "$FMCC" -fdiagnostics-color=never -c --translate=reprint a.c; lacks err "$(printf '\033')"
# A mistake in a plain body of a unit in the dialect is the C compiler's to tell, and only its.
printf '#pragma fermata\nint f(int x) {\n  return x +;\n}\n' > p.c
status 1 "$FMCC" -c p.c; has err 'p.c:3:13: error:'; lacks err 'a name or a value'; absent p.o
# Whoever forgets the header is told so behind what the C compiler says; plain C that has such a name is left alone.
printf 'static async int f(void) { return 0; }\nint main(void) { return 0; }\n' > forgot.c
for command in -c '-o forgot'; do status 1 "$FMCC" $command forgot.c; has err 'note: forgot.c looks like Fermata, but does not #include <fermata.h>'; done
printf 'typedef int async;\nasync x;\nint main(void) { return x; }\n' > named.c
status 0 "$FMCC" -o named named.c; lacks err 'looks like'
# -w silences fmcc's own warnings, too.
printf '#include <fermata.h>\nasync void f(void) { for (int i = 0; i < 2; i++) activate { printf("%%d", i); } }\n' > loop.c
status 0 "$FMCC" -c loop.c; has err 'belongs to a loop'
status 0 "$FMCC" -w -c loop.c; lacks err 'belongs to a loop'
