// libuv on the domain's own thread: its timers and work beside activities; what is alive in the loop is no deadlock.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <fermata/uv.h>
#include <unistd.h>

static fm_completion(int) *held;
static int fired;

static void on_timer(uv_timer_t *t) {
  if (++fired == 3) {
    uv_timer_stop(t);
    fm_complete(held, fired);
  }
}

static asyncdirect int three_times(uv_timer_t *t, fm_completion(int) *k) {
  held = k;
  uv_timer_init(fm_uv_loop(), t);
  uv_timer_start(t, on_timer, 1, 1);
}

static void work(uv_work_t *w) { *(int *)w->data += 1; }
static void work_done(uv_work_t *w, int status) { (void)status; fm_complete(held, *(int *)w->data); }
static asyncdirect int works(uv_work_t *w, fm_completion(int) *k) {
  held = k;
  uv_queue_work(fm_uv_loop(), w, work, work_done);
}

static async void echoes(int in, int out) {
  char c;
  try {
    while (fm_read(in, &c, 1) == 1) fm_write_all(out, &c, 1);
  } catch (struct os_error e) {
    printf("failed: %d\n", e.code);
  }
  fm_close(out);
}

async int main(void) {
  int a[2], b[2], value = 41;
  char c = 0;
  uv_timer_t timer;
  uv_work_t request = { .data = &value };
  try {
    fm_pipe(a);
    fm_pipe(b);
    spawn echoes(a[0], b[1]);
    fm_sleep(1);
    printf("%d\n", three_times(&timer));          // expect: 3
    printf("%d\n", works(&request));              // expect: 42
    uv_timer_start(&timer, on_timer, 100000, 0);  // alive, and the domain waits in libuv: for the others as well
    fm_write_all(a[1], "x", 1);
    fm_read(b[0], &c, 1);
    fm_sleep(2);
    printf("%c\n", c);                            // expect: x
    uv_close((uv_handle_t *)&timer, NULL);
    fm_close(a[1]);
    printf("%zd\n", fm_read(b[0], &c, 1));        // expect: 0
  } catch (struct os_error e) {
    printf("failed: %d\n", e.code);
  }
  return 0;
}
