// objects.c: the objects of objects.h, as JavaScript. An event of the page puts an item into the
// queue of its object; if an activity waits, it is completed, which orders a turn. What nobody has
// taken stays in the queue. Module.fmWeb has what the functions share.
#include "web/objects.h"

#include <emscripten.h>

// clang-format off
EM_JS(void, fm__web_begin, (void), {
  if (Module.fmWeb)
    return;
  const W = Module.fmWeb = { objects: new Map(), last: 0, ports: new Map(), failure: "" };
  W.add = o => {
    o.queue = [];
    o.head = 0;
    o.waiter = 0;
    W.objects.set(++W.last, o);
    return W.last;
  };
  W.wake = o => {
    const k = o.waiter;
    o.waiter = 0;
    if (k)
      _fm__web_ready(k);
  };
  W.put = (o, item) => {
    o.queue.push(item);
    W.wake(o);
  };
  W.first = id => {
    const o = W.objects.get(id);
    return o.queue[o.head];
  };
  W.take = o => {
    const item = o.queue[o.head];
    o.queue[o.head++] = null;
    if (o.head > 1000 && o.head * 2 > o.queue.length) {
      o.queue = o.queue.slice(o.head);
      o.head = 0;
    }
    return item;
  };
  W.message = e => {
    try {
      return String(e && e.message || e);
    } catch (other) {
      return 'an error without a text';
    }
  };
  W.fail = e => {
    W.failure = W.message(e);
    return 0;
  };
  W.error = (o, e) => W.put(o, { kind: 3, message: W.message(e) });
  W.string = s => {
    if (s === null || s === undefined)
      return 0;
    const text = String(s);
    const n = lengthBytesUTF8(text) + 1;
    const p = _malloc(n);
    if (p)
      stringToUTF8(text, p, n);
    return p;
  };
  W.plain = v => v === null || v === undefined ? null : String(v);
  W.find = name => {
    if (typeof document == 'undefined')
      return null;
    if (name == 'window')
      return window;
    return name == 'document' ? document : document.querySelector(name);
  };
  Module.fermata = Module.fermata || {};
  Module.fermata.call = (name, text) => new Promise((resolve, reject) => {
    const port = W.ports.get(name);
    if (!port)
      reject(new Error('no port is called ' + name));
    else
      W.put(port, { kind: 0, text: W.plain(text), resolve: resolve, reject: reject });
  });
});

// ---- making objects ----
EM_JS(int, fm__web_listen_js, (const char *element, const char *event, int how), {
  const W = Module.fmWeb;
  const type = UTF8ToString(event);
  let at;
  try {
    at = W.find(UTF8ToString(element));
  } catch (e) {
    return W.fail(e);
  }
  if (!at)
    return W.fail('there is no element ' + UTF8ToString(element));
  const o = {};
  const hear = e => {
    if (how & 1)
      e.preventDefault();
    if (how & 2)
      o.queue.length = o.head = 0;
    const t = e.target || {};
    W.put(o, { kind: 0, type: e.type, key: e.key, target: t.id, value: t.value, x: e.offsetX,
               y: e.offsetY, button: e.button, time: e.timeStamp,
               held: (e.shiftKey ? 1 : 0) | (e.ctrlKey ? 2 : 0) | (e.altKey ? 4 : 0) |
                     (e.metaKey ? 8 : 0) });
  };
  at.addEventListener(type, hear, { passive: !(how & 1) });
  o.close = () => at.removeEventListener(type, hear);
  return W.add(o);
});

EM_JS(int, fm__web_frame_js, (void), {
  const W = Module.fmWeb;
  const o = {};
  const id = W.add(o);
  if (typeof requestAnimationFrame == 'function') {
    const frame = requestAnimationFrame(time => W.put(o, { kind: 0, time: time }));
    o.close = () => cancelAnimationFrame(frame);
  } else {
    const timer = setTimeout(() => W.put(o, { kind: 0, time: performance.now() }), 16);
    o.close = () => clearTimeout(timer);
  }
  return id;
});

