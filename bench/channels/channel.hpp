// channel.hpp: a channel over C++20 coroutines: a ring and two lists of coroutines that wait, hand-over included; it cannot be closed,
// and no wait can be cancelled.
#pragma once
#include "../cpp20.hpp"

struct Channel {
  struct Wait { Promise *who; int *value; Wait *next; };
  struct List {
    Wait *head = nullptr, *tail = nullptr;
    void push(Wait *w) {
      w->next = nullptr;
      if (head) tail->next = w; else head = w;
      tail = w;
    }
    Wait *pop() {
      Wait *w = head;
      if (w) head = w->next;
      return w;
    }
  };
  List receivers, senders;
  int *ring = nullptr;
  size_t cap, head = 0, count = 0;
  explicit Channel(size_t n = 0) : cap(n) { if (n) ring = new int[n]; }
  ~Channel() { delete[] ring; }
  Channel(const Channel &) = delete;

  bool try_send(int v) {
    if (Wait *w = receivers.pop()) { *w->value = v; queue.push(w->who); return true; }
    if (count == cap) return false;
    ring[(head + count++) & (cap - 1)] = v;
    return true;
  }
  bool try_recv(int *v) {
    if (count) {
      *v = ring[head++ & (cap - 1)];
      count--;
      if (Wait *w = senders.pop()) { ring[(head + count++) & (cap - 1)] = *w->value; queue.push(w->who); }
      return true;
    }
    if (Wait *w = senders.pop()) { *v = *w->value; queue.push(w->who); return true; }
    return false;
  }
  struct Send {
    Channel *c;
    int v;
    Wait w;
    bool await_ready() { return c->try_send(v); }
    void await_suspend(Handle h) { w = { &h.promise(), &v, nullptr }; c->senders.push(&w); }
    void await_resume() {}
  };
  struct Recv {
    Channel *c;
    int v;
    Wait w;
    bool await_ready() { return c->try_recv(&v); }
    void await_suspend(Handle h) { w = { &h.promise(), &v, nullptr }; c->receivers.push(&w); }
    int await_resume() { return v; }
  };
  Send send(int v) { return { this, v, {} }; }
  Recv recv() { return { this, 0, {} }; }
};
