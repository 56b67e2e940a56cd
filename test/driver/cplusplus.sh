#!/usr/bin/env bash
# The headers can be read by C++, which may use what is not async: a completion from a thread, a domain, a mailbox's types.
set -eu
cxx=g++
[ "$CC" = gcc ] || cxx=clang++
command -v "$cxx" > path || exit 77
for header in "$SRC"/build/include/fermata.h "$SRC"/build/include/fermata/*.h; do
  name=${header#"$SRC"/build/include/}
  [ "$name" = fermata/keywords.h ] || echo "#include <$name>" # that one is for editors
done > all.cc
cat >> all.cc << 'END'
int main() {
  fm_activity a = fm_self();
  return fm_alive(a);
}
END
"$cxx" -Wall -Wextra -Werror -I"$SRC/build/include" -c -o all.o all.cc
"$cxx" -o all all.o "$SRC/build/lib/libfermata.a" -luv -lpthread -lm
./all
