# Which compiler is underneath, and how fmcc tells gcc from clang.
. "$SRC/test/driver/common.bash"
unset FMCC_CC
real=$(command -v "$CC")
echo 'int main(void) { return 0; }' > a.c
for n in one two three ccache fmcc cc; do
  mkdir -p bin-$n; printf '#!/bin/sh\necho %s >> "$LOG"\nexec %s "$@"\n' $n "$real" > bin-$n/$n; chmod +x bin-$n/$n
done
export LOG=$PWD/log
used() {
  local want=$1; shift
  rm -f log; "$@" > /dev/null 2>&1 || fail "$*: failed"
  [ "$(tail -1 log 2> /dev/null)" = "$want" ] || fail "$*: expected $want to run, got $(tail -1 log)"
}
used one env FMCC_CC=bin-two/two CC=bin-three/three "$FMCC" --cc=bin-one/one -c a.c
used two env FMCC_CC=bin-two/two CC=bin-three/three "$FMCC" -c a.c
used three env CC=bin-three/three "$FMCC" -c a.c
used cc env CC="$FMCC" PATH="$PWD/bin-cc:$PATH" "$FMCC" -c a.c
used cc env CC="ccache fmcc" PATH="$PWD/bin-cc:$PATH" "$FMCC" -c a.c
used cc env CC="fmcc --cc=$CC" PATH="$PWD/bin-cc:$PATH" "$FMCC" -c a.c
used cc env -u CC PATH="$PWD/bin-cc:$PATH" "$FMCC" -c a.c
# A cc that is fmcc under another name is passed over.
mkdir loop; ln -s "$FMCC" loop/cc
PATH="$PWD/loop:$PATH" CC=cc "$FMCC" -c a.c || fail "cc linked to fmcc"
# A command of several words.
printf '#!/bin/sh\necho ccache >> "$LOG"\nexec "$@"\n' > bin-ccache/ccache
used ccache env PATH="$PWD/bin-ccache:$PATH" "$FMCC" --cc="ccache $CC -DX=1" -c a.c
echo 'int x = X;' > x.c; "$FMCC" --cc="$CC -DX=1" --translate=verbatim -c x.c || fail "words after the compiler"
# The kind: told by the name without running anything, else by links, else by --version.
cp bin-one/one some-cc; : > log
printf '#!/bin/sh\necho "$*" >> "$LOG"\nexec %s "$@"\n' "$real" > some-cc
"$FMCC" --cc=./some-cc --translate=verbatim -c a.c; has log --version
for name in clang-99 x86_64-linux-gnu-gcc-12; do
  case $name in *clang*) is_clang || continue;; *) is_clang && continue;; esac
  cp some-cc $name; ln -sf $name linked; rm -f log
  "$FMCC" --cc=./$name --translate=verbatim -c a.c; lacks log --version
  "$FMCC" --cc=./linked --translate=verbatim -c a.c; lacks log --version
done
# Without any.
mkdir nothing; got=0; env -u CC PATH="$PWD/nothing" "$FMCC" -c a.c 2> err || got=$?
[ $got = 1 ] || fail "no compiler: expected status 1, got $got"; has err 'no C compiler'
# A script around fmcc as $CC: the compiler underneath is found; where there is no end, that is told.
printf '#!/bin/sh\nexec "%s" "$@"\n' "$FMCC" > mycc; chmod +x mycc
CC=$PWD/mycc timeout 20 ./mycc -c a.c || fail "a script around fmcc as CC"
FMCC_CC=$PWD/mycc timeout 20 ./mycc -c a.c || fail "a script around fmcc as FMCC_CC"
CC="$PWD/mycc -O1" timeout 20 ./mycc -c a.c || fail "a script around fmcc as CC, with options"
printf '#include <fermata.h>\nasync int main(void) { yield; return 0; }\n' > d.c
CC=$PWD/mycc timeout 20 ./mycc d.c -o d || fail "a script around fmcc, with async code"
./d || fail "its program"
printf '#!/bin/sh\nexec "%s" --cc="%s" "$@"\n' "$FMCC" "$PWD/round" > round; chmod +x round
status 1 timeout 20 ./round -c a.c; has err 'runs fmcc again'
mkdir all-round; for n in cc gcc clang; do cp mycc all-round/$n; done
status 1 env -u CC PATH="$PWD/all-round:$PATH" timeout 20 "$FMCC" -c a.c; has err 'runs fmcc again'
