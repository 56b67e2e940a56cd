// cpp20.hpp: the peer: C++20 coroutines with a pooled allocator and a hand-written single-thread scheduler. It keeps no tree,
// no handles that are checked, no errno, no report of deadlocks: the least that a scheduler of stackless tasks can do.
#pragma once
#include "clock.h"
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

// ---- frames: free lists by size, in chunks ----
struct Pool {
  enum : size_t { CLASSES = 257 };                // up to 4 KB
  struct Block { Block *next; };
  Block *free_[CLASSES] = {};
  char *at = nullptr, *end = nullptr;
  void *take(size_t n) {
    size_t k = (n + 15) / 16;
    if (k >= CLASSES) return malloc(n);
    if (Block *b = free_[k]) { free_[k] = b->next; return b; }
    if (size_t(end - at) < k * 16) { at = (char *)malloc(256 << 10); end = at + (256 << 10); }
    void *p = at;
    at += k * 16;
    return p;
  }
  void give(void *p, size_t n) {
    size_t k = (n + 15) / 16;
    if (k >= CLASSES) { free(p); return; }
    Block *b = (Block *)p;
    b->next = free_[k];
    free_[k] = b;
  }
};
#ifndef PER_THREAD
#  define PER_THREAD                              // a program with threads has one of each for each thread
#endif
inline PER_THREAD Pool pool;

// ---- the ready queue: intrusive, first in, first out ----
struct Promise;
using Handle = std::coroutine_handle<Promise>;
struct Queue {
  Promise *head = nullptr, *tail = nullptr;
  inline void push(Promise *p);
  inline Promise *pop();
};
inline PER_THREAD Queue queue;

struct Promise {
  Promise *link = nullptr;
  Promise *waiter = nullptr;
  int value = 0;
  bool ended = false;
  static void *operator new(size_t n) { return pool.take(n); }
  static void operator delete(void *p, size_t n) { pool.give(p, n); }
  Handle handle() { return Handle::from_promise(*this); }
  struct Task get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  struct Final {
    bool await_ready() noexcept { return false; }
    void await_suspend(Handle h) noexcept {
      Promise &p = h.promise();
      p.ended = true;
      if (p.waiter) queue.push(p.waiter);
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
  void return_value(int v) { value = v; }
  void unhandled_exception() { abort(); }
};
inline void Queue::push(Promise *p) {
  p->link = nullptr;
  if (head) tail->link = p; else head = p;
  tail = p;
}
inline Promise *Queue::pop() {
  Promise *p = head;
  if (p) head = p->link;
  return p;
}

struct Task {                                     // await gives its result and frees it
  using promise_type = Promise;
  Promise *p;
  bool await_ready() { return p->ended; }
  void await_suspend(Handle h) { p->waiter = &h.promise(); }
  int await_resume() { int v = p->value; p->handle().destroy(); return v; }
};
inline Task Promise::get_return_object() { return { this }; }

inline Task spawn(Task t) { queue.push(t.p); return t; }

struct Yield {
  bool await_ready() { return false; }
  void await_suspend(Handle h) { queue.push(&h.promise()); }
  void await_resume() {}
};

inline int run(Task t) {
  queue.push(t.p);
  while (Promise *p = queue.pop()) p->handle().resume();
  int v = t.p->value;
  t.p->handle().destroy();
  return v;
}
