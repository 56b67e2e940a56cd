// web-errors.c: <fermata/web.h> where things go wrong: names that are not valid, refusals, errors
// without a text, connections that are lost, objects that are given up while somebody waits, a
// second waiter, a storage that is full.
// page: <button id="go">Go</button> <p id="text"></p>
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/web.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- elements ----
static void listen(const char *element) {
  try {
    fm_web_listen(element, "click", 0);
    printf("listens\n");
  } catch (struct fm_web_error e) {
    printf("%s\n",
           strstr(e.message, "valid selector") ? "not a valid selector"
                                               : e.message);
  }
}

static void elements(void) {
  char *none = fm_web_value("<<");
  printf("%d %d\n", fm_web_text("p[", "x"), none != NULL);  // expect: 0 0
  printf("%d\n", fm_web_attr("#text", "not a name", "x"));  // expect: 0
  printf("%d\n", fm_web_class("#text", "two words", true)); // expect: 0
  printf("%d\n", fm_web_attr("document", "title", "x"));    // expect: 0
  free(none);
  listen("p[");      // expect: not a valid selector
  listen("#nobody"); // expect: there is no element #nobody
}

// ---- JavaScript ----
static async void ask(const char *script) {
  try {
    char *text = fm_web_await(script);
    printf("%s\n", text ? text : "nothing");
    free(text);
  } catch (struct fm_web_error e) {
    printf("error: %s\n", e.message);
  }
}

static async void promises(void) {
  ask("Promise.reject(7)");                   // expect: error: 7
  ask("Promise.reject()");                    // expect: error: undefined
  ask("Promise.reject(Symbol('s'))");         // expect: error: Symbol(s)
  ask("Promise.reject(Object.create(null))"); // expect: error: an error without a text
  ask("Promise.resolve(Object.create(null))");
  // expect: error: Cannot convert object to primitive value
  ask("(() => { throw 'text'; })()");       // expect: error: text
  ask("Promise.resolve(null)");             // expect: nothing
  ask("Module.fermata.call('nobody', '')"); // expect: error: no port is called nobody
}

// ---- listeners ----
static async void next(fm_web_listener l, const char *who) {
  try {
    fm_web_next(l);
    printf("%s: an event\n", who);
  } catch (struct fm_web_error e) {
    printf("%s: %s\n", who, e.message);
  }
}

static async void waiters(void) {
  try {
    fm_web_listener l = fm_web_listen("#go", "click", 0);
    auto first = spawn next(l, "first");
    yield;
    next(l, "second"); // expect: second: another activity waits for it
    fm_web_unlisten(l);
    await first;      // expect: first: it has been given up
    next(l, "third"); // expect: third: it has been given up
    l = fm_web_listen("#go", "click", 0);
    race {
    case next(l, "never"):
      break;
    case fm_sleep(5):
      break;
    }
    free(fm_web_eval("document.querySelector('#go').click()"));
    next(l, "after a cancel"); // expect: after a cancel: an event
    fm_web_unlisten(l);
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
  }
}

// 10^5 events wait in the queue; all come, in order.
static async void many(void) {
  enum { EVENTS = 100000 };
  try {
    fm_web_listener l = fm_web_listen("#go", "count", 0);
    double last = -1;
    int n = 0;
    free(fm_web_eval("for (let i = 0; i < 100000; i++) {"
                     "  const e = new Event('count');"
                     "  e.offsetX = i;"
                     "  document.querySelector('#go').dispatchEvent(e);"
                     "}"));
    for (; n < EVENTS; n++) {
      fm_web_event e = fm_web_next(l);
      if (e.x != last + 1)
        break;
      last = e.x;
    }
    printf("%d events\n", n); // expect: 100000 events
    fm_web_unlisten(l);
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
  }
}

// ---- requests ----
static async void get(const char *url) {
  try {
    fm_web_response r = fm_web_fetch(url, NULL);
    defer fm_web_discard(&r);
    printf("%d\n", r.status);
    free(fm_web_read_all(&r, NULL));
    printf("all of it\n");
  } catch (struct fm_web_error e) {
    printf("error: %s\n", e.message);
  }
}

