#!/usr/bin/env bash
# -Wblocking names the functions of <fermata/io.h> that run commands and read lines.
set -eu
cat > blocks.c <<'END'
#include <fermata.h>
#include <stdlib.h>
async int main(void) {
  char line[9];
  yield;
  return system("true") || !popen("true", "r") || !fgets(line, 9, stdin);
}
END
"$FMCC" -Wblocking -c blocks.c > messages 2>&1
cat messages
grep -q "blocks.c:6:10: warning: .system. may block .*use fm_run()" messages
grep -q "blocks.c:6:29: warning: .popen. may block .*use fm_run()" messages
grep -q "blocks.c:6:52: warning: .fgets. may block .*use fm_reader_line()" messages
