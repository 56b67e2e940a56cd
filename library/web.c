// web.c: <fermata/web.h>. Everything that an activity waits for in a page is an object with a queue
// (runtime/web/objects.h): the wait is over when there is an item, and the activity then takes it.
// So a cancel loses nothing: the item stays for the next one.
#include "library.h"

#include <fermata/web.h>

#include <emscripten.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/web/objects.h"

// ---- errors ----
static void fail(void) throws(struct fm_web_error) {
  struct fm_web_error e;
  fm__web_failure(e.message, sizeof e.message);
  throw e;
}

// The first item is an error, which stays: later calls fail as well.
static void fail_by_item(int id) throws(struct fm_web_error) {
  struct fm_web_error e;
  fm__web_text_to(id, "message", e.message, sizeof e.message);
  throw e;
}

static int made(int id) throws(struct fm_web_error) {
  if (!id)
    fail();
  return id;
}

// ---- waiting ----
// The activity does not wait any more: the wait no longer keeps a deadlock from being reported.
static void leave(void *object) {
  fm__page_hold(-1);
  fm__web_leave((int)(intptr_t)object);
}

EMSCRIPTEN_KEEPALIVE void fm__web_ready(void *k) {
  fm__page_hold(-1);
  fm_complete((fm_completion(int) *)k, 1);
}

// Returns 0 if it cannot wait.
static asyncdirect int wait_for_item(int id, fm_completion(int) * k) {
  if (!fm__web_await_item(id, k)) {
    fm_complete(k, 0);
    return;
  }
  fm__page_hold(1);
  fm_on_cancel(k, leave, (void *)(intptr_t)id);
}

// Returns the kind of the first item, when there is one.
static async int item(int id) throws(struct fm_web_error) {
  while (!fm__web_has_item(id))
    if (!wait_for_item(id))
      fail();
  return fm__web_item(id);
}

static async void value_comes(int id) throws(struct fm_web_error) {
  if (item(id) == FM__WEB_ERROR)
    fail_by_item(id);
}

// ---- elements ----
bool fm_web_text(const char *element, const char *format, ...) {
  va_list list;
  char *text = NULL;
  va_start(list, format);
  int n = vasprintf(&text, format, list);
  va_end(list);
  if (n < 0)
    return false;
  bool found = fm__web_set(element, "text", NULL, text);
  free(text);
  return found;
}

bool fm_web_append(const char *element, const char *html) {
  return fm__web_set(element, "html", NULL, html);
}

bool fm_web_attr(const char *element, const char *name, const char *value) {
  return fm__web_set(element, "attribute", name, value);
}

bool fm_web_class(const char *element, const char *name, bool on) {
  return fm__web_set(element, "class", name, on ? "" : NULL);
}

char *fm_web_value(const char *element) {
  return fm__web_get(element);
}

bool fm_web_set_value(const char *element, const char *value) {
  return fm__web_set(element, "value", NULL, value);
}

// ---- events ----
fm_web_listener fm_web_listen(const char *element, const char *event, int how)
    throws(struct fm_web_error) {
  return (fm_web_listener){ made(fm__web_listen(element, event, how)) };
}

void fm_web_unlisten(fm_web_listener l) {
  fm__web_free(l.fm__id);
}

static fm_web_event take_event(int id) {
  fm_web_event e;
  fm__web_text_to(id, "type", e.type, sizeof e.type);
  fm__web_text_to(id, "key", e.key, sizeof e.key);
  fm__web_text_to(id, "target", e.target, sizeof e.target);
  fm__web_text_to(id, "value", e.value, sizeof e.value);
  e.x = fm__web_number(id, "x");
  e.y = fm__web_number(id, "y");
  e.button = (int)fm__web_number(id, "button");
  e.held = (unsigned)fm__web_number(id, "held");
  e.time = fm__web_number(id, "time");
  fm__web_drop(id);
  return e;
}

async fm_web_event fm_web_next(fm_web_listener l) throws(struct fm_web_error) {
  value_comes(l.fm__id);
  return take_event(l.fm__id);
}

async fm_web_event fm_web_once(const char *element, const char *event)
    throws(struct fm_web_error) {
  fm_web_listener l = fm_web_listen(element, event, 0);
  defer fm_web_unlisten(l);
  return fm_web_next(l);
}

async double fm_web_frame(void) {
  int id = fm__web_frame();
  defer fm__web_free(id);
  while (!fm__web_has_item(id))
    wait_for_item(id);
  return fm__web_number(id, "time");
}

// ---- calls of JavaScript ----
char *fm_web_eval(const char *script) throws(struct fm_web_error) {
  bool failed = false;
  char *text = fm__web_eval(script, &failed);
  if (failed)
    fail();
  return text;
}

async char *fm_web_await(const char *script) throws(struct fm_web_error) {
  int id = fm__web_promise(script);
  defer fm__web_free(id);
  value_comes(id);
  return fm__web_text_of(id, "text");
}

// ---- calls from JavaScript ----
fm_web_port fm_web_open(const char *name) throws(struct fm_web_error) {
  return (fm_web_port){ made(fm__web_port(name)) };
}

