// websocket.c: frames (RFC 6455, sections 5 to 7). What comes has to be masked, what goes is not.
// Text has to be UTF-8. A message is collected from its fragments; control frames may come between
// them.
#include "websocket.h"

#include <fermata/time.h>

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CONTINUED = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { CONTROL_MOST = 125, HEAD_MOST = 10 };

struct frame {
  bool last; // of its message
  int opcode;
  uint64_t size;
  unsigned char mask[4];
};

void websocket_init(struct websocket *w, int fd, fm_reader *in, size_t most, unsigned patience) {
  *w = (struct websocket){
    .fd = fd, .in = in, .most = most, .patience = patience, .heard = fm_now()
  };
  fm_mutex_init(&w->out);
}

// ---- sending ----
static size_t make_head(unsigned char head[HEAD_MOST], int opcode, size_t n) {
  head[0] = (unsigned char)(0x80 | opcode);
  if (n < 126) {
    head[1] = (unsigned char)n;
    return 2;
  }
  size_t bytes = n <= UINT16_MAX ? 2 : 8;
  head[1] = bytes == 2 ? 126 : 127;
  for (size_t i = 0; i < bytes; i++)
    head[2 + i] = (unsigned char)((uint64_t)n >> (8 * (bytes - 1 - i)));
  return 2 + bytes;
}

static async void send_frame(struct websocket *w, int opcode, const char *data, size_t n)
    throws(struct os_error, struct fm_timeout) {
  fm_lock(&w->out);
  defer fm_unlock(&w->out);
  if (w->torn || w->ended)
    return;
  char *whole = malloc(HEAD_MOST + n);
  if (!whole)
    throw(struct os_error){ ENOMEM };
  defer free(whole);
  size_t head = make_head((unsigned char *)whole, opcode, n);
  memcpy(whole + head, data, n);
  w->torn = true;
  fm_within(w->patience, fm_write_all(w->fd, whole, head + n));
  w->torn = false;
}

async void websocket_send(struct websocket *w, const char *text, size_t n)
    throws(struct os_error, struct fm_timeout) {
  send_frame(w, TEXT, text, n);
}

async void websocket_ping(struct websocket *w) throws(struct os_error, struct fm_timeout) {
  send_frame(w, PING, "", 0);
}

async void websocket_end(struct websocket *w, int code, const char *reason)
    throws(struct os_error, struct fm_timeout) {
  char data[CONTROL_MOST];
  size_t n = 0;
  if (code != WS_NO_CODE) {
    n = strnlen(reason, sizeof data - 2) + 2;
    data[0] = (char)(code >> 8);
    data[1] = (char)code;
    memcpy(data + 2, reason, n - 2);
  }
  send_frame(w, CLOSE, data, n);
  w->ended = true;
}

// ---- what comes ----
static void refuse(int code, const char *reason) throws(struct websocket_error) {
  throw(struct websocket_error){ code, reason };
}

static async void take(struct websocket *w, void *to, size_t n) throws(struct os_error) {
  if (fm_reader_exactly(w->in, to, n) < n)
    throw(struct os_error){ ECONNRESET };
}

static void check_frame(const struct frame *f, int bits, bool masked, bool inside)
    throws(struct websocket_error) {
  bool control = f->opcode & 8;
  if (bits)
    refuse(WS_PROTOCOL, "reserved bits are set");
  if (!masked)
    refuse(WS_PROTOCOL, "a frame is not masked");
  if (f->opcode > PONG || (f->opcode > BINARY && !control))
    refuse(WS_PROTOCOL, "unknown kind of frame");
  if (control && (!f->last || f->size > CONTROL_MOST))
    refuse(WS_PROTOCOL, "a control frame is too large or in fragments");
  if (!control && inside != (f->opcode == CONTINUED))
    refuse(WS_PROTOCOL, inside ? "a message begins inside another" : "nothing to continue");
}

