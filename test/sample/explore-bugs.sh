# fermata explore finds each seeded bug of test/explore within 30 schedules; the mended versions fail
# in none.
set -eu
[ "$CC" = gcc ] || exit 77
for program in "$SRC"/test/explore/*.c; do
  name=$(basename "$program" .c)
  status=0
  "$SRC/build/bin/fermata" explore -Wall -Wextra -Werror -n 30 "$program" > "$name.told" 2>&1 || status=$?
  { [ $status = 1 ] && grep -q "^schedule [0-9]* of 30 fails: " "$name.told" && grep -q "is enough\|are enough" "$name.told"; } ||
    { cat "$name.told"; echo "$name: not found"; exit 1; }
  "$SRC/build/bin/fermata" explore -Wall -Wextra -Werror -n 60 -DMENDED "$program" > "$name.fine" 2>&1 ||
    { cat "$name.fine"; echo "$name: the mended version fails"; exit 1; }
done
