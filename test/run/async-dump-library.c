// A dump names the line of the program, not that of the library, for whoever waits in a function of that.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <fermata/sync.h>
#include <sys/socket.h>

typedef fm_chan(int) ic;
static ic c;
#line 10 "program.c"
static async int reader(int fd) {
  char b[10];
  try {
    return (int)fm_read(fd, b, 10);
  } catch (struct os_error e) {
    return -e.code;
  }
}
static async void waiter(ic *c) { try { fm_recv(c); } catch (struct fm_closed e) { (void)e; } }
static async void sleeper(void) { fm_sleep(1000000); }
static async void exact(int fd) { char b[10]; try { fm_read_exact(fd, b, 10); } catch (struct os_error e) { (void)e; } }
static async void nothing(fm_sem *s) { fm_sem_wait(s); }
async int main(void) {
  int s[2];
  fm_sem sem;
  fm_sem_init(&sem, 0);
  fm_chan_init(&c, 0);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s)) return 1;
  scope (all) {
    spawn reader(s[0]);
    spawn waiter(&c);
    spawn sleeper();
    spawn exact(s[1]);
    spawn nothing(&sem);
    fm_sleep(5);
    fm_dump(stdout);
    fm_cancel(all);
  }
}
// expect: #1 main: running
// expect:   #2 scope: of #1 main
// expect:     #3 reader: waits at program.c:13 for a descriptor
// expect:     #4 waiter: waits at program.c:18 for a value from a channel: `c`
// expect:     #5 sleeper: waits at program.c:19 for a timer
// expect:     #6 exact: waits at program.c:20 for a descriptor
// expect:     #7 nothing: waits at program.c:21 for a semaphore: a variable of #1 main
