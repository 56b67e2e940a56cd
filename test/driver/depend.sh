# Dependency files of translated units are, byte for byte, those that the compiler writes for the user's file.
. "$SRC/test/driver/common.bash"
make_tree() {
  rm -rf "$1"; mkdir -p "$1/sub" "$1/out"
  echo '#include <stddef.h>' > "$1/h.h"
  printf '#include "h.h"\nint main(void) { return 0; }\n' > "$1/a.c"
  printf '#include "../h.h"\nint b;\n' > "$1/sub/b.c"
  cp "$1/sub/b.c" "$1/sub/b c\$.c"
}
check() {
  make_tree ours; make_tree theirs
  (cd theirs && $CC "$@") || fail "$CC $*"
  (cd ours && "$FMCC" --translate=verbatim "$@") || fail "fmcc $*"
  (cd theirs && find . -type f | sort) > want
  (cd ours && find . -type f | sort) > got
  same "files made by $*" got want
  (cd theirs && find . -name '*.d' -o -name 'dep*') > names
  while read -r f; do same "$*" "ours/$f" "theirs/$f"; done < names
}
check -MD -c a.c
check -MMD -c a.c
check -MMD -MP -c a.c
check -MD -MP -c sub/b.c
check -MMD -c sub/b.c -o out/x.o
check -MMD -MP -c a.c -o out/x.y.o
check -MMD -MF dep.mk -c a.c
check -MMD -MFdep.mk -MTtarget -c a.c
check -MD -MF out/dep -c sub/b.c -o out/x.o
check -MMD -MT 'all $(x)' -c a.c
check -MMD -MQ 'all $(x)' -c a.c
check -MMD -MT t -MQ 'u v' -MP -c a.c -o out/x.o
check -MMD -c a.c sub/b.c
check -MMD a.c -o prog
check -MMD a.c
check -MMD a.c sub/b.c
check -MMD -MP a.c sub/b.c -o out/prog
check -MMD -MF dep a.c sub/b.c -o prog
check -MMD a.c -o a
check -MMD a.c -o out/prog.exe
check -MMD -S sub/b.c
check -MMD -S sub/b.c -o out/k.s
check -MMD -c a.c -o noext
check -MMD -fsyntax-only a.c
check -MMD -c 'sub/b c$.c'
check -Wp,-MD,dep.d -c a.c
check -Wp,-MMD,dep.d -c sub/b.c -o out/x.o
is_clang || check -Wp,-MD,dep.d,-MP a.c -o prog
check -Wp,-MD,dep.d -MP a.c -o prog
check -Wp,-MMD,out/.x.o.d -Wp,-DX=1 -nostdinc -Iinc -DX -c sub/b.c -o out/x.o -isystem "$($CC -print-file-name=include)"
# Make rebuilds what it must.
make_tree proj; cd proj
cat > Makefile <<M
prog: a.o; \$(CC) -o \$@ \$<
%.o: %.c; \$(CC) -MMD -MP -c \$< -o \$@; echo built >> log
-include a.d
M
make -s CC="$FMCC --translate=verbatim"; make -s CC="$FMCC --translate=verbatim"
[ "$(wc -l < log)" = 1 ] || fail "expected one build, got $(wc -l < log)"
touch -d '1 minute' h.h
make -s CC="$FMCC --translate=verbatim"
[ "$(wc -l < log)" = 2 ] || fail "a changed header: expected two builds, got $(wc -l < log)"
