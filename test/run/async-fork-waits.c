// A child of fork has one thread: whatever it waits for that is its parent's will never come. It is told so, whatever the wait is;
// a thread that the child makes may wait.
// flags: -pthread
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef fm_chan(int) int_chan;
typedef fm_mailbox(int) int_box;

// LeakSanitizer cannot look into the threads that the child does not have.
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

static fm_pool *pool;
static task(int) throws(struct fm_closed) elsewhere;
static int_chan *far_chan, *full_chan, *gate;
static int_box box;

static async int passes_gate(void) throws(struct fm_closed) { return fm_recv(gate); }

static async void make_channels(void) {
  static int_chan one, two, three;
  fm_chan_init(&one, 1);
  fm_chan_init(&two, 0);
  fm_chan_init(&three, 0);
  far_chan = &one;
  full_chan = &two;
  gate = &three;
}

static asyncdirect int never(fm_completion(int) *k) {
  (void)k;
}

static intptr_t call(void *arg) { return (intptr_t)arg; }

static async void opens(void) {
  try {
    fm_close(fm_open("/dev/null", O_RDONLY, 0));
  } catch (struct os_error e) {
    printf("os_error %d\n", e.code);
  }
}

static async void lives_here(void) {
  fm_sleep(5);
  opens();
  if (fm_offload(call, (void *)7) != 7) _exit(9);
}

static void *thread(void *unused) {
  run lives_here();
  return unused;
}

static void makes_thread(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, thread, NULL) == 0) pthread_join(t, NULL);
}

static async void in_child(int kind) throws(struct fm_closed) {
  switch (kind) {
  case 0: break;
  case 1: fm_sleep(1); break;
  case 2: await elsewhere; break;
  case 3: fm_recv(far_chan); break;
  case 4: fm_send(full_chan, 1); break;
  case 5: fm_receive(&box); break;
  case 6: never(); break;
  case 7: fm_offload(call, NULL); break;
  case 8: opens(); break;
  case 9: fm_pool_free(pool); break;
  case 10: atomic { fm_sleep(1); } break;
  case 11: { auto t = spawn on(pool) passes_gate(); await t; } break;
  case 12: makes_thread(); break;
  }
}

// What a child says that waits in this way; and how it ends.
static async void try_it(int kind) throws(struct os_error, struct fm_closed) {
  char said[200] = "";
  int err[2];
  fm_pipe(err);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    dup2(err[1], 2);
    in_child(kind);
    _exit(0);
  }
  fm_close(err[1]);
  fm_read_exact(err[0], said, sizeof said - 1);
  int status = fm_wait_process(pid);
  printf("%d: %d %d\n", kind, WIFEXITED(status) ? WEXITSTATUS(status) : -1, strstr(said, "child of fork") != NULL);
  fm_close(err[0]);
}

async int main(void) {
  pool = fm_pool_new(2);
  fm_mailbox_init(&box);
  auto made = spawn on(pool) make_channels();
  await made;
  opens();
  fm_offload(call, NULL);
  try {
    elsewhere = spawn on(pool) passes_gate();
    for (int kind = 0; kind < 13; kind++) try_it(kind);
    fm_send(gate, 3);
    printf("%d\n", await elsewhere);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  } catch (struct fm_closed e) {
    (void)e;
  }
  fm_mailbox_free(&box);
  fm_pool_free(pool);
  return 0;
}
// expect: 0: 0 0
// expect: 1: 1 1
// expect: 2: 1 1
// expect: 3: 1 1
// expect: 4: 1 1
// expect: 5: 1 1
// expect: 6: 1 1
// expect: 7: 1 1
// expect: 8: 1 1
// expect: 9: 1 1
// expect: 10: 1 1
// expect: 11: 1 1
// expect: 12: 0 0
// expect: 3
