# Debug information and auxiliary files of translated units: the user's names, the user's directory.
. "$SRC/test/driver/common.bash"
mkdir src out
cat > src/a.c <<'C'
#define LIMIT 10
int main(void) {
  int sum = 0, limit =
    LIMIT;
  for (int i = 0; i < limit; i++) sum += i;
  return sum - 45;
}
C
V="$FMCC --translate=verbatim"
$V -g -c src/a.c -o out/a.o
readelf --debug-dump=info out/a.o > info 2> /dev/null
has info 'src/a.c'; has info "$PWD"; lacks info /fmcc-
strings -a out/a.o > names; lacks names fmcc-
same_object() { $V "$@" -c src/a.c -o x.o; mv x.o ours.o; $CC "$@" -c src/a.c -o x.o; same "$*" ours.o x.o; }
same_object -g -gdwarf-4
same_object -g -gdwarf-4 -O2 -ffile-prefix-map="$PWD"=/src -fdebug-prefix-map=src=elsewhere
same_object -O2 -fmacro-prefix-map=src=elsewhere
is_clang || same_object -g -O2
is_clang || { $V -g3 -c src/a.c -o x.o; readelf --debug-dump=macro x.o > macros; has macros 'LIMIT 10'; }
# Files that the compiler names after the unit.
files() {
  rm -rf t1 t2; mkdir -p t1/src t1/out; cp src/a.c t1/src; echo 'int b;' > t1/b.c; cp -r t1 t2
  (cd t1 && $CC "$@") || fail "$CC $*"
  (cd t2 && $V "$@") || fail "fmcc $*"
  (cd t1 && find . -type f | sort) > want; (cd t2 && find . -type f | sort) > got
  same "files made by $*" got want
}
files -g -gsplit-dwarf -c src/a.c -o out/x.o
files -g -gsplit-dwarf -c src/a.c
files -g -gsplit-dwarf src/a.c b.c -o out/prog
files -g -gsplit-dwarf src/a.c -o prog
files --coverage -c src/a.c -o out/x.o
files --coverage -c src/a.c
files --coverage src/a.c -o prog
files --coverage src/a.c b.c -o out/prog
files -fstack-usage -c src/a.c -o out/x.o
if ! is_clang; then files -fstack-usage src/a.c -o out/prog; files -fdump-tree-optimized -O1 -c src/a.c -o out/x.o; files -aux-info protos -c src/a.c; fi
# Coverage counts arrive beside the notes, in the user's lines.
rm -rf cov; mkdir cov; cd cov; cp ../src/a.c .
$V --coverage a.c -o a; ./a; present a.gcda a.gcno
if ! is_clang; then gcov a.gcda > log; has a.c.gcov 'LIMIT'; fi
cd ..
if command -v gdb > /dev/null; then
  $V -g src/a.c -o prog
  gdb -batch -nx -ex 'break main' -ex run -ex 'info source' -ex 'next' -ex 'info locals' ./prog > log 2>&1 || true
  if grep -q 'ptrace' log; then :; else has log 'src/a.c'; has log 'sum = '; fi
fi
