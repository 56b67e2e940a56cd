// A domain in a loop that is not ours: the loop waits with poll(2) for its own pipe and for the domain's descriptor.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic int told, waits;
static void tell(void *ctx) { (void)ctx; atomic_fetch_add(&told, 1); }

static intptr_t elsewhere(void *arg) {            // goes on when the host waits
  for (int i = 0; i < 10000 && !atomic_load(&waits); i++) usleep(1000);
  return (intptr_t)arg;
}

static async void sleeps(void) {
  fm_sleep(3);
  printf("slept\n");
}

static async void reads(int fd) {
  char buf[10];
  try {
    ssize_t n = fm_read(fd, buf, sizeof buf);
    printf("read %.*s\n", (int)n, buf);
  } catch (struct os_error e) {
    printf("failed: %d\n", e.code);
  }
}

static async void offloads(void) {
  printf("offloaded %d\n", (int)fm_offload(elsewhere, (void *)42));
}

static async void busy(int n) {
  for (int i = 0; i < n; i++) yield;
  printf("yielded\n");
}

// Until no activity is left. The host's own pipe has a byte in it: it is served as well, and answered by writing to `to`.
static void host_loop(int own, int to) {
  int served = 0;
  while (fm_host_turn()) {
    struct pollfd p[2] = { { fm_host_fd(), POLLIN, 0 }, { served ? -1 : own, POLLIN, 0 } };
    int timeout = fm_host_timeout();
    atomic_store(&waits, 1);
    poll(p, 2, timeout);
    atomic_store(&waits, 0);
    if (!served && p[1].revents & POLLIN && to >= 0 && write(to, "hello", 5) != 5) printf("cannot write\n");
    served |= p[1].revents & POLLIN;
  }
}

int main(void) {
  int fds[2], own[2];
  if (pipe(fds) || pipe(own) || write(own[1], "x", 1) != 1) return 1;
  fm_set_driver(fm_driver_hosted(tell, NULL));
  spawn detached sleeps();
  host_loop(own[0], -1);                          // expect: slept
  spawn detached reads(fds[0]);
  fm_host_turn();
  printf("%d\n", fm_host_timeout());              // expect: -1
  host_loop(own[0], fds[1]);                      // expect: read hello
  spawn detached offloads();
  host_loop(own[0], -1);                          // expect: offloaded 42
  printf("%d\n", told > 0);                       // expect: 1
  spawn detached busy(100000);
  host_loop(own[0], -1);                          // expect: yielded
  printf("%d\n", fm_host_timeout());              // expect: -1
  return 0;
}
