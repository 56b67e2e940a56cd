# Async functions with the names of functions that libfermata or the C compiler calls: those remain the library's.
. "$SRC/test/driver/common.bash"
cat > a.c <<'END'
#include <fermata.h>
#include <fermata/time.h>
async int write(int x);
async int read(int x) { return write(x) + 1; }
async int send(const char *s) { fm_sleep(1); return s[0]; }
async void *memcpy(int x) { yield; return x ? (void *)1 : (void *)0; }
async int epoll_ctl(int x) { yield; return x; }
struct big { char text[400]; } global = { "big" };
async int main(void) {
  struct big copy = global;
  fm_sleep(1);
  struct big other = copy;
  printf("%d %d %d %d %s\n", read(1), send("A"), memcpy(1) != NULL, epoll_ctl(4), other.text);
  return 0;
}
END
cat > b.c <<'END'
#include <fermata.h>
async int write(int x) { yield; return x + 1; }
END
"$FMCC" -w a.c b.c -o a
[ "$(timeout 20 ./a)" = "3 65 1 4 big" ] || fail "$(./a)"

# Every function that libfermata calls.
lib=$(dirname "$FMCC")/../lib/libfermata.a
nm -u "$lib" | awk '$1 == "U" && $2 !~ /^(fm_|uv_|_GLOBAL|__tls)/ { print $2 }' | sort -u > names
[ -s names ] || fail "no names"
{ echo '#include <fermata/abi.h>'; echo '#pragma fermata'; awk '{ print "async int " $0 "(void);" }' names; } > c.c
"$FMCC" --emit-c -w -fno-builtin c.c > c.out
while read -r name; do
  grep -q -w "fm_fn ${name}__fm_fn" c.out || fail "an async function called $name would take the place of the library's"
done < names