static async void read_some(fm_web_response *r) {
  char piece[100];
  try {
    while (fm_web_read(r, piece, sizeof piece))
      continue;
  } catch (struct fm_web_error e) {
    printf("error: %s\n", e.message);
  }
}

static async void requests(void) {
  get("nowhere");             // expect: 404
                              // expect: all of it
  get("data/cut");            // expect: 200
                              // expect: error: network error
  get("http://127.0.0.1:1/"); // expect: error: Failed to fetch
  try {
    const struct fm_web_request bad = { .headers = "not a name: x" };
    fm_web_fetch("data/echo", &bad);
  } catch (struct fm_web_error e) {
    printf("%d\n", strstr(e.message, "fetch") != NULL); // expect: 1
  }
  try {
    fm_web_response r = fm_web_fetch("data/never", NULL);
    auto reader = spawn read_some(&r);
    fm_sleep(30);
    fm_web_discard(&r);
    await reader; // expect: error: it has been given up
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
  }
}

// ---- WebSockets ----
static async void receive(fm_web_socket s) {
  try {
    fm_web_message m = fm_web_receive(s);
    printf("%.*s\n", (int)m.size, m.data);
    free(m.data);
  } catch (struct fm_web_closed e) {
    printf("closed: %d%s%s\n", e.code, *e.reason ? " " : "", e.reason);
  }
}

static async void sockets(const char *url) {
  try {
    fm_web_socket s = fm_web_connect(url, NULL);
    fm_web_send_text(s, "one");
    fm_web_send_text(s, "drop");
    receive(s); // expect: one
    receive(s); // expect: closed: 1006
    receive(s); // expect: closed: 1006
    try {
      fm_web_send_text(s, "two");
    } catch (struct fm_web_error e) {
      printf("%s\n", e.message); // expect: the socket is not connected
    }
    fm_web_close(s);
    s = fm_web_connect(url, NULL);
    auto waits = spawn receive(s);
    yield;
    fm_web_close(s);
    await waits; // expect: closed: 1006 it has been given up
    fm_web_connect("ws://127.0.0.1:99999/", NULL);
  } catch (struct fm_web_error e) {
    printf("%d\n", strstr(e.message, "URL") != NULL); // expect: 1
  }
}

// ---- ports ----
static async void accept(fm_web_port p) {
  try {
    fm_web_call c = fm_web_accept(p);
    printf("%s\n", c.text);
    fm_web_answer(&c, NULL);
  } catch (struct fm_web_error e) {
    printf("port: %s\n", e.message);
  }
}

static async void ports(void) {
  try {
    fm_web_port p = fm_web_open("a");
    try {
      fm_web_open("a");
    } catch (struct fm_web_error e) {
      printf("%s\n", e.message); // expect: there is a port a already
    }
    auto waits = spawn accept(p);
    yield;
    fm_web_shut(p);
    await waits; // expect: port: it has been given up
    p = fm_web_open("a");
    auto caller = spawn ask("Module.fermata.call('a', 'x')");
    yield;
    fm_web_shut(p);
    await caller; // expect: error: the port a is closed
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
  }
}

// ---- storage ----
static void storage(void) {
  try {
    char *text = malloc(20 << 20);
    if (!text)
      return;
    memset(text, 'x', (20 << 20) - 1);
    text[(20 << 20) - 1] = '\0';
    defer free(text);
    fm_web_store("much", text);
    printf("stored\n");
  } catch (struct fm_web_error e) {
    printf("%d\n", strstr(e.message, "quota") != NULL); // expect: 1
  }
}

async int main(void) {
  elements();
  promises();
  waiters();
  many();
  requests();
  char *url = NULL;
  try {
    url = fm_web_eval("'ws://' + location.host + '/echo'");
  } catch (struct fm_web_error e) {
    printf("%s\n", e.message);
  }
  sockets(url);
  free(url);
  ports();
  storage();
  printf("end\n"); // expect: end
  return 0;
}