EM_JS(int, fm__web_promise_js, (const char *script), {
  const W = Module.fmWeb;
  const o = {};
  const id = W.add(o);
  try {
    Promise.resolve((0, eval)(UTF8ToString(script)))
      .then(v => W.plain(v))
      .then(v => W.put(o, { kind: 0, text: v }), e => W.error(o, e));
  } catch (e) {
    W.error(o, e);
  }
  return id;
});

EM_JS(int, fm__web_port_js, (const char *name), {
  const W = Module.fmWeb;
  const text = UTF8ToString(name);
  if (W.ports.has(text))
    return W.fail('there is a port ' + text + ' already');
  const o = {};
  W.ports.set(text, o);
  o.close = () => {
    W.ports.delete(text);
    o.queue.slice(o.head).forEach(c => c.reject(new Error('the port ' + text + ' is closed')));
  };
  return W.add(o);
});

EM_JS(int, fm__web_fetch_js, (const char *url, const char *method, const char *headers,
                              const void *body, size_t size), {
  const W = Module.fmWeb;
  const control = new AbortController();
  const o = {};
  const id = W.add(o);
  const how = { signal: control.signal, method: method ? UTF8ToString(method) : 'GET' };
  if (body)
    how.body = HEAPU8.slice(body >>> 0, (body >>> 0) + size);
  if (headers) {
    how.headers = [];
    for (const line of UTF8ToString(headers).split(String.fromCharCode(10))) {
      const colon = line.indexOf(':');
      if (colon > 0)
        how.headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  o.close = () => control.abort();
  o.pull = () => {
    if (!o.reader || o.reading)
      return;
    o.reading = true;
    o.reader.read().then(r => {
      o.reading = false;
      if (r.done)
        W.put(o, { kind: 2 });
      else if (r.value.length)
        W.put(o, { kind: 1, bytes: r.value, at: 0 });
      else
        o.pull();
    }, e => W.error(o, e));
  };
  new Promise(go => go(fetch(UTF8ToString(url), how))).then(r => {
    o.headers = r.headers;
    W.put(o, { kind: 0, status: r.status });
    o.reader = r.body ? r.body.getReader() : { read: () => Promise.resolve({ done: true }) };
  }).catch(e => W.error(o, e));
  return id;
});

EM_JS(int, fm__web_socket_js, (const char *url, const char *protocols), {
  const W = Module.fmWeb;
  const o = {};
  const id = W.add(o);
  try {
    const names = protocols ? UTF8ToString(protocols).split(',').map(p => p.trim()) : [];
    o.socket = new WebSocket(UTF8ToString(url), names);
  } catch (e) {
    W.error(o, e);
    return id;
  }
  const s = o.socket;
  let open = false;
  s.binaryType = 'arraybuffer';
  s.onopen = () => {
    open = true;
    W.put(o, { kind: 0 });
  };
  s.onmessage = e => {
    const text = typeof e.data == 'string';
    const bytes = text ? new TextEncoder().encode(e.data) : new Uint8Array(e.data);
    W.put(o, { kind: 1, bytes: bytes, at: 0, isText: text ? 1 : 0 });
  };
  s.onclose = e => {
    if (open)
      W.put(o, { kind: 2, code: e.code, reason: e.reason });
    else
      W.error(o, 'cannot connect to ' + s.url);
  };
  o.close = () => {
    s.onopen = s.onmessage = s.onclose = null;
    s.close();
  };
  return id;
});

EM_JS(void, fm__web_failure_js, (char *to, size_t n), {
  stringToUTF8(Module.fmWeb.failure, to, n);
});

// ---- their queues ----
EM_JS(int, fm__web_has_js, (int id), {
  const o = Module.fmWeb.objects.get(id);
  return o && o.head < o.queue.length ? 1 : 0;
});

EM_JS(int, fm__web_await_js, (int id, void *k), {
  const o = Module.fmWeb.objects.get(id);
  if (!o)
    return Module.fmWeb.fail('it has been given up');
  if (o.waiter)
    return Module.fmWeb.fail('another activity waits for it');
  o.waiter = k;
  if (o.pull)
    o.pull();
  return 1;
});

EM_JS(void, fm__web_leave_js, (int id), {
  const o = Module.fmWeb.objects.get(id);
  if (o)
    o.waiter = 0;
});

EM_JS(int, fm__web_item_js, (int id), {
  return Module.fmWeb.first(id).kind;
});

EM_JS(void, fm__web_drop_js, (int id), {
  Module.fmWeb.take(Module.fmWeb.objects.get(id));
});

EM_JS(double, fm__web_number_js, (int id, const char *part), {
  return +Module.fmWeb.first(id)[UTF8ToString(part)] || 0;
});

EM_JS(void, fm__web_text_to_js, (int id, const char *part, char *to, size_t n), {
  const v = Module.fmWeb.first(id)[UTF8ToString(part)];
  stringToUTF8(v === undefined || v === null ? "" : String(v), to, n);
});

EM_JS(char *, fm__web_text_of_js, (int id, const char *part), {
  return Module.fmWeb.string(Module.fmWeb.first(id)[UTF8ToString(part)]);
});

EM_JS(size_t, fm__web_size_js, (int id), {
  const item = Module.fmWeb.first(id);
  return item.bytes.length - item.at;
});

EM_JS(size_t, fm__web_take_js, (int id, void *to, size_t n), {
  const item = Module.fmWeb.first(id);
  const part = item.bytes.subarray(item.at, item.at + n);
  HEAPU8.set(part, to >>> 0);
  item.at += part.length;
  return part.length;
});

EM_JS(void, fm__web_free_js, (int id), {
  const W = Module.fmWeb;
  const o = W.objects.get(id);
  if (!o)
    return;
  W.objects.delete(id);
  if (o.close)
    o.close();
  W.wake(o); // finds that it has been given up
});

// ---- calls ----
EM_JS(int, fm__web_call_js, (int id), {
  const W = Module.fmWeb;
  const item = W.take(W.objects.get(id));
  const o = { call: item };
  const call = W.add(o);
  o.queue.push({ kind: 0, text: item.text });
  return call;
});

EM_JS(void, fm__web_answer_js, (int id, const char *text, int ok), {
  const W = Module.fmWeb;
  const o = W.objects.get(id);
  const value = text ? UTF8ToString(text) : undefined;
  if (!o)
    return;
  W.objects.delete(id);
  if (ok)
    o.call.resolve(value);
  else
    o.call.reject(new Error(value));
});

// ---- sockets and answers ----
EM_JS(int, fm__web_send_js, (int id, const void *data, size_t n, int text), {
  const W = Module.fmWeb;
  const o = W.objects.get(id);
  if (!o || !o.socket || o.socket.readyState != 1)
    return W.fail('the socket is not connected');
  o.socket.send(text ? UTF8ToString(data, n) : HEAPU8.slice(data >>> 0, (data >>> 0) + n));
  return 1;
});

EM_JS(double, fm__web_unsent_js, (int id), {
  const o = Module.fmWeb.objects.get(id);
  return o && o.socket ? o.socket.bufferedAmount : 0;
});

EM_JS(char *, fm__web_header_js, (int id, const char *name), {
  const o = Module.fmWeb.objects.get(id);
  return o && o.headers ? Module.fmWeb.string(o.headers.get(UTF8ToString(name))) : 0;
});

// ---- the page ----
EM_JS(int, fm__web_set_js, (const char *element, const char *what, const char *name,
                            const char *value), {
  const n = name ? UTF8ToString(name) : "";
  const v = value ? UTF8ToString(value) : null;
  try {
    const at = Module.fmWeb.find(UTF8ToString(element));
    if (!at)
      return 0;
    switch (UTF8ToString(what)) {
      case 'text': at.textContent = v; break;
      case 'html': at.insertAdjacentHTML('beforeend', v); break;
      case 'value': at.value = v; break;
      case 'class': at.classList.toggle(n, v !== null); break;
      default:
        if (v === null)
          at.removeAttribute(n);
        else
          at.setAttribute(n, v);
    }
    return 1;
  } catch (e) {
    return 0;
  }
});

EM_JS(char *, fm__web_get_js, (const char *element), {
  try {
    const at = Module.fmWeb.find(UTF8ToString(element));
    if (!at)
      return 0;
    return Module.fmWeb.string(typeof at.value == 'string' ? at.value : at.textContent);
  } catch (e) {
    return 0;
  }
});

EM_JS(char *, fm__web_eval_js, (const char *script, bool *failed), {
  try {
    return Module.fmWeb.string((0, eval)(UTF8ToString(script)));
  } catch (e) {
    HEAPU8[failed >>> 0] = 1;
    return Module.fmWeb.fail(e);
  }
});

EM_JS(char *, fm__web_stored_js, (const char *name, bool *failed), {
  try {
    return Module.fmWeb.string(localStorage.getItem(UTF8ToString(name)));
  } catch (e) {
    HEAPU8[failed >>> 0] = 1;
    return Module.fmWeb.fail(e);
  }
});

EM_JS(int, fm__web_store_js, (const char *name, const char *text), {
  try {
    if (text)
      localStorage.setItem(UTF8ToString(name), UTF8ToString(text));
    else
      localStorage.removeItem(UTF8ToString(name));
    return 1;
  } catch (e) {
    return Module.fmWeb.fail(e);
  }
});
// clang-format on

// ---- the same for C; Module.fmWeb is made before the first object ----

int fm__web_listen(const char *element, const char *event, int how) {
  fm__web_begin();
  return fm__web_listen_js(element, event, how);
}

int fm__web_frame(void) {
  fm__web_begin();
  return fm__web_frame_js();
}

int fm__web_promise(const char *script) {
  fm__web_begin();
  return fm__web_promise_js(script);
}

int fm__web_port(const char *name) {
  fm__web_begin();
  return fm__web_port_js(name);
}

int fm__web_fetch(const char *url,
                  const char *method,
                  const char *headers,
                  const void *body,
                  size_t size) {
  fm__web_begin();
  return fm__web_fetch_js(url, method, headers, body, size);
}

int fm__web_socket(const char *url, const char *protocols) {
  fm__web_begin();
  return fm__web_socket_js(url, protocols);
}

void fm__web_failure(char *to, size_t n) {
  fm__web_failure_js(to, n);
}

bool fm__web_has_item(int id) {
  return fm__web_has_js(id);
}

bool fm__web_await_item(int id, void *k) {
  return fm__web_await_js(id, k);
}

void fm__web_leave(int id) {
  fm__web_leave_js(id);
}

int fm__web_item(int id) {
  return fm__web_item_js(id);
}

void fm__web_drop(int id) {
  fm__web_drop_js(id);
}

double fm__web_number(int id, const char *part) {
  return fm__web_number_js(id, part);
}

void fm__web_text_to(int id, const char *part, char *to, size_t n) {
  fm__web_text_to_js(id, part, to, n);
}

char *fm__web_text_of(int id, const char *part) {
  return fm__web_text_of_js(id, part);
}

size_t fm__web_size(int id) {
  return fm__web_size_js(id);
}

size_t fm__web_take(int id, void *to, size_t size) {
  return fm__web_take_js(id, to, size);
}

void fm__web_free(int id) {
  fm__web_free_js(id);
}

int fm__web_take_call(int id) {
  return fm__web_call_js(id);
}

void fm__web_answer(int id, const char *text, bool ok) {
  fm__web_answer_js(id, text, ok);
}

bool fm__web_send(int id, const void *data, size_t n, bool text) {
  return fm__web_send_js(id, data, n, text);
}

double fm__web_unsent(int id) {
  return fm__web_unsent_js(id);
}

char *fm__web_header(int id, const char *name) {
  return fm__web_header_js(id, name);
}

bool fm__web_set(const char *element,
                 const char *what,
                 const char *name,
                 const char *value) {
  fm__web_begin();
  return fm__web_set_js(element, what, name, value);
}

char *fm__web_get(const char *element) {
  fm__web_begin();
  return fm__web_get_js(element);
}

char *fm__web_eval(const char *script, bool *failed) {
  fm__web_begin();
  return fm__web_eval_js(script, failed);
}

char *fm__web_stored(const char *name, bool *failed) {
  fm__web_begin();
  return fm__web_stored_js(name, failed);
}

bool fm__web_store(const char *name, const char *text) {
  fm__web_begin();
  return fm__web_store_js(name, text);
}
