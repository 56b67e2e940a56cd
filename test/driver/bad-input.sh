# Whatever the input: an answer, a clear message where it is wrong, and no half-written output.
. "$SRC/test/driver/common.bash"

# times N TEXT: TEXT, N times.
times() { awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) printf "%s", s }'; }
N=10000

# answer WANT COMMAND…: ends in time with one of the wanted statuses; a failure has a message and leaves no output behind.
answer() {
  local want=$1 got=0
  shift
  rm -f output
  timeout 30 "$@" -o output > out 2> err || got=$?
  case $want in *$got*) ;; *) head -c 2000 err >&2; fail "'$*': expected status $want, got $got" ;; esac
  [ "$got" = 0 ] || grep -q 'error:' err || { head -c 2000 err >&2; fail "'$*': no message"; }
  [ "$got" = 0 ] && present output || absent output
  lacks err 'internal compiler error'
  for left in output.*; do absent "$left"; done
}

# text WANT NAME: standard input, as preprocessed text, in the mode that prints it again and in the one that users get.
# What the first says is in `told`.
text() {
  cat > "$2.i"
  { echo '#pragma fermata'; cat "$2.i"; } > "$2-dialect.i"
  answer "$1" "$FMCC" --emit-c=compiled --translate=reprint "$2.i"
  cp err told
  answer '0 1' "$FMCC" --emit-c=compiled "$2-dialect.i"     # a plain body's mistakes are left to the C compiler
}
body() { printf 'int f(int x) {\n'; cat; printf ';\nreturn x; }\n'; }

# ---- files ----
answer 1 "$FMCC" -c --translate=reprint missing.c; has err 'missing.c: No such file'
mkdir dir.c dir.i
answer 1 "$FMCC" -c --translate=reprint dir.c; has err 'Is a directory'
answer 1 "$FMCC" --emit-c=compiled --translate=reprint dir.i; has err 'Is a directory'
if [ "$(id -u)" != 0 ]; then
  echo 'int x;' > secret.c; cp secret.c secret.i; chmod 0 secret.c secret.i
  answer 1 "$FMCC" -c --translate=reprint secret.c; has err 'Permission denied'
  answer 1 "$FMCC" --emit-c=compiled --translate=reprint secret.i; has err 'Permission denied'
fi
: > empty.c
for mode in auto verbatim reprint assert; do answer 0 "$FMCC" -c --translate=$mode empty.c; done
text 0 empty < empty.c
printf 'int x;' > no-newline.c
answer 0 "$FMCC" -c --translate=reprint no-newline.c
echo 'int main(void) { return missing; }' > wrong.c
status 1 "$FMCC" -c --translate=reprint wrong.c -o none.o; absent none.o
status 1 "$FMCC" --emit-c=compiled --translate=reprint wrong.c -o none.c; absent none.c

# ---- bytes ----
printf 'int x;\0 int y;\nint f(void) { return 1 \0 + 1; }\n' | text 1 nul; has told 'stray byte 0x00'
printf 'char s[] = "a\0b";\n' | text 0 nul-in-string
times 1000 '@' | text 1 stray; has told 'stray `@`'
printf 'int f(void) { return 1 \\ 2; }\n' | text 1 backslash
printf 'int \377\376 = 1;\nint f(void) { return \377\376 + "\303("[0] + L"\377\303"[1]; }\n' | text 0 not-utf8
printf 'int f(void) { return \200\200\200; }\n' | text 1 not-utf8-name
printf 'int f(void) {\r\n  return 1 \\\r\n + 2;\r\n}\r\n' | text 0 crlf
printf 'int f(void) {\n  return 1;\n}\n\032' | text 1 control-z
printf '#' | text 0 hash
printf '\\' | text 1 lone-backslash
printf '# 99999999999999999999 "x"\nint y z;\n#line 5 "open\nint a b;\n' | text 1 markers
printf 'int f(void) { return 1; \0 }\n' > nul.c
answer '0 1' "$FMCC" -c --translate=reprint nul.c

# ---- unterminated things ----
printf 'char *s = "abc;\nint y;\n' | text 1 string; has told 'string.i:1:11: error: this string has no closing quote'
printf 'char *s = "abc\\' | text 1 string-backslash
printf "int c = 'a;\nint y;\n" | text 1 char; has told 'char.i:1:9: error: this character constant has no closing quote'
printf 'int x;\nint y; /* never\nclosed\n' | text 1 comment; has told 'comment.i:2:8: error: this comment is never closed'
printf 'int f(void) {\n  return 1;\n' | text 1 brace; has told '`{` is never closed'
printf 'int f(void) {\n  return (1;\n}\n' | text 1 paren; has told 'paren.i:2:12: error: expected `)`'
printf 'int a[3;\n' | text 1 bracket; has told '`[` is never closed'
printf 'int f(int' | text 1 parameter
printf 'struct s {' | text 1 structure
printf 'enum e { A, ' | text 1 enumeration
printf 'int f(void) __attribute__((' | text 1 attribute
printf 'int f(void) { asm("nop" : ' | text 1 asm
for word in if while for switch do return goto case default sizeof typeof _Generic _Alignas _Atomic asm struct; do
  printf 'int f(int x) { %s' "$word" | text 1 "ends-after-$word"
done

