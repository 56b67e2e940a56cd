# Each message that docs/limits.md names is what fmcc says of a program that does what is refused, at a line of that program; each
# program of headers/limits.txt belongs to such a message.
. "$SRC/test/driver/common.bash"
includes='#include <fermata.h>\n#include <stdarg.h>\n#include <setjmp.h>\n#include <alloca.h>\n#include <tgmath.h>\nasync int f(int x);\nint g(int x);\n'
while IFS= read -r line; do
  case $line in '#'*) continue ;; esac
  message=${line%% @ *}
  only=any
  case $message in clang:*) only=clang message=${message#clang:} ;; esac
  grep -qF -e "*$message*" "$SRC/docs/limits.md" || fail "docs/limits.md does not name: $message"
  [ $only = any ] || [ "$CC" = $only ] || continue
  { printf '%b' "$includes"; printf '%s\n' "${line#* @ }"; } > refused.c
  status 1 "$FMCC" --cc="$CC" -c refused.c
  pattern=$(printf '%s' "$message" | sed 's/[][*.^$\/]/\\&/g; s/…/.*/g')
  grep -q "^refused\.c:8:[0-9]*: .*$pattern" err || { cat err; fail "another message: $line"; }
done < "$SRC/test/headers/limits.txt"
# and the other way round
grep '^|' "$SRC/docs/limits.md" | { grep -oE '\*[^*|]+\*' || true; } | tr -d '*' | sort -u > named
sed -n '/^#/d; s/^clang://; s/ @ .*//p' "$SRC/test/headers/limits.txt" | sort -u > tried
diff named tried || fail "docs/limits.md and test/headers/limits.txt name different messages"
# What needs a large program, or none of ours.
awk 'BEGIN { print "#include <fermata.h>\nasync int a(void) { return "; for (i = 0; i < 10100; i++) printf "("; printf "1"; for (i = 0; i < 10100; i++) printf ")"; print "; }" }' > refused.c
status 1 "$FMCC" --cc="$CC" -c refused.c; has err 'this is nested too deeply: split it'
