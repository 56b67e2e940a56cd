# What an editor shows of Fermata files: nothing. With the keywords as the header's macros alone for common code; with fermata-clangd for all,
# of which examples, the tutorial and a sixth of the programs of run/, by a hash of the name, are tried here (all of them: long/editors.sh).
set -eu
[ "$CC" = clang ] || exit 77
. "$SRC/test/headers/editor.bash"
clang -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I"$SRC/include" "$SRC/test/headers/editor.c"
reads "$SRC/test/headers/editor-all.c"
for program in $(programs); do
  case $program in
    */test/run/*) [ $(($(basename "$program" | cksum | cut -d' ' -f1) % 6)) = 0 ] || continue ;;
  esac
  reads "$program"
done
# Mistakes are still seen, at their place.
sed 's/puts("b")/puts(missing)/' "$SRC/test/headers/editor-all.c" > wrong.c
"$SRC/build/bin/fermata-clangd" --show=wrong.c > view.c
clang -std=gnu11 -fsyntax-only -I"$SRC/build/include" view.c 2> err && exit 1
at=$(grep -n missing wrong.c | head -1 | cut -d: -f1)
grep -q "^view.c:$at:.*undeclared identifier 'missing'" err
# clangd itself.
command -v clangd > path || exit 0
timeout 100 "$SRC/build/bin/fermata-clangd" --check="$SRC/test/headers/editor-all.c" --check="$SRC/examples/race.c"
! timeout 100 "$SRC/build/bin/fermata-clangd" --check=wrong.c > out || exit 1
grep -q "^wrong.c:$at: .*missing" out
# Plain clangd, with the lines that docs/editors.md names.
mkdir plain
sed -n "s|/usr/local/include|$SRC/include|; s/^    \(CompileFlags:\|Diagnostics:\)/\1/p" "$SRC/docs/editors.md" > plain/.clangd
[ "$(wc -l < plain/.clangd)" = 2 ]
cp "$SRC/examples/race.c" plain/race.c
cat > plain/forms.c << 'END'
#include <fermata.h>
#include <fermata/time.h>
struct bad { int code; };
async int f(int x);
async void g(int x) throws(struct bad);
asyncdirect int on_ready(int fd, fm_completion(int) *k) { fm_complete(k, fd); return 0; }
async int h(int n) {
  int v = 0;
  race { case v = f(1): puts("a"); case fm_sleep(2): puts("b"); break; case f(3): { return 1; } }
  activate { f(v); }
  auto t = spawn f(2);
  fm_cancel(fm_id(t));
  scope (s) { spawn in(s) f(3); spawn detached f(4); } else puts("late");
  try { g(1); } catch (struct bad e) { v = e.code; } catch (fm_error *any) { (void)any; throw; } finally { puts("end"); }
  defer puts("defer");
  task(int) u = spawn f(n);
  job(int) *j = 0;
  (void)j;
  if (n) throw (struct bad){ 3 };
  shield atomic f(1);
  yield;
  return v + await u + run f(3);
}
END
for program in race forms; do timeout 100 clangd --check="plain/$program.c" > out 2>&1 || { grep '^E' out; exit 1; }; done
sed 's/puts("b")/puts(missing)/' plain/forms.c > plain/wrong.c
! timeout 100 clangd --check=plain/wrong.c > out 2>&1 || exit 1
grep -q 'undeclared_var_use.*missing' out
# Between an editor and a server: texts are replaced in whole, also those with escapes in them; formatting is not offered.
cat > server << 'END'
#!/bin/sh
answer='{"id":1,"result":{"capabilities":{"documentFormattingProvider":true,"textDocumentSync":{"change":2}}}}'
printf 'Content-Length: %d\r\n\r\n%s' ${#answer} "$answer"
exec cat > received
END
chmod +x server
message='{"method":"textDocument/didChange","params":{"contentChanges":[{"text":"#include <fermata.h>\nrace {\tcase f(\"\u00e4:\"): g(); }"}]}}'
printf 'Content-Length: %d\r\n\r\n%s' ${#message} "$message" | FERMATA_CLANGD=./server timeout 20 "$SRC/build/bin/fermata-clangd" > sent
grep -qF 'race {\t{    f(\"\u00e4:\"); g();}}"}]}}' received
grep -qF '"documentFormattingProvide_":true,"textDocumentSync":{"change":1}' sent
