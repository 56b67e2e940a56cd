// dns.c: many look-ups at once, but never more than so many: the DNS fetcher of "Cooperative Concurrency Needs atomic" (paper 004, Fig. 9).
//
// Each name is looked up by an activity of its own, which first takes one of a few places from a semaphore. What an activity may change
// is in view: `i` is its own copy, all else (ress, failed, the semaphore) it shares with the loop that made it, and since nothing runs at
// the same time, `failed++` needs no lock. The names here are numbers and localhost, so that nothing leaves the machine.
//   fmcc -O2 -o dns dns.c && ./dns
#include <arpa/inet.h>
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/sync.h>

static int at_once, most;                         // look-ups under way, and how many there were at most

static async int look_up(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **res) {
  if (++at_once > most) most = at_once;
  defer at_once--;
  return fm_getaddrinfo(node, service, hints, res);
}

static async int multi_getaddrinfo(const char **nodes, const char **services, const struct addrinfo *hints,
                                   struct addrinfo **ress, int n, unsigned max_conc) {
  fm_activity acts[n];
  fm_sem governor;
  int failed = 0;
  fm_sem_init(&governor, max_conc);
  for (int i = 0; i < n; i++) {
    activate [&acts[i]] (i) {
      fm_sem_wait(&governor);
      defer fm_sem_post(&governor);
      printf("activity %d: look up %s\n", i, nodes[i]);
      if (look_up(nodes[i], services[i], hints, &ress[i])) {
        ress[i] = NULL;
        failed++;
      }
    }
  }
  for (int i = 0; i < n; i++) fm_join(acts[i]);
  return failed;
}

static void print_and_free(const char *node, const char *service, struct addrinfo *a) {
  char text[INET_ADDRSTRLEN] = "unknown";
  if (a) {
    inet_ntop(AF_INET, &((struct sockaddr_in *)a->ai_addr)->sin_addr, text, sizeof text);
    freeaddrinfo(a);
  }
  printf("%s:%s is %s\n", node, service, text);
}

async int main(void) {
  enum { N = 6, AT_ONCE = 3 };
  const char *nodes[N] = { "localhost", "127.0.0.2", "localhost", "localhost", "192.0.2.17", "localhost" };
  const char *services[N] = { "80", "443", "25", "no such service", "53", "8080" };
  struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *ress[N];
  int failed = multi_getaddrinfo(nodes, services, &hints, ress, N, AT_ONCE);
  for (int i = 0; i < N; i++) print_and_free(nodes[i], services[i], ress[i]);
  printf("%d failed, %s\n", failed, most <= AT_ONCE ? "never more than 3 at once" : "too many at once");
  return 0;
}
// output: activity 0: look up localhost
// output: activity 1: look up 127.0.0.2
// output: activity 2: look up localhost
// output: activity 3: look up localhost
// output: activity 4: look up 192.0.2.17
// output: activity 5: look up localhost
// output: localhost:80 is 127.0.0.1
// output: 127.0.0.2:443 is 127.0.0.2
// output: localhost:25 is 127.0.0.1
// output: localhost:no such service is unknown
// output: 192.0.2.17:53 is 192.0.2.17
// output: localhost:8080 is 127.0.0.1
// output: 1 failed, never more than 3 at once
