// events.c: the web server by hand in callbacks, on libuv. What a thread would keep on its stack (how far it is, what is open)
// is in struct connection; the order in which things happen is in who registers which callback.
//
//   on_connection → on_read ⟲ → serve → answer ─ in memory ───────────────────────────────→ on_written → answered → on_read …
//                                              └ on_opened → on_stat → on_piece ⟲ on_written ┘           └ linger → on_read ⟲ → on_closed
#define _GNU_SOURCE
#include "http.h"
#include "site.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

struct sending {                                  // while an answer takes longer than one system call
  uv_write_t write;
  uv_fs_t fs;
  struct answer answer;
  struct pieces pieces;
  int file;                                       // -1: none is open
  int64_t at;                                     // how much of it has been read
  size_t used;                                    // bytes in the buffer that are to be sent
  bool broken;                                    // the connection ends as soon as nothing is under way
  char buffer[HTTP_ROOM + HTTP_CHUNK];
};

struct connection {
  uv_tcp_t socket;
  uv_timer_t timer;
  struct connection *next, **link;                // the list of all
  struct sending *sending;                        // NULL: a request is awaited, or bytes are thrown away
  bool lingers, closing;
  bool unread, ended;                             // reading has been stopped; the client will send no more
  char handles;                                   // that are not yet closed: 2, 1
  struct http http;
};

static struct options options;
static struct connection *connections;
static uv_loop_t *loop;
static uv_tcp_t listener;
static uv_signal_t signals[2];
static uv_timer_t grace;
static bool stopping;
static char input[65536];                         // all connections read into this; nothing of it is kept

static void serve(struct connection *c);
static void next_piece(struct connection *c);
static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer);

// ---- the end of a connection ----
static void free_sending(struct connection *c) {
  struct sending *s = c->sending;
  if (!s) return;
  uv_fs_t close;
  if (s->file >= 0) uv_fs_close(loop, &close, s->file, NULL);
  answer_free(&s->answer);
  free(s);
  c->sending = NULL;
}

static void on_closed(uv_handle_t *handle) {
  struct connection *c = handle->data;
  if (--c->handles) return;
  *c->link = c->next;
  if (c->next) c->next->link = c->link;
  http_end(&c->http);
  free_sending(c);
  free(c);
}

static void end(struct connection *c) {
  if (c->closing) return;
  c->closing = true;
  uv_close((uv_handle_t *)&c->timer, on_closed);
  uv_close((uv_handle_t *)&c->socket, on_closed);
}

// A file operation cannot be called back: its callback ends the connection then.
static void abandon(struct connection *c) {
  if (c->sending && c->sending->fs.data) c->sending->broken = true;
  else end(c);
}

static void linger(struct connection *c) {
  uv_os_fd_t fd;
  c->lingers = true;
  if (!uv_fileno((uv_handle_t *)&c->socket, &fd)) shutdown(fd, SHUT_WR);
}

// ---- time ----
static void on_timer(uv_timer_t *timer) {
  struct connection *c = timer->data;
  if (c->lingers || c->sending || http_idle(&c->http)) { abandon(c); return; }
  http_late(&c->http);
  serve(c);
}

static void limit(struct connection *c) {
  uv_timer_start(&c->timer, on_timer, options.patience, 0);
}

// ---- reading ----
static void on_alloc(uv_handle_t *handle, size_t want, uv_buf_t *buffer) {
  (void)handle, (void)want;
  *buffer = uv_buf_init(input, sizeof input);
}

static void start_reading(struct connection *c) {
  c->unread = false;
  uv_read_start((uv_stream_t *)&c->socket, on_alloc, on_read);
}

// The answer is sent. True: the next request is there already; otherwise waits for one, or takes leave.
static bool answered(struct connection *c) {
  limit(c);
  if (!http_goes_on(&c->http)) linger(c);
  else if (http_next(&c->http) == HTTP_READY) return true;
  if (c->ended) end(c);
  else if (c->unread) start_reading(c);
  return false;
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer) {
  struct connection *c = stream->data;
  if (n == 0 || (n > 0 && c->lingers)) return;
  if (n == UV_EOF && c->sending) { c->ended = true; return; } // it may still listen
  if (n < 0) { abandon(c); return; }
  if (c->sending) {                               // more requests while one is answered: no more of them for now
    uv_read_stop(stream);
    c->unread = true;
    if (!http_keep(&c->http, buffer->base, (size_t)n)) abandon(c);
  } else if (http_feed(&c->http, buffer->base, (size_t)n) == HTTP_READY) {
    serve(c);
  }
}

