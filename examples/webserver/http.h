// http.h: all of HTTP that does not wait. A server hands over the bytes that it has read, and gets requests to answer; it
// asks what the answer is, and sends that. How it waits (threads, activities, callbacks) is its own affair.
//
//   http_begin → http_feed ─ HTTP_MORE → read, http_feed … (or both in one: http_receive)
//                          ─ HTTP_READY → http_reply; then, if http_goes_on, http_next, which is as http_feed
//
//   http_reply ─ HTTP_SENT
//              ─ HTTP_LEFT → wait until the socket takes more, http_send_left …
//              ─ HTTP_FILE → http_answer, open, answer_found, answer_format, send, answer_free
#ifndef HTTP_H
#define HTTP_H

#include "syntax.h"

#include <llhttp/llhttp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum {
  HTTP_MAX_URL = 4096,                            // longer: 414
  HTTP_MAX_HEAD = 16384,                          // names and values of all header fields; more: 431
  HTTP_MAX_BODY = 65536,                          // of a request, which is thrown away; more: 413
  HTTP_MAX_REQUEST = 2 * (HTTP_MAX_HEAD + HTTP_MAX_BODY), // all its bytes, however they are wrapped
  HTTP_MAX_LOCATION = 2048,                       // of a redirection; longer: 404
  HTTP_SMALL = 1024,                              // bodies up to this are sent together with the head, in one piece
  HTTP_ROOM = 512 + HTTP_MAX_LOCATION + HTTP_SMALL, // what the head of any answer needs, with a small body
  HTTP_INPUT = 16384,                             // so much is read at once
  HTTP_CHUNK = 65536,                             // files are sent in pieces of this size
};

enum http_state { HTTP_MORE, HTTP_READY, HTTP_GONE };
enum http_sent { HTTP_SENT, HTTP_LEFT, HTTP_FILE, HTTP_BROKEN };

struct http {                                     // one connection; about 250 bytes, so that an idle one is cheap
  llhttp_t parser;
  const char *url;                                // the target so far: in the bytes being fed, or owned
  char *rest;                                     // malloc'd: bytes behind the request that is being answered, or NULL
  size_t rest_size, rest_at;                      // rest_at: the first that has not been looked at
  struct left *left;                              // malloc'd: of an answer, what the socket did not take at once, or NULL
  unsigned url_size, head_size, size;             // of the request so far; size: all its bytes
  unsigned short status;                          // what is wrong with it; 0: nothing
  unsigned char hosts, host, name_size;           // hosts: how many fields of that name; host: see host_scan
  char name[18];                                  // the name of the header field being read, in lower case
  struct head_scan scan;
  struct connection_scan connection;
  struct body body;
  bool url_owned, headed, expects, close;         // headed: its head is whole; close: the connection ends with this answer
  bool coded;                                     // it has a Transfer-Encoding
  bool plain;                                     // the target is the path of a page or file as it stands, behind the slash
  bool drained;                                   // the last http_receive has taken all there was
};

struct answer {
  int status;
  bool head_only;                                 // asked for by HEAD
  const char *type;
  const char *body;                               // in memory
  size_t size;                                    // of the body, wherever it is
  char *file;                                     // not NULL: the body is this file, to be opened: see answer_found
  char *location;                                 // of a redirection
};

void http_begin(struct http *h);
void http_end(struct http *h);
bool http_idle(const struct http *h);             // no byte of a next request has come
enum http_state http_feed(struct http *h, const char *data, size_t n);
// One recv, and http_feed. HTTP_MORE also if nothing has come; HTTP_GONE: nothing will.
enum http_state http_receive(struct http *h, int socket);
enum http_state http_next(struct http *h);        // after an answer: looks at what has come meanwhile
bool http_keep(struct http *h, const char *data, size_t n); // bytes for later, come while an answer is sent; false: no memory
void http_late(struct http *h);                   // the time is over: makes a request of what has come, which gets a 408
bool http_goes_on(const struct http *h);          // after an answer: the connection stays
void http_stopping(void);                         // from now on every answer is the last of its connection

// Answers with a page from memory, as far as the socket takes it at once; if the answer is a file, does nothing.
enum http_sent http_reply(struct http *h, int socket);
enum http_sent http_unavailable(struct http *h, int socket); // there is no memory for the answer: it is a 503, and the last
enum http_sent http_send_left(struct http *h, int socket); // HTTP_LEFT: the socket takes no more now

struct answer http_answer(struct http *h);
// A file was asked for and opened: st is what it is, or NULL if that failed, with err. Fills in the rest; afterwards, if a.file
// is still set, the body is in the open file.
void answer_found(struct answer *a, const struct stat *st, int err);
// The head, and a small body behind it: its size. `to` has HTTP_ROOM bytes.
size_t answer_format(const struct http *h, struct answer *a, char *to);
void answer_free(struct answer *a);

// Pieces that are left to send; the first `sent` bytes are gone.
struct pieces { struct iovec part[2]; int first; };
struct pieces pieces_of(const char *head, size_t head_size, const struct answer *a);
bool pieces_sent(struct pieces *p, size_t sent);  // true: all are
struct left { struct pieces pieces; char head[]; };
struct left *http_leave(struct http *h, const struct pieces *p); // what is left, the head copied; NULL: no memory
// One sendmsg of what is left. 1: all is sent; 0: the socket takes no more now; -1: the connection is broken.
int pieces_send(int socket, struct pieces *p);

#endif
