# How the code is laid out: clang-format (.clang-format) has nothing to change, and no line has more
# than 100 columns. The version matters: another one lays out a little differently. Tables may stand
# between `// clang-format off` and `on`.
. "$SRC/test/driver/common.bash"
[ "$CC" = gcc ] || exit 77
cd "$SRC"
folders='compiler runtime library tools include'

# shellcheck disable=SC2086
find $folders -type f | grep -E '\.(c|h|sh|py|js|css|html)$' | LC_ALL=C sort > "$OLDPWD/files"
cd "$OLDPWD"
(cd "$SRC" && LC_ALL=C.UTF-8 xargs grep -nHE '.{101}' < "$OLDPWD/files" || true) > too-wide
[ ! -s too-wide ] || { cut -c1-160 too-wide; fail "lines of more than 100 columns"; }

command -v clang-format-14 > /dev/null || { echo "no clang-format-14"; exit 77; }
grep -E '\.[ch]$' files > sources
[ "$(wc -l < sources)" -gt 150 ] || fail "few sources were found"
(cd "$SRC" && xargs clang-format-14 --dry-run -Werror < "$OLDPWD/sources") > log 2>&1 || {
  head -n 20 log
  sed -n 's/^\([^: ]*\):.*error: code should be.*/\1/p' log | sort -u | sed 's/^/clang-format -i /'
  fail "the layout is not clang-format's"
}
