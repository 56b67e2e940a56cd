// websocket.h: the server's side of a WebSocket (RFC 6455), over a connected socket whose handshake
// is done: messages of any number of fragments, pings, the handshake at the end.
//
// One activity receives. Any number may send: each frame is written whole, one after the other.
#ifndef WEBSOCKET_H
#define WEBSOCKET_H

#include <fermata.h>
#include <fermata/io.h>
#include <fermata/sync.h>

#include <stdbool.h>
#include <stddef.h>

enum { // codes of an end
  WS_NORMAL = 1000,
  WS_AWAY = 1001,
  WS_PROTOCOL = 1002,
  WS_NO_CODE = 1005,
  WS_TEXT = 1007,
  WS_POLICY = 1008,
  WS_LARGE = 1009,
};

struct websocket {
  int fd;
  fm_reader *in;     // over fd
  size_t most;       // bytes of a message; a longer one ends the connection
  unsigned patience; // ms that the other side may take to let a frame through
  fm_mutex out;      // held while a frame is written
  bool torn;         // a frame was begun and not ended: no other may follow
  bool ended;        // the frame of the end has been sent
  uint64_t heard;    // when the last frame came, as fm_now has it
  int code;          // why the other side has ended it; 0: it has not
};

// The other side does what it must not, or what this server does not want.
struct websocket_error {
  int code;
  const char *reason;
};

struct message {
  char *data;  // the caller's to free; a 0 follows the last byte
  size_t size; // bytes
  bool text;
};

void websocket_init(struct websocket *w, int fd, fm_reader *in, size_t most, unsigned patience);
// Waits for the next message, and answers pings on the way. Returns false when the other side has
// ended the connection: w->code is the reason, and the answer has been sent.
async bool websocket_receive(struct websocket *w, struct message *m)
    throws(struct os_error, struct websocket_error, struct fm_timeout);
// Sends a message of text. Throws fm_timeout if the other side does not take it in time.
async void websocket_send(struct websocket *w, const char *text, size_t n)
    throws(struct os_error, struct fm_timeout);
async void websocket_ping(struct websocket *w) throws(struct os_error, struct fm_timeout);
// Sends the frame of the end, unless it has been sent, or a frame has been torn.
async void websocket_end(struct websocket *w, int code, const char *reason)
    throws(struct os_error, struct fm_timeout);

#endif
