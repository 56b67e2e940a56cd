// Many connections at once, of peers that misbehave: slow readers, half-closes, resets, cancels at random moments. Each byte that is
// read has to be the one that was sent at that place, and in connections that end as they should none is missing.
// At the end no descriptor is left. Arguments: how many connections in all, how many at once, a seed.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "descriptors.h"

enum { MOST = 60000 };                            // bytes in one direction

static char port[16];
static uint64_t state;
static struct { long complete, reset, cancelled, bytes, wrong, unexpected; } count;

static unsigned draw(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

static unsigned char byte_at(unsigned key, size_t at) { return (unsigned char)((at * 31 + (at >> 8) + key) ^ key >> 3); }

static void fill(unsigned char *buf, unsigned key, size_t at, size_t n) { // plain: no yields in it
  for (size_t i = 0; i < n; i++) buf[i] = byte_at(key, at + i);
}

static void check(const unsigned char *buf, unsigned key, size_t at, size_t n) {
  for (size_t i = 0; i < n; i++) count.wrong += buf[i] != byte_at(key, at + i);
}

// ---- the two directions ----
static async void sends(int fd, unsigned key, size_t n) throws(struct os_error) {
  unsigned char buf[4096];
  for (size_t at = 0; at < n;) {
    size_t part = 1 + draw(sizeof buf);
    if (part > n - at) part = n - at;
    fill(buf, key, at, part);
    fm_write_all(fd, buf, part);
    at += part;
    if (draw(40) == 0) fm_sleep(draw(3));
  }
}

// Until the end, or n bytes; how many.
static async size_t receives(int fd, unsigned key, size_t n) throws(struct os_error) {
  unsigned char buf[5000];
  size_t at = 0;
  while (at < n) {
    size_t room = 1 + draw(sizeof buf);
    size_t got = (size_t)fm_read(fd, buf, room < n - at ? room : n - at);
    if (!got) break;
    check(buf, key, at, got);
    at += got;
    count.bytes += (long)got;
    if (draw(30) == 0) fm_sleep(draw(4));         // slow
  }
  return at;
}

// ---- the server: first eight bytes: key and length; then it sends and receives so many at once ----
typedef struct Hello { unsigned key, n; } Hello;

static async void serve(int fd) {
  Hello h;
  defer fm_close(fd);
  try {
    if (fm_read_exact(fd, &h, sizeof h) != sizeof h) return;
    scope (both) {
      spawn sends(fd, h.key + 1, h.n);
      receives(fd, h.key, h.n);
    }
    fm_shutdown(fd, SHUT_WR);
  } catch (struct os_error e) {
    if (e.code != ECONNRESET && e.code != EPIPE && e.code != ENOTCONN) count.unexpected++;
  }
}

static async void listens(int l) {
  try {
    for (;;) spawn serve(fm_accept(l));
  } catch (struct os_error e) {
    if (e.code != EBADF) count.unexpected++;
  }
}

// ---- clients ----
static async void talk(int fd, Hello h) throws(struct os_error) {
  fm_write_all(fd, &h, sizeof h);
  auto sending = spawn sends(fd, h.key, h.n);
  size_t got = receives(fd, h.key + 1, h.n);
  await sending;
  char extra;
  fm_shutdown(fd, SHUT_WR);
  count.unexpected += got != h.n || fm_read(fd, &extra, 1) != 0;
  count.complete++;
}

static async void client(void) {
  struct linger at_once = { 1, 0 };
  Hello h = { draw(1000), 1 + draw(draw(4) ? 2000 : MOST) };
  try {
    int fd = fm_connect("127.0.0.1", port);
    defer fm_close(fd);
    unsigned how = draw(8);
    if (how < 2) {                                // gives up at some moment
      scope (s) {
        fm_cancel_after(s, draw(6));
        talk(fd, h);
      } else count.cancelled++;
      if (how == 0) setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    } else if (how == 2) {                        // resets in the middle
      fm_write_all(fd, &h, sizeof h);
      receives(fd, h.key + 1, h.n / 2);
      setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      count.reset++;
    } else {
      talk(fd, h);
    }
  } catch (struct os_error e) {
    count.unexpected++;
  }
}

static async void some(int n) {
  while (n--) client();
}

async int main(int argc, char **argv) {
  int all = argc > 1 ? atoi(argv[1]) : 2000, at_once = argc > 2 ? atoi(argv[2]) : 100;
  state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  int before = descriptors();
  try {
    int l = fm_listen("127.0.0.1", "0", 4096);
    snprintf(port, sizeof port, "%d", fm_local_port(l));
    auto server = spawn listens(l);
    scope (clients)
      for (int i = 0; i < at_once; i++) spawn some(all / at_once);
    fm_close(l);
    await server;
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
    return 1;
  }
  int after = descriptors();
  fprintf(stderr, "%ld complete, %ld reset, %ld cancelled, %ld bytes, %ld wrong, %ld unexpected; %d descriptors more\n",
          count.complete, count.reset, count.cancelled, count.bytes, count.wrong, count.unexpected, after - before);
  bool good = count.complete > all / 2 && !count.wrong && !count.unexpected && after <= before + 3; // the driver's own
  printf("%s\n", good ? "good" : "bad");          // expect: good
  return 0;
}
