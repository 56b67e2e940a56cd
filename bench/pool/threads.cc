// The peer on two processors: a pool of C++ threads over one queue of jobs with a lock. The same
// jobs as in language.c, ../field/uneven.c and accept.c, on one thread and on two, in turns;
// milliseconds, the best of several chunks.
//     skynet1, skynet2         10 trees of 10^5 leaves: a job each, in C++20 coroutines that its
//                              thread runs by itself
//     few_…, many_…, mixed_…   uneven jobs
//     accept_one, accept_two   64 connections: a job each, which blocks its thread while it reads
#define PER_THREAD thread_local
#include "../cpp20.hpp"
#include "accept.h"
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Threads {
  std::mutex lock;
  std::condition_variable more, none;
  std::deque<std::function<void()>> jobs;
  std::vector<std::thread> threads;
  size_t open = 0;
  bool ends = false;
  void work() {
    std::unique_lock<std::mutex> held(lock);
    for (;;) {
      more.wait(held, [&] { return ends || !jobs.empty(); });
      if (jobs.empty()) return;
      auto next = std::move(jobs.front());
      jobs.pop_front();
      held.unlock();
      next();
      held.lock();
      if (--open == 0) none.notify_all();
    }
  }

public:
  explicit Threads(int n) {
    for (int i = 0; i < n; i++) threads.emplace_back([this] { work(); });
  }
  ~Threads() {
    { std::lock_guard<std::mutex> held(lock); ends = true; }
    more.notify_all();
    for (auto &t : threads) t.join();
  }
  void add(std::function<void()> next) {
    std::lock_guard<std::mutex> held(lock);
    jobs.push_back(std::move(next));
    open++;
    more.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> held(lock);
    none.wait(held, [&] { return open == 0; });
  }
};

static Task skynet(uint32_t number, uint32_t size) {
  if (size == 1) co_return int(number);
  Task t[10];
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 10; i++) t[i] = spawn(skynet(number + i * (size / 10), size / 10));
  for (int i = 0; i < 10; i++) sum += uint32_t(co_await t[i]);
  co_return int(sum);
}

static void trees(Threads &p) {
  constexpr uint32_t leaves = 1000000;
  uint32_t sums[10], sum = 0;
  for (uint32_t i = 0; i < 10; i++)
    p.add([i, &sums] { sums[i] = uint32_t(run(skynet(i * (leaves / 10), leaves / 10))); });
  p.wait();
  for (uint32_t s : sums) sum += s;
  if (sum != uint32_t(uint64_t(leaves) * (leaves - 1) / 2)) abort();
}

static long length_of(const char *kind, int i, int n) {
  long steps = 40000000 / n;
  if (strcmp(kind, "mixed") == 0) return steps * ((unsigned(i) * 2654435761u >> 16) % 21) / 10;
  return i % 2 ? steps / 8 : steps * 15 / 8;
}

static void uneven(Threads &p, const char *kind, int n) {
  std::vector<uint64_t> sums(size_t(n), 0);
  for (int i = 0; i < n; i++) {
    long length = length_of(kind, i, n);
    p.add([i, length, &sums] { sums[size_t(i)] = job(uint64_t(length)); });
  }
  p.wait();
}

static void serve(int fd) {
  uint64_t n;
  check(read(fd, &n, sizeof n) == sizeof n);
  n = job(n);
  check(write(fd, &n, sizeof n) == sizeof n);
  close(fd);
}

static int listener = -1;
static uint16_t port;

static void listen_somewhere() {
  sockaddr_in at = {};
  socklen_t size = sizeof at;
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  check(listener >= 0 && bind(listener, (sockaddr *)&at, sizeof at) == 0);
  check(listen(listener, CLIENTS) == 0 && getsockname(listener, (sockaddr *)&at, &size) == 0);
  port = ntohs(at.sin_port);
}

static void accepts(Threads &p) {
  std::thread others([] { clients(&port); });
  for (int i = 0; i < CLIENTS; i++) {
    int fd = accept(listener, nullptr, nullptr);
    check(fd >= 0);
    p.add([fd] { serve(fd); });
  }
  others.join();
  p.wait();
}

template <class F> static void measure(const char *on_one, const char *on_two, F round) {
  Threads one(1), two(2);
  double best_one = 0, best_two = 0;
  for (int k = 0; k < chunks(7); k++) {
    double start = now();
    round(one);
    keep_best(&best_one, now() - start);
    start = now();
    round(two);
    keep_best(&best_two, now() - start);
  }
  printf("%s %.2f\n%s %.2f\n", on_one, best_one / 1e6, on_two, best_two / 1e6);
}

int main() {
  listen_somewhere();
  measure("skynet1", "skynet2", trees);
  measure("few_one", "few_two", [](Threads &p) { uneven(p, "few", 8); });
  measure("many_one", "many_two", [](Threads &p) { uneven(p, "many", 1000); });
  measure("mixed_one", "mixed_two", [](Threads &p) { uneven(p, "mixed", 200); });
  measure("accept_one", "accept_two", accepts);
}