static async struct frame take_head(struct websocket *w, bool inside)
    throws(struct os_error, struct websocket_error) {
  unsigned char b[2], more[8] = { 0 };
  take(w, b, 2);
  w->heard = fm_now();
  struct frame f = { .last = b[0] & 0x80, .opcode = b[0] & 15, .size = b[1] & 0x7f };
  size_t bytes = f.size == 126 ? 2 : f.size == 127 ? 8 : 0;
  if (bytes) {
    take(w, more, bytes);
    f.size = 0;
    for (size_t i = 0; i < bytes; i++)
      f.size = f.size << 8 | more[i];
    if (f.size < 126 || (bytes == 8 && (f.size <= UINT16_MAX || f.size >> 63)))
      refuse(WS_PROTOCOL, "a length is not in its shortest form");
  }
  check_frame(&f, b[0] & 0x70, b[1] & 0x80, inside);
  take(w, f.mask, 4);
  return f;
}

static async void take_data(struct websocket *w, const struct frame *f, char *to)
    throws(struct os_error) {
  take(w, to, (size_t)f->size);
  for (size_t i = 0; i < f->size; i++)
    to[i] = (char)(to[i] ^ f->mask[i % 4]);
}

// ---- UTF-8 ----
// The length of the character at s, of which n bytes are there; 0: it is none.
static size_t character(const unsigned char *s, size_t n) {
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  if (s[0] < 0x80)
    return 1;
  size_t length = s[0] >= 0xf8 ? 0 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
  if (length == 0 || length > n)
    return 0;
  uint32_t c = s[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    c = c << 6 | (s[i] & 0x3f);
  }
  bool surrogate = c >= 0xd800 && c < 0xe000;
  return c < least[length] || c > 0x10ffff || surrogate ? 0 : length;
}

static bool is_text(const char *data, size_t n) {
  const unsigned char *s = (const unsigned char *)data;
  for (size_t i = 0, length; i < n; i += length)
    if (!(length = character(s + i, n - i)))
      return false;
  return true;
}

// ---- control frames ----
static bool may_be_sent(int code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

static int code_of_end(const char *data, size_t n) throws(struct websocket_error) {
  if (n == 0)
    return WS_NO_CODE;
  int code = n < 2 ? 0 : (unsigned char)data[0] << 8 | (unsigned char)data[1];
  if (!may_be_sent(code))
    refuse(WS_PROTOCOL, "not a code for an end");
  if (!is_text(data + 2, n - 2))
    refuse(WS_TEXT, "the reason is not UTF-8");
  return code;
}

static async void on_control(struct websocket *w, const struct frame *f)
    throws(struct os_error, struct websocket_error, struct fm_timeout) {
  char data[CONTROL_MOST];
  take_data(w, f, data);
  if (f->opcode == PING)
    send_frame(w, PONG, data, (size_t)f->size);
  if (f->opcode == CLOSE) {
    w->code = code_of_end(data, (size_t)f->size);
    websocket_end(w, w->code, "");
  }
}

// ---- messages ----
static async void add_fragment(struct websocket *w, const struct frame *f, struct message *m)
    throws(struct os_error, struct websocket_error) {
  if (f->size > w->most - m->size)
    refuse(WS_LARGE, "a message is too large");
  char *data = realloc(m->data, m->size + (size_t)f->size + 1);
  if (!data)
    throw(struct os_error){ ENOMEM };
  m->data = data;
  take_data(w, f, data + m->size);
  m->size += (size_t)f->size;
  data[m->size] = '\0';
}

// Until the message is whole. False: the end came.
static async bool collect(struct websocket *w, struct message *m)
    throws(struct os_error, struct websocket_error, struct fm_timeout) {
  for (bool inside = false;;) {
    struct frame f = take_head(w, inside);
    if (f.opcode & 8) {
      on_control(w, &f);
      if (w->code)
        return false;
      continue;
    }
    if (!inside)
      m->text = f.opcode == TEXT;
    inside = true;
    add_fragment(w, &f, m);
    if (f.last)
      break;
  }
  if (m->text && !is_text(m->data, m->size))
    refuse(WS_TEXT, "a text is not UTF-8");
  return true;
}

async bool websocket_receive(struct websocket *w, struct message *m)
    throws(struct os_error, struct websocket_error, struct fm_timeout) {
  bool whole = false;
  *m = (struct message){ 0 };
  defer if (!whole) {
    free(m->data);
    m->data = NULL;
  }
  whole = collect(w, m);
  return whole;
}
