// fetch.c: a request whose body is read as it comes, with a time limit for another one. A request
// that is cancelled is aborted.
//
//     fmcc --cc=emcc -O2 -o fetch.js fetch.c
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/web.h>

#include <stdlib.h>

static async size_t download(const char *url) throws(struct fm_web_error) {
  char piece[4096];
  size_t all = 0;
  fm_web_response r = fm_web_fetch(url, NULL);
  defer fm_web_discard(&r);
  fm_web_text("#status", "%d", r.status);
  for (size_t n; (n = fm_web_read(&r, piece, sizeof piece)) > 0;) {
    all += n;
    fm_web_text("#bytes", "%zu", all);
  }
  return all;
}

static async void with_time_limit(const char *url, unsigned ms) {
  try {
    race {
    case download(url):
      fm_web_text("#slow", "came in time");
    case fm_sleep(ms):
      fm_web_text("#slow", "gave up after %u ms", ms);
    }
  } catch (struct fm_web_error e) {
    fm_web_text("#slow", "%s", e.message);
  }
}

async int main(void) {
  const struct fm_web_request post = { "POST", "Content-Type: text/plain\n", "hello", 5 };
  try {
    fm_web_text("#size", "%zu", download("data/numbers"));
    fm_web_response r = fm_web_fetch("data/echo", &post);
    defer fm_web_discard(&r);
    char *answer = fm_web_read_all(&r, NULL);
    defer free(answer);
    fm_web_text("#answer", "%s", answer);
    fm_web_fetch("http://127.0.0.1:1/", NULL);
  } catch (struct fm_web_error e) {
    fm_web_text("#error", "%s", e.message);
  }
  with_time_limit("data/never", 200);
  return 0;
}
