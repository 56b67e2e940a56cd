# common.bash: what the driver's tests share. Each runs in an empty directory with FMCC, CC and SRC set.
set -eu
export LC_ALL=C
export FMCC_CC=$CC
unset FMCC_TRANSLATE GCC_COLORS || true

fail() { echo "FAIL: $*" >&2; exit 1; }

# same WHAT FILE FILE: the files are equal, byte for byte.
same() {
  cmp -s "$2" "$3" && return
  diff -a "$2" "$3" | head -20 >&2 || true
  fail "$1: $2 and $3 differ"
}

# status N COMMAND…: the command ends with that status; its output is in out, its errors in err.
status() {
  local want=$1 got=0
  shift
  "$@" > out 2> err || got=$?
  [ "$got" = "$want" ] || { cat err >&2; fail "'$*': expected status $want, got $got"; }
}

# has FILE TEXT, lacks FILE TEXT
has() { grep -qF -e "$2" "$1" || { cat "$1" >&2; fail "$1: expected to contain '$2'"; }; }
lacks() { ! grep -qF -e "$2" "$1" || { cat "$1" >&2; fail "$1: expected not to contain '$2'"; }; }

absent() { local f; for f; do [ ! -e "$f" ] || fail "$f: expected not to exist"; done; }
present() { local f; for f; do [ -e "$f" ] || { ls -R . >&2; fail "$f: expected to exist"; }; done; }

# fake_root: fmcc installed in ./root, with a header that turns the dialect on and a library of one function.
fake_root() {
  mkdir -p root/bin root/include root/lib
  cp "$FMCC" root/bin/fmcc
  printf '#pragma fermata\nint fm_answer(void);\n' > root/include/fermata.h
  echo 'int fm_answer(void) { return 42; }' > root/answer.c
  $CC -c root/answer.c -o root/answer.o
  ar rcs root/lib/libfermata.a root/answer.o
  FMCC=$PWD/root/bin/fmcc
}

# dialect FILE [NAME]: a unit in the dialect with a function; without NAME it is main.
dialect() {
  { echo '#include <fermata.h>'
    if [ $# -gt 1 ]; then echo "int $2(void) { return fm_answer(); }"
    else echo 'int main(void) { return fm_answer() - 42; }'; fi
  } > "$1"
}

is_clang() { case $CC in *clang*) return 0;; *) return 1;; esac; }
need() { command -v "$1" > /dev/null || { echo "SKIP: $1 is not installed"; exit 77; }; }