// ---- sending ----
static void sent(struct connection *c) {
  struct sending *s = c->sending;
  if (s->answer.file && s->answer.size) { next_piece(c); return; }
  free_sending(c);
  if (answered(c)) serve(c);
}

static void on_written(uv_write_t *write, int status) {
  struct connection *c = write->data;
  if (c->closing) return;
  if (status < 0) end(c);
  else sent(c);
}

static void write_pieces(struct connection *c) {
  struct sending *s = c->sending;
  uv_buf_t parts[2];
  unsigned n = 0;
  for (int i = s->pieces.first; i < 2; i++)
    if (s->pieces.part[i].iov_len) parts[n++] = uv_buf_init(s->pieces.part[i].iov_base, (unsigned)s->pieces.part[i].iov_len);
  s->write.data = c;
  limit(c);
  if (uv_write(&s->write, (uv_stream_t *)&c->socket, parts, n, on_written)) end(c);
}

static struct sending *new_sending(struct connection *c, const struct answer *a) {
  struct sending *s = malloc(sizeof *s);
  if (!s) return NULL;
  s->answer = *a;
  s->file = -1;
  s->at = 0;
  s->used = 0;
  s->broken = false;
  s->fs.data = NULL;
  return c->sending = s;
}

// Not all went out at once.
static void send_later(struct connection *c) {
  struct answer none = { 0 };
  struct sending *s = new_sending(c, &none);
  if (!s) { end(c); return; }
  s->pieces = c->http.left->pieces;
  write_pieces(c);
}

// ---- files ----
// A file operation has ended: what it gave. The connection may have ended meanwhile: then *c is NULL.
static int64_t result_of(uv_fs_t *fs, struct connection **c) {
  int64_t result = fs->result;
  *c = fs->data;
  uv_fs_req_cleanup(fs);
  fs->data = NULL;
  if (!(*c)->sending->broken) return result;
  if (fs->fs_type == UV_FS_OPEN && result >= 0) (*c)->sending->file = (int)result;
  end(*c);
  *c = NULL;
  return result;
}

static void send_found(struct connection *c, const uv_stat_t *found, int err) {
  struct sending *s = c->sending;
  struct stat st;
  if (found) {
    st.st_mode = (mode_t)found->st_mode;
    st.st_size = (off_t)found->st_size;
  }
  answer_found(&s->answer, found ? &st : NULL, err);
  s->used = answer_format(&c->http, &s->answer, s->buffer);
  next_piece(c);
}

static void on_stat(uv_fs_t *fs) {
  uv_stat_t st = fs->statbuf;
  struct connection *c;
  int64_t result = result_of(fs, &c);
  if (c) send_found(c, result < 0 ? NULL : &st, (int)-result);
}

static void on_opened(uv_fs_t *fs) {
  struct connection *c;
  int64_t result = result_of(fs, &c);
  if (!c) return;
  if (result < 0) { send_found(c, NULL, (int)-result); return; }
  struct sending *s = c->sending;
  s->file = (int)result;
  s->fs.data = c;
  uv_fs_fstat(loop, &s->fs, s->file, on_stat);
}

static void unavailable(struct connection *c) {
  int socket = -1;
  uv_fileno((uv_handle_t *)&c->socket, &socket);
  if (http_unavailable(&c->http, socket) == HTTP_SENT) answered(c);
  else end(c);
}

static void open_file(struct connection *c) {
  struct answer a = http_answer(&c->http);
  struct sending *s = a.file ? new_sending(c, &a) : NULL;
  if (!s) {
    answer_free(&a);
    unavailable(c);
    return;
  }
  s->fs.data = c;
  // A fifo without writer must not hold a thread of the pool up.
  uv_fs_open(loop, &s->fs, a.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, on_opened);
}

