# The target WebAssembly, without emscripten: layouts and types by clang; emcc's options; the link.
. "$SRC/test/driver/common.bash"
[ "$CC" = clang ] || exit 77
target=--target=wasm32-unknown-emscripten

# Sizes, alignments and types that fmcc computes are clang's.
cat > types.c <<'C'
#include <stddef.h>
#include <stdarg.h>
#include <stdint.h>
struct a { char c; long long x; };
struct b { char c; double x; };
struct d { char c; long double x; };
struct e { char c; unsigned long long f : 40; };
struct f { int c; __int128 x; };
struct g { char c; int64_t v[2]; };
struct h { char c; va_list v; };
struct i { char c; double _Complex x; };
union u { char c; long double x; };
int sizes[] = { sizeof(struct a), sizeof(struct b), sizeof(struct d), sizeof(struct e),
                sizeof(struct f), sizeof(struct g), sizeof(struct h), sizeof(union u),
                sizeof(struct i), _Alignof(long double), _Alignof(struct d), _Alignof(double),
                offsetof(struct d, x), offsetof(struct h, v), sizeof(void *), sizeof(L"ab") };
char a16[sizeof(struct a) == 16 ? 1 : -1];
char d24[sizeof(struct d) == 24 ? 1 : -1];
char p4[sizeof(void *) == 4 ? 1 : -1];
int f(va_list v) { return va_arg(v, int); }
int g(void) {
  return _Generic(sizeof(int), unsigned long: 1) + _Generic(sizes - sizes, long: 1) +
         _Generic(L'a', int: 1) + _Generic(L"a", int *: 1) +
         _Generic((uint64_t)1, unsigned long long: 1) +
         _Generic(offsetof(struct d, x), unsigned long: 1) +
         _Generic(__builtin_strlen("a"), unsigned long: 1);
}
C
"$FMCC" --cc="clang $target" -ffreestanding --translate=assert -Wall -Wextra -Werror -c types.c \
  -o types.o

# emcc as the compiler underneath: a stand-in compiles with clang, and notes the words of a link.
mkdir -p bin root/lib/wasm32-emscripten
cat > bin/emcc <<S
#!/bin/sh
for w; do case \$w in -sUSE_*) echo "\$*" >> compile.words; exit 1 ;; esac; done
for w; do case \$w in -c | -E | -S) exec clang $target -ffreestanding -nostdinc "\$@" ;; esac; done
echo "\$*" > link.words
S
chmod +x bin/emcc
export PATH=$PWD/bin:$PATH
fake_root
echo 'int fm_answer(void) { return 42; }' | clang $target -c -x c - -o answer.o
ar rcs root/lib/wasm32-emscripten/libfermata.a answer.o
echo '-sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=5MB' > root/lib/wasm32-emscripten/libfermata.libs
printf '#include <fermata.h>\nint main(void) { return fm_answer() - 42; }\n' > d.c
printf 'int main(void) { return 0; }\n' > p.c
printf 'int fm_mine(void) { return 0; }\n' > own.c
printf 'int fm_mine(void); int main(void) { return fm_mine(); }\n' > use.c
printf 'void fm__main(void); int main(void) { fm__main(); return 0; }\n' > main.c
echo > x.js

words() { rm -f link.words; "$FMCC" --cc=emcc "$@" 2> err || { cat err >&2; fail "$*"; }; }
words -O2 -o app.js d.c
has link.words -O2; has link.words '-o app.js'
has link.words lib/wasm32-emscripten/libfermata.a; has link.words -sALLOW_MEMORY_GROWTH=1
lacks link.words lpthread; lacks link.words luv
lacks link.words EXIT_RUNTIME; lacks link.words '-x'
# Settings and files for the link only; none of them is an input, and none reaches clang.
words -o app.html d.c --pre-js x.js -s ALLOW_MEMORY_GROWTH=0 -sTOTAL_STACK=1MB --shell-file=x.js \
  --js-library x.js --post-js=x.js --preload-file x.js --embed-file x.js --closure 1 -s MODULARIZE
has link.words '--pre-js x.js'; has link.words '-s ALLOW_MEMORY_GROWTH=0'
has link.words '-s MODULARIZE'
lacks link.words ALLOW_MEMORY_GROWTH=1; lacks link.words TOTAL_STACK=5MB
has link.words '--preload-file x.js --embed-file x.js --closure 1'
[ ! -s err ] || fail "$(cat err)"
# -s alone strips, as ever; a setting of the compilation goes to all steps.
words -s -o app.mjs p.c; lacks link.words libfermata
"$FMCC" --cc=emcc -sUSE_ZLIB=1 -c d.c -o d.o 2> /dev/null || has compile.words '-sUSE_ZLIB=1'
# Objects are read: names that are used and defined nowhere need the library.
"$FMCC" --cc=emcc -c d.c p.c own.c use.c main.c
words d.o -o a.js; has link.words libfermata.a
words p.o -o a.js; lacks link.words libfermata.a
words use.o own.o -o a.js; lacks link.words libfermata.a
words use.o -o a.js; has link.words libfermata.a
ar rcs libd.a d.o; words libd.a -o a.js; has link.words libfermata.a
words main.o -o a.js; has link.words -sEXIT_RUNTIME=1
words main.o -sEXIT_RUNTIME=0 -o a.js; lacks link.words -sEXIT_RUNTIME=1
# Broken objects are the linker's to report.
for n in 4 8 9 20 40 60 100; do head -c $n d.o > cut.o; words cut.o -o a.js; done
"$FMCC" --cc=emcc --print-libs > libs; has libs wasm32-emscripten/libfermata.a
# Without the library for WebAssembly fmcc says what to do.
rm -r root/lib/wasm32-emscripten; words d.o -o a.js; has err 'no libfermata for WebAssembly'
