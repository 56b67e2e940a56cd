#!/usr/bin/env bash
# examples/hosted/glib.c: activities in GLib's main loop, and its callbacks beside them.
set -eu
read -r -a glib <<< "${GLIB:-$(pkg-config --cflags --libs glib-2.0 2> err)}" # GLIB: the options, where GLib is in no usual place
[ ${#glib[@]} -gt 0 ] || exit 77

"$FMCC" --cc="$CC" -O2 -Wall -Wextra -o program "$SRC/examples/hosted/glib.c" "${glib[@]}" 2> log || { cat log; exit 1; }
[ ! -s log ] || { cat log; exit 1; }
sed -n 's|^// output: ||p' "$SRC/examples/hosted/glib.c" > expected
timeout 20 ./program > printed
diff expected printed
