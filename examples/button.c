// button.c: a button whose clicks each send a request to a service that can only take one at a time: the MVar as a lock of "A Concurrency
// Model for JavaScript with Cooperative Cancellation" (paper 003, §4.5).
//
// The callback of a user interface is plain code and must not wait: it starts a detached activity for each click. The MVar holds
// one token. Who takes it has the service to itself until it puts it back; the others wait in the order of their clicks, and one that
// is cancelled while it waits leaves the queue, and nothing else happens.
//   fmcc -O2 -o button button.c && FERMATA_DRIVER=virtual ./button
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_mvar(int) Lock;
static Lock lock;
static int requests;                              // how many the service has at this moment

static async int send_request(int n) {            // the service fails when it is asked twice at once
  if (requests++) printf("internal error!\n");
  fm_sleep(300);
  requests--;
  return n * 11;
}

static async void request(int n) {
  int token = fm_take(&lock);
  defer fm_put(&lock, token);
  int answer = send_request(n);
  printf("%d ms: click %d gets %d\n", (int)(fm_now() / 1000000), n, answer);
}

static fm_activity on_click(int n) {              // called by the user interface
  printf("click %d\n", n);
  return fm_id(spawn detached request(n));
}

async int main(void) {
  fm_activity clicks[4];
  fm_mvar_init(&lock);
  fm_put(&lock, 1);
  for (int i = 0; i < 4; i++) {
    clicks[i] = on_click(i);
    fm_sleep(50);
  }
  fm_cancel(clicks[2]);                           // it waits for the lock
  for (int i = 0; i < 4; i++) fm_join(clicks[i]);
  printf("the lock is %s\n", fm_mvar_full(&lock) ? "free" : "lost");
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output: click 0
// output: click 1
// output: click 2
// output: click 3
// output: 300 ms: click 0 gets 0
// output: 600 ms: click 1 gets 11
// output: 900 ms: click 3 gets 33
// output: the lock is free
