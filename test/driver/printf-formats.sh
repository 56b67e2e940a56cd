#!/usr/bin/env bash
# The formats of fm_printf and its kind are checked as those of printf are.
set -eu
cat > wrong.c <<'END'
#include <fermata.h>
#include <fermata/io.h>
async int main(void) throws(struct os_error) {
  fm_writer w;
  fm_writer_init(&w, 1);
  fm_printf(1, "%s\n", 5);
  fm_writer_printf(&w, "%d\n", "text");
  fm_printf(1, "%d %s\n", 5, "right");
  return 0;
}
END
"$FMCC" -Wall -Wextra -c wrong.c > messages 2>&1
cat messages
[ "$(grep -c warning: messages)" = 2 ]
grep -q "wrong.c:6:.*-Wformat" messages
grep -q "wrong.c:7:.*-Wformat" messages