# ---- a megabyte on one line ----
{ printf 'x = 1'; times 500000 ' + 1'; } | body | text 0 sum
{ printf 'x = 1'; times 200000 ' && x'; } | body | text 0 and
{ printf 'x = 1'; times 300000 ', 1'; } | body | text 0 comma
{ printf 'const char *s = "'; times 1000000 x; printf '"'; } | body | text 0 long-string
{ printf 'const char s[] = '; times 200000 '"abc" '; printf ';\n'; } | text 0 strings
{ printf 'int a[] = {'; times 200000 '1, '; printf '};\n'; } | text 0 initializers
{ printf 'int b[] = {'; times 200000 'x, '; printf '}'; } | body | text 0 local-initializers
{ printf 'int '; times 1000000 a; printf ';\n'; } | text 0 name
{ printf 'x = '; times 1000000 1; } | body | text 1 number; has told 'this number has too many digits'
{ printf 'double d = 1.'; times 1000000 1; } | body | text 0 fraction
times 1000000 ';' | text 0 semicolons
times 1000000 ' ' | text 0 blanks
{ printf 'enum {'; awk 'BEGIN { for (i = 0; i < 50000; i++) printf "e%d,", i }'; printf '};\n'; } | text 0 enumerators
{ printf 'x = '; times 1000000 '?'; } | body | text 1 questions

# ---- 10,000 deep; `0 1`: as deep as we go, or a message ----
nested() { { printf '%s' "$3"; times $N "$4"; printf '%s' "$5"; times $N "$6"; printf '%s' "${7-}"; } | body | text "$1" "$2"; }
nested '0 1' parens 'x = ' '(' x ')'
nested '0 1' blocks '' '{' 'x++;' '}'
nested 0 local-inits 'int a = ' '{' 1 '}'
nested 0 declarators 'int ' '(' y ')'
nested 0 pointers 'int ' '*' p ''
nested 0 arrays 'int a' '[1]' '' ''
nested 0 else-ifs 'if (x) x++; ' 'else if (x) x++; ' 'else x--' ''
nested 0 ifs '' 'if (x) ' 'x++;' 'else x--; '
nested 0 labels 'switch (x) ' 'case 1: ' 'x++' ''
nested 0 unary 'x = ' '!' x ''
nested 0 minus 'x = ' '- ' x ''
nested 0 casts 'x = ' '(int)' x ''
nested 0 sizeofs 'x = ' 'sizeof ' x ''
nested 0 conditions 'x = ' 'x ? 1 : ' 2 ''
nested '0 1' middles 'x = ' 'x ? ' 2 ' : 3'
nested 0 assignments '' 'x = ' 1 ''
nested '0 1' calls 'x = ' 'f(' x ')'
nested '0 1' subscripts 'int v[1]; x = ' 'v[' 0 ']'
nested '0 1' statement-expressions 'x = ' '({' 'x;' '});'
nested 0 whiles '' 'while (x) ' 'x--' ''
nested 0 dos '' 'do ' 'x--;' ' while (x);'
nested 0 typeofs '' 'typeof(' x ')' ' y'
nested '0 1' structures '' 'struct { ' 'int i;' ' } m;'
nested '0 1' anonymous 'struct s {' 'struct { ' 'int i;' ' };' '} v; x = v.i'
nested '0 1' parameters 'void g(' 'void (*p)(' void ')' ')'
nested 0 generics 'x = ' '_Generic(1, int: ' x ')'
nested '0 1' literals 'x = ' '(int){' 1 '}'
nested 1 open-parens 'x = ' '(' '' ''
nested 1 open-braces '' '{' '' ''
nested 1 open-brackets 'int a' '[' '' ''
nested 1 closers '' ')' '' '}'
{ printf 'int a[1] = '; times $N '{'; printf 1; times $N '}'; printf ';\n'; } | text 0 inits
{ times $N '_Atomic('; printf int; times $N ')'; printf ' x;\n'; } | text 0 atomics
{ times 200000 '('; times 200000 ')'; } | body | text 1 far-too-deep
# What is read twice at each level takes for ever: attributes in attributes.
awk 'BEGIN { t = "int *"; for (i = 0; i < 100; i++) t = "int (__attribute__((aligned(sizeof(" t ")))) *)"; print "int x = sizeof(" t ");" }' |
  text 0 attributes

# ---- numbers that overflow ours ----
text 0 widths << 'END'
struct s { int a : 99999999999999999999; int b : 0x7fffffffffffffff; };
char a[0x7fffffffffffffff][0x7fffffffffffffff];
struct t { char b[0x7fffffffffffffff]; long c[0x7fffffffffffffff]; } t;
int z[sizeof t], n[-1], d[1 / 0], e[1 << 99], m[(-9223372036854775807 - 1) / -1], r[(-9223372036854775807 - 1) % -1];
int i[] = {[0x7fffffffffffffff] = 1}, j[] = {[0 ... 0x7ffffffffffffffe] = 1, 2, 3}, k[] = {[-1] = 2};
struct self { struct self x; int y; }; int q[sizeof(struct self)];
typedef int v __attribute__((vector_size(0x7fffffffffffffff))), w __attribute__((vector_size(-16))); int vs[sizeof(v)];
struct u { int a __attribute__((aligned(0))), b __attribute__((aligned(-8))), c __attribute__((aligned(0x100000000))); };
int us[sizeof(struct u)];
enum { BIG = 0x7fffffffffffffff, BIGGER };
END
{ times 100 '#pragma pack(push, 3)\n'; printf 'struct s { char a; int b : 7; long c; };\n'; times 200 '#pragma pack(pop)\n'
  printf '#pragma pack(99999999999)\nstruct t { int x; };\n#pragma pack(\nint x[sizeof(struct t)];\n'; } | text 0 packs