static void send_buffer(struct connection *c) {
  struct sending *s = c->sending;
  s->pieces = (struct pieces){ .part = { { s->buffer, s->used } } };
  s->used = 0;
  write_pieces(c);
}

static void on_piece(uv_fs_t *fs) {
  struct connection *c;
  int64_t n = result_of(fs, &c);
  if (!c) return;
  if (n <= 0) { end(c); return; }                 // it has become shorter than we said: only closing tells
  struct sending *s = c->sending;
  s->at += n;
  s->used += (size_t)n;
  s->answer.size -= (size_t)n;
  send_buffer(c);
}

static void next_piece(struct connection *c) {
  struct sending *s = c->sending;
  size_t want = s->answer.size < HTTP_CHUNK ? s->answer.size : HTTP_CHUNK;
  if (!s->answer.file || !want) { send_buffer(c); return; }
  uv_buf_t room = uv_buf_init(s->buffer + s->used, (unsigned)want);
  s->fs.data = c;
  uv_fs_read(loop, &s->fs, s->file, &room, 1, s->at, on_piece);
}

// True: all of it is sent.
static bool answer(struct connection *c) {
  uv_os_fd_t fd;
  enum http_sent s = uv_fileno((uv_handle_t *)&c->socket, &fd) ? HTTP_BROKEN : http_reply(&c->http, fd);
  if (s == HTTP_BROKEN) end(c);
  if (s == HTTP_LEFT) send_later(c);
  if (s == HTTP_FILE) open_file(c);
  return s == HTTP_SENT;
}

// A loop, since one callback for each of a thousand requests in one piece would fill the stack.
static void serve(struct connection *c) {
  while (answer(c) && answered(c)) {}
}

// ---- connections ----
static void begin(struct connection *c) {
  http_begin(&c->http);
  uv_tcp_init(loop, &c->socket);
  uv_timer_init(loop, &c->timer);
  c->socket.data = c->timer.data = c;
  c->handles = 2;
  c->next = connections;
  c->link = &connections;
  if (c->next) c->next->link = &c->next;
  connections = c;
}

static void on_connection(uv_stream_t *server, int status) {
  struct connection *c = status < 0 ? NULL : calloc(1, sizeof *c);
  if (!c) return;
  begin(c);
  if (uv_accept(server, (uv_stream_t *)&c->socket)) { end(c); return; }
  limit(c);
  start_reading(c);
}

// ---- the server ----
static void on_grace(uv_timer_t *timer) {
  (void)timer;
  for (struct connection *c = connections; c; c = c->next) abandon(c);
}

static void on_signal(uv_signal_t *signal, int number) {
  (void)signal, (void)number;
  if (stopping) return;
  stopping = true;
  http_stopping();
  uv_close((uv_handle_t *)&listener, NULL);
  for (struct connection *c = connections; c; c = c->next)
    if (!c->sending && !c->lingers && http_idle(&c->http)) end(c);
  uv_timer_start(&grace, on_grace, options.grace, 0);
  uv_unref((uv_handle_t *)&grace);                // when all connections have ended, the loop does
}

static void open_listener(void) {
  struct sockaddr_in address;
  int size = sizeof address;
  uv_ip4_addr("127.0.0.1", atoi(options.port), &address);
  uv_tcp_init(loop, &listener);
  if (uv_tcp_bind(&listener, (struct sockaddr *)&address, 0) || uv_listen((uv_stream_t *)&listener, 1024, on_connection) ||
      uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &size)) {
    perror("listen");
    exit(1);
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
}

static void watch_signal(uv_signal_t *signal, int number) {
  uv_signal_init(loop, signal);
  uv_signal_start(signal, on_signal, number);
  uv_unref((uv_handle_t *)signal);
}

int main(int argc, char **argv) {
  options = options_read(argc, argv);
  site_open(&options);
  signal(SIGPIPE, SIG_IGN);
  loop = uv_default_loop();
  watch_signal(&signals[0], SIGTERM);
  watch_signal(&signals[1], SIGINT);
  uv_timer_init(loop, &grace);
  open_listener();
  uv_run(loop, UV_RUN_DEFAULT);
  site_close();
  return 0;
}
