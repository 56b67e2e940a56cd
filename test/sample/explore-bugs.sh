# fermata explore finds each seeded bug of test/explore within 30 schedules (or what the program's
# `// schedules:` says); the mended versions fail in none.
set -eu
[ "$CC" = gcc ] || exit 77
for program in "$SRC"/test/explore/*.c; do
  name=$(basename "$program" .c)
  status=0
  n=$(sed -n 's|^// schedules: ||p' "$program")
  "$SRC/build/bin/fermata" explore -Wall -Wextra -Werror -n "${n:=30}" "$program" \
    > "$name.told" 2>&1 || status=$?
  { [ $status = 1 ] && grep -q "^schedule [0-9]* of $n fails: " "$name.told" &&
    grep -q "is enough\|are enough\|fails without any deviation" "$name.told"; } ||
    { cat "$name.told"; echo "$name: not found"; exit 1; }
  "$SRC/build/bin/fermata" explore -Wall -Wextra -Werror -n 60 -DMENDED "$program" > "$name.fine" 2>&1 ||
    { cat "$name.fine"; echo "$name: the mended version fails"; exit 1; }
done
