# -save-temps keeps file.i and the translation file.fm.i, beside what the compiler itself saves, under the compiler's names.
. "$SRC/test/driver/common.bash"
tree() { rm -rf "$1"; mkdir -p "$1/sub" "$1/out"; echo 'int main(void) { return 0; }' > "$1/a.c"; echo 'int b;' > "$1/sub/b.c"; }
check() {
  tree ours; tree theirs
  (cd theirs && $CC "$@") || fail "$CC $*"
  (cd ours && "$FMCC" --translate=verbatim "$@") || fail "fmcc $*"
  (cd theirs && find . -type f | sort) > want
  (cd ours && find . -type f | grep -v 'fm\.i$' | sort) > got
  # For each file.i there is a file.fm.i.
  (cd theirs && find . -name '*.i' | sed 's/\.i$/.fm.i/' | sort) > want-fm
  (cd ours && find . -name '*.fm.i' | sort) > got-fm
  # The bitcode that clang makes only from .c files does not count.
  grep -v '\.bc$' want > want.s; grep -v '\.bc$' got > got.s
  same "files kept by $*" got.s want.s
  same "translations kept by $*" got-fm want-fm
}
check -save-temps -c a.c
check -save-temps -c sub/b.c -o out/x.o
check -save-temps=cwd -c sub/b.c -o out/x.o
check -save-temps=obj -c sub/b.c -o out/x.o
check --save-temps -S sub/b.c
check -save-temps a.c -o out/prog
check -save-temps a.c sub/b.c -o prog
check -save-temps=obj a.c sub/b.c -o out/prog
tree t; cd t
"$FMCC" --translate=verbatim -save-temps -c a.c
has a.i '# 1 "a.c"'
has a.fm.i 'int main'
