# A full temporary directory and a full disk for the output are called by their name, and leave nothing behind.
. "$SRC/test/driver/common.bash"
# A file system of 16 KB needs root and its own view of what is mounted.
unshare -m true 2> /dev/null || { echo "SKIP: cannot mount"; exit 77; }
{ echo '#include <fermata.h>'; echo 'async int main(void) { yield; return 0; }'; } > a.c
mkdir small
cat > inside <<'S'
mount -t tmpfs -o size=16k tmpfs small || exit 77
"$@"
got=$?
ls -A small > left
umount small
exit $got
S
within() { local want=$1; shift; status "$want" unshare -m bash ./inside "$@"; }
within 1 env TMPDIR="$PWD/small" "$FMCC" -c a.c
has err 'No space left on device'; lacks err expected; absent a.o
[ ! -s left ] || fail "left behind: $(cat left)"
within 1 env TMPDIR="$PWD/small" "$FMCC" a.c -o a
has err 'No space left on device'; absent a
within 1 "$FMCC" --emit-c=compiled a.c -o small/a.i
has err 'No space left on device'; [ ! -s left ] || fail "left behind: $(cat left)"
within 1 "$FMCC" -save-temps=obj -c a.c -o small/a.o
has err 'No space left on device'
# Where standard output is full.
for words in '--emit-c=compiled a.c' '--frame-report a.c' --help --version; do
  # shellcheck disable=SC2086
  got=0; "$FMCC" $words > /dev/full 2> err || got=$?
  [ $got = 1 ] || fail "$words: status $got"
  has err 'fmcc: error: cannot write standard output: No space left on device'
done
for words in --help --version; do
  got=0; "${FMCC%fmcc}fermata" $words > /dev/full 2> err || got=$?
  [ $got = 1 ] || fail "fermata $words: status $got"
  has err 'fermata: error: cannot write standard output: No space left on device'
done
