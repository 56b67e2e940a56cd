// http.h: the part of HTTP/1.1 that a page and the handshake of a WebSocket need: GET and HEAD,
// connections that stay, limits, and files that are read once, at the start.
#ifndef HTTP_H
#define HTTP_H

#include <fermata.h>
#include <fermata/io.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request {
  char method[16];
  char path[1024]; // without the query
  char *query;     // in `path`, after its end; "": there is none
  char host[256], origin[256];
  char key[64], version[16], protocols[256]; // of a WebSocket
  bool upgrade;                              // to a WebSocket
  bool connection_upgrade;                   // the header Connection says so too
  bool keep;                                 // the connection stays after the answer
};

struct answer {
  int status;
  const char *type;    // NULL: no body
  const char *headers; // lines with "\r\n", or NULL
  const char *body;
  size_t size;
};

struct file {
  char *name; // "index.html"
  const char *type;
  char *data;
  size_t size;
  struct file *next;
};

// Reads the head of the next request. Returns 0; -1: the other side has gone; or the status of the
// answer that is due, after which the connection ends.
async int http_take(fm_reader *in, struct request *r) throws(struct os_error);
// Sends an answer; of a HEAD the head only.
async void http_send(int fd, const struct request *r, const struct answer *a)
    throws(struct os_error);
// The value of a name in the query; fallback: it has none.
int64_t http_number(const struct request *r, const char *name, int64_t fallback);

// Reads all files of a directory. Returns NULL if there is none, or with errno.
struct file *http_load(const char *directory);
void http_free(struct file *files);
// The file of a path: "/" is index.html. NULL: there is none.
const struct file *http_find(const struct file *files, const char *path);

#endif
