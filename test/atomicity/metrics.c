// Counters of a service: requests are counted, and every few milliseconds the counts are sent to a
// collector and begin anew.
// reports: an update is lost: metrics.requests
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdio.h>

enum { KINDS = 3, REQUESTS = 8 };

static struct {
  long requests[KINDS];
  long bytes;
  bool stopping;
} metrics;

static struct {
  long requests, bytes;
  fm_mutex busy;
} collector;

static async void send_report(long requests, long bytes) {
  fm_lock(&collector.busy);
  defer fm_unlock(&collector.busy);
  fm_sleep(2);
  collector.requests += requests;
  collector.bytes += bytes;
}

static long sum_of(const long *counts, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += counts[i];
  return sum;
}

static async void flush(void) {
  long requests, bytes;
#ifdef MENDED
  atomic {
    requests = sum_of(metrics.requests, KINDS);
    bytes = metrics.bytes;
    for (int i = 0; i < KINDS; i++)
      metrics.requests[i] = 0;
    metrics.bytes = 0;
  }
  send_report(requests, bytes);
#else
  requests = sum_of(metrics.requests, KINDS);
  bytes = metrics.bytes;
  send_report(requests, bytes);
  for (int i = 0; i < KINDS; i++)
    metrics.requests[i] = 0;
  metrics.bytes = 0;
#endif
}

static async void flusher(void) {
  while (!metrics.stopping) {
    fm_sleep(5);
    flush();
  }
}

static async void serve(int number) {
  fm_sleep((uint64_t)(3 * number));
  metrics.requests[number % KINDS]++;
  metrics.bytes += 100 * number;
}

async int main(void) {
  scope {
    spawn flusher();
    scope for (int i = 0; i < REQUESTS; i++) spawn serve(i);
    metrics.stopping = true;
  }
  printf("%s\n", collector.bytes ? "reported" : "nothing to report");
  return 0;
}
