# Where the system gives no thread, functions that throw os_error throw EAGAIN, fm_getaddrinfo returns EAI_AGAIN, fm_offload does the call in
# place, fm_pool_new returns NULL, and whatever is deferred runs.
. "$SRC/test/driver/common.bash"
[ "$(id -u)" = 0 ] || { echo "SKIP: root is needed to become another user"; exit 77; }
need setpriv
cat > a.c <<'C'
#define _GNU_SOURCE
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <unistd.h>
static intptr_t call(void *arg) { return (intptr_t)arg + 1; }
static async void names(void) {
  struct addrinfo *all = NULL;
  int got = fm_getaddrinfo("name.invalid", "80", NULL, &all);
  printf("names: %s\n", got == EAI_AGAIN ? "again" : gai_strerror(got));
}
static async void files(void) {
  defer puts("deferred");
  try {
    fm_close(fm_open("/tmp", O_TMPFILE | O_RDWR, 0600)); // a new file needs a thread
    puts("opened");
  } catch (struct os_error e) {
    printf("open: %s\n", e.code == EAGAIN ? "again" : "wrong");
  }
  try {
    int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    defer close(fd);
    fm_write(fd, "a", 1);
    puts("written");
  } catch (struct os_error e) {
    printf("write: %s\n", e.code == EAGAIN ? "again" : "wrong");
  }
}
static async int others(int n) { yield; return n; }
async int main(void) {
  auto t = spawn others(3);
  files();
  names();
  printf("call: %d\n", (int)fm_offload(call, (void *)6));
  fm_pool *p = fm_pool_new(2);
  printf("pool: %d\n", p != NULL);
  fm_pool_free(p);
  printf("%d\n", await t);
  return 0;
}
C
status 0 "$FMCC" a.c -o a
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp a "$dir/a"
status 0 timeout 20 setpriv --reuid=64322 --regid=64322 --clear-groups bash -c 'ulimit -u 1 && exec "$0"' "$dir/a"
[ ! -s err ] || fail "$(cat err)"
printf '%s\n' 'open: again' 'write: again' deferred 'names: again' 'call: 7' 'pool: 0' 3 > want
same 'without threads' want out
status 0 "$dir/a"
has out opened
has out 'call: 7'
has out 'pool: 1'
