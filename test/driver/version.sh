# --version and --help of both commands.
. "$SRC/test/driver/common.bash"
"$FMCC" --version > out; $CC --version > want
[ "$(head -1 out)" = "fmcc over $(head -1 want)" ] || fail "first line: $(head -1 out)"
case $(tail -1 out) in "Fermata "[0-9]*) ;; *) fail "last line: $(tail -1 out)";; esac
sed '1s/^fmcc over //; $d' out > rest; same "the compiler's lines" rest want
"$FMCC" --help > out; has out --emit-c; has out --cc=; has out 'compiler underneath'
fermata=$(dirname "$FMCC")/fermata
[ -x "$fermata" ] || fail "$fermata is missing"
"$fermata" --version > out; has out fermata
"$fermata" --help > out; has out 'fermata run'
status 1 "$fermata" dance; has err "unknown command 'dance'"
status 1 "$fermata"