void fm_web_shut(fm_web_port p) {
  fm__web_free(p.fm__id);
}

async fm_web_call fm_web_accept(fm_web_port p) throws(struct fm_web_error) {
  value_comes(p.fm__id);
  fm_web_call c = { .fm__id = fm__web_take_call(p.fm__id) };
  c.text = fm__web_text_of(c.fm__id, "text");
  return c;
}

static void answer(fm_web_call *c, const char *text, bool ok) {
  fm__web_answer(c->fm__id, text, ok);
  free(c->text);
  c->text = NULL;
}

void fm_web_answer(fm_web_call *c, const char *text) {
  answer(c, text, true);
}

void fm_web_reject(fm_web_call *c, const char *message) {
  answer(c, message, false);
}

// ---- storage ----
char *fm_web_load(const char *name) throws(struct fm_web_error) {
  bool failed = false;
  char *text = fm__web_stored(name, &failed);
  if (failed)
    fail();
  return text;
}

void fm_web_store(const char *name, const char *text)
    throws(struct fm_web_error) {
  if (!fm__web_store(name, text))
    fail();
}

// ---- requests ----
static const struct fm_web_request get;

async fm_web_response fm_web_fetch(const char *url,
                                   const struct fm_web_request *how)
    throws(struct fm_web_error) {
  const struct fm_web_request *h = how ? how : &get;
  int id = fm__web_fetch(url, h->method, h->headers, h->body, h->size);
  bool came = false;
  defer if (!came) fm__web_free(id);
  value_comes(id);
  fm_web_response r = { id, (int)fm__web_number(id, "status") };
  fm__web_drop(id);
  came = true;
  return r;
}

async size_t fm_web_read(fm_web_response *r, void *buf, size_t n)
    throws(struct fm_web_error) {
  int id = r->fm__id;
  value_comes(id);
  if (fm__web_item(id) == FM__WEB_END)
    return 0;
  size_t got = fm__web_take(id, buf, n);
  if (!fm__web_size(id))
    fm__web_drop(id);
  return got;
}

static char *grown(char *p, size_t n) throws(struct fm_web_error) {
  char *q = realloc(p, n);
  if (!q)
    throw(struct fm_web_error){ "no memory is left" };
  return q;
}

async char *fm_web_read_all(fm_web_response *r, size_t *size)
    throws(struct fm_web_error) {
  char *all = NULL;
  size_t n = 0;
  size_t got;
  bool whole = false;
  defer if (!whole) free(all);
  do {
    value_comes(r->fm__id);
    bool end = fm__web_item(r->fm__id) == FM__WEB_END;
    size_t more = end ? 0 : fm__web_size(r->fm__id);
    all = grown(all, n + more + 1);
    got = more ? fm_web_read(r, all + n, more) : 0;
    n += got;
  } while (got);
  all[n] = '\0';
  if (size)
    *size = n;
  whole = true;
  return all;
}

char *fm_web_header(const fm_web_response *r, const char *name) {
  return fm__web_header(r->fm__id, name);
}

void fm_web_discard(fm_web_response *r) {
  fm__web_free(r->fm__id);
}

// ---- WebSockets ----
async fm_web_socket fm_web_connect(const char *url, const char *protocols)
    throws(struct fm_web_error) {
  int id = fm__web_socket(url, protocols);
  bool connected = false;
  defer if (!connected) fm__web_free(id);
  value_comes(id);
  fm__web_drop(id);
  connected = true;
  return (fm_web_socket){ id };
}

void fm_web_send_text(fm_web_socket s, const char *text)
    throws(struct fm_web_error) {
  if (!fm__web_send(s.fm__id, text, strlen(text), true))
    fail();
}

void fm_web_send(fm_web_socket s, const void *data, size_t n)
    throws(struct fm_web_error) {
  if (!fm__web_send(s.fm__id, data, n, false))
    fail();
}

size_t fm_web_unsent(fm_web_socket s) {
  return (size_t)fm__web_unsent(s.fm__id);
}

void fm_web_close(fm_web_socket s) {
  fm__web_free(s.fm__id);
}

// The end stays in the queue: each later call throws it again.
static void throw_end(int id) throws(struct fm_web_closed) {
  struct fm_web_closed e = { .code = (int)fm__web_number(id, "code") };
  fm__web_text_to(id, "reason", e.reason, sizeof e.reason);
  throw e;
}

static fm_web_message take_message(int id) {
  fm_web_message m = { .size = fm__web_size(id) };
  m.text = fm__web_number(id, "isText") != 0;
  m.data = malloc(m.size + 1);
  if (!m.data)
    abort();
  fm__web_take(id, m.data, m.size);
  m.data[m.size] = '\0';
  fm__web_drop(id);
  return m;
}

async fm_web_message fm_web_receive(fm_web_socket s)
    throws(struct fm_web_closed) {
  int id = s.fm__id;
  try {
    item(id);
  } catch (struct fm_web_error e) {
    struct fm_web_closed closed = { .code = 1006 };
    snprintf(closed.reason, sizeof closed.reason, "%s", e.message);
    throw closed;
  }
  if (fm__web_item(id) == FM__WEB_END)
    throw_end(id);
  return take_message(id);
}
