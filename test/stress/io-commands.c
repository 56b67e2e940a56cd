// Commands that are cancelled, lose races or are late at random moments, many at once: what they
// return is right, and at the end no process and no descriptor is left.
// Arguments: how many commands, a seed.
// args: 60 1
// expect: ok
#include <errno.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "descriptors.h"
#include "random-checks.h"

enum { MOST = 200000, AT_ONCE = 6 };

static char all[MOST];
static fm_sem places;
static long complete, late, unfinished;

// What comes is what was sent, or, of a command that was ended, its beginning.
static void look_at(const fm_run_result *r, int status, size_t size) {
  size_t n = r->out_size;
  late += r->late;
  check(n <= size && memcmp(r->out, all, n) == 0 && r->out[n] == 0, "output", (long)n);
  check(r->late || (n == size && status == 0), "incomplete", (long)n);
  complete += n == size;
}

static async void run_one(fm_run_result *r) throws(struct os_error) {
  static char *cat[] = { "cat", NULL };
  static char *deaf[] = { "sh", "-c", "trap '' TERM; cat; cat <&- >&2; sleep 30 & sleep 30", NULL };
  fm_run_options o = { .input = all, .input_size = 1 + draw(MOST), .grace = 1 + draw(5) };
  if (draw(4) == 0)
    o.time_limit = 1 + draw(30);
  if (draw(5) == 0) {
    o.time_limit = 1 + draw(30);
    o.err = FM_NULL;
    look_at(r, fm_run(deaf, &o, r), o.input_size);
  } else if (draw(2)) {
    look_at(r, fm_run(cat, &o, r), o.input_size);
  } else {
    char *const *const three[] = { cat, cat, cat, NULL };
    look_at(r, fm_run_pipeline(three, &o, r), o.input_size);
    check(r->count == 3, "count", (long)r->count);
  }
}

static async void attempt(void) throws(struct os_error) {
  fm_run_result r = { 0 };
  bool done = false;
  defer fm_run_free(&r);
  defer fm_sem_post(&places);
  if (draw(2)) {
    scope (s) {
      if (draw(2))
        fm_cancel_after(s, draw(20));
      run_one(&r);
      done = true;
    }
  } else {
    race {
      case run_one(&r): done = true; break;
      case fm_sleep(draw(40)): break;
    }
  }
  unfinished += !done;
}

static async void many(int n) throws(struct os_error) {
  scope (s) {
    for (int i = 0; i < n; i++) {
      fm_sem_wait(&places);
      spawn attempt();
    }
  }
}

async int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 60;
  state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
  for (size_t i = 0; i < MOST; i++)
    all[i] = (char)(i * 7 + (i >> 9));
  fm_sem_init(&places, AT_ONCE);
  try {
    many(10);
    int before = descriptors();
    many(n);
    check(descriptors() == before, "descriptors", descriptors() - before);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  check(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "children", 0);
  fprintf(stderr, "%ld complete, %ld late, %ld unfinished\n", complete, late, unfinished);
  printf("ok\n");
  return 0;
}
