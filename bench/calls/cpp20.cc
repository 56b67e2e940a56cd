// Figure 10 with C++20 coroutines that call each other by symmetric transfer; nanoseconds for a call, the best of many
// chunks: frames from a pool, and from malloc.
#include "../cpp20.hpp"
#include <utility>

struct Pooled {
  static void *operator new(size_t n) { return pool.take(n); }
  static void operator delete(void *p, size_t n) { pool.give(p, n); }
};
struct Malloced {
  static void *operator new(size_t n) { return malloc(n); }
  static void operator delete(void *p, size_t) { free(p); }
};

template <class Memory> struct Call {
  struct promise_type : Memory {
    std::coroutine_handle<> caller = std::noop_coroutine();
    int value = 0;
    Call get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().caller; }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(int v) { value = v; }
    void unhandled_exception() { abort(); }
  };
  std::coroutine_handle<promise_type> h;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) { h.promise().caller = caller; return h; }
  int await_resume() { int v = h.promise().value; h.destroy(); return v; }
  int run() { h.resume(); return await_resume(); }
};

template <class M> __attribute__((noinline)) Call<M> leaf(int x) { co_return x + 1; }
template <class M> __attribute__((noinline)) Call<M> f(int d, int x) {
  if (d > 0)
    co_return co_await f<M>(d - 1, co_await f<M>(d - 1, x));
  else
    co_return co_await leaf<M>(x);
}

constexpr int DEPTH = 16, CALLS = (2 << DEPTH) - 1 + (1 << DEPTH), CHUNKS = 40;

template <class M> static double time_of(int x) {
  double start = now();
  if (f<M>(DEPTH, x).run() != x + (1 << DEPTH)) abort();
  return (now() - start) / CALLS;
}

int main() {
  double pooled = 1e30, malloced = 1e30;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double x = time_of<Pooled>(k), y = time_of<Malloced>(k);
    if (x < pooled) pooled = x;
    if (y < malloced) malloced = y;
  }
  printf("pooled %.3f\nmalloc %.3f\n", pooled, malloced);
}
