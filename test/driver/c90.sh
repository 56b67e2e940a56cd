# <fermata.h> with a C that is too old: one error, at the user's include, that says what to do.
set -u
cat > a.c <<'C'
#include <fermata.h>
async int f(void) { return 1; }
C
for std in -ansi -std=c90 -std=gnu90 -std=iso9899:199409; do
  "$FMCC" --cc="$CC" $std -c a.c 2> out && { echo "$std is accepted"; exit 1; }
  [ "$(grep -c 'error:' out)" = 1 ] && grep -q 'needs C99 or newer' out || { echo "$std"; cat out; exit 1; }
  [ ! -e a.o ] || { echo "$std leaves an object"; exit 1; }
done
for std in -std=c99 -std=gnu99 -std=c11 -std=gnu17 -std=c2x; do
  "$FMCC" --cc="$CC" $std -Wall -Wextra -c a.c > out 2>&1 && [ ! -s out ] || { echo "$std"; cat out; exit 1; }
done
