// web.h: the page in which a program for WebAssembly runs: events, frames, fetch, WebSockets,
// promises, storage, and the page's elements (docs/browser.md). Time is <fermata/time.h>.
//
// * An element is named by a CSS selector ("#start", "ul > li"); "document" and "window" name
//   these. The first element that fits is meant. Under node there is none. A selector that is not
//   valid names no element.
// * Each wait can be cancelled. What has come and was not taken stays: no event or message is lost
//   between two waits.
// * One activity at a time waits for one listener, response, socket or port; a second one is thrown
//   an error. If one of these is given up, the activity that waits for it is thrown an error, too.
// * Strings are UTF-8. A `char *` that a function returns is the caller's to free.
#ifndef FERMATA_WEB_H
#define FERMATA_WEB_H

#include <fermata.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- errors ----

// What the page reports: an exception, a promise that was rejected, a request that failed.
struct fm_web_error {
  char message[200];
};
// The other side has closed a WebSocket, or the connection was lost (1006).
struct fm_web_closed {
  int code;
  char reason[124];
};

// ---- elements ----

// Sets the text of the element, as printf makes it. Returns false if there is no such element.
bool fm_web_text(const char *element, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Appends markup to what is in the element. Returns false if there is no such element.
bool fm_web_append(const char *element, const char *html);
// Sets an attribute; NULL removes it. Returns false if there is no such element.
bool fm_web_attr(const char *element, const char *name, const char *value);
// Adds a class to the element, or removes it. Returns false if there is no such element.
bool fm_web_class(const char *element, const char *name, bool on);
// Returns the value of an input, or the text of another element; NULL: there is no such element.
char *fm_web_value(const char *element);
// Sets the value of an input. Returns false if there is no such element.
bool fm_web_set_value(const char *element, const char *value);

// ---- events ----

// A listener collects the events of one kind from an element, until it is given up.
typedef struct fm_web_listener {
  int fm__id;
} fm_web_listener;
// How events are collected. PREVENT: the page does not act on the event itself, as on a link or a
// form. LATEST: of the events that nobody has taken, only the last one is kept.
enum { FM_WEB_PREVENT = 1, FM_WEB_LATEST = 2 };
// Which keys are held, in fm_web_event.held.
enum { FM_WEB_SHIFT = 1, FM_WEB_CTRL = 2, FM_WEB_ALT = 4, FM_WEB_META = 8 };
// An event. Parts that the event has not are empty or 0; longer texts are cut.
typedef struct fm_web_event {
  char type[32];
  char key[32];    // of a keyboard event
  char target[64]; // the id of the element in which it happened
  char value[128]; // of an input; fm_web_value has all of it
  double x, y;     // in the element, of a pointer event
  int button;
  unsigned held; // FM_WEB_SHIFT …
  double time;   // milliseconds since the page was opened
} fm_web_event;

// Ends it. Events that nobody has taken are dropped.
void fm_web_unlisten(fm_web_listener l);

// ---- calls from JavaScript ----

// A port takes the calls Module.fermata.call(name, text) of the page's JavaScript. Each of them is
// a promise of a string there.
typedef struct fm_web_port {
  int fm__id;
} fm_web_port;
// One such call, which waits for its answer.
typedef struct fm_web_call {
  int fm__id;
  char *text; // what was handed over; freed by the answer
} fm_web_call;

// Closes it. Calls that nobody has taken are rejected.
void fm_web_shut(fm_web_port p);
// Answers the call: its promise gives the text (NULL: undefined).
void fm_web_answer(fm_web_call *c, const char *text);
// Rejects the call: its promise fails with the message.
void fm_web_reject(fm_web_call *c, const char *message);

// ---- requests ----

// A request in all its parts; those that are NULL or 0 are left out.
struct fm_web_request {
  const char *method;  // "GET"
  const char *headers; // "Name: value" lines
  const void *body;
  size_t size; // of the body
};
// The answer to a request. Its body is read as it comes.
typedef struct fm_web_response {
  int fm__id;
  int status; // 200 …
} fm_web_response;

// Returns a header of the answer; NULL: it has none of that name.
char *fm_web_header(const fm_web_response *r, const char *name);
// Gives the answer up; if its body has not ended, the request is aborted.
void fm_web_discard(fm_web_response *r);

// ---- WebSockets ----

typedef struct fm_web_socket {
  int fm__id;
} fm_web_socket;
typedef struct fm_web_message {
  char *data;  // the caller's to free; a 0 follows the last byte
  size_t size; // bytes
  bool text;   // it came as text
} fm_web_message;

// Returns how many bytes the page keeps that are not sent yet.
size_t fm_web_unsent(fm_web_socket s);
// Closes the connection, and gives the socket up.
void fm_web_close(fm_web_socket s);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus
// ---- storage ----

// Returns what the page's local storage has under the name; NULL: nothing.
char *fm_web_load(const char *name) throws(struct fm_web_error);
// Stores the text under the name; NULL removes the name. Throws if there is no storage or room.
void fm_web_store(const char *name, const char *text)
    throws(struct fm_web_error);

// ---- events ----

// Begins to collect events, such as "click". how: 0, or FM_WEB_PREVENT, FM_WEB_LATEST. Throws if
// there is no such element.
fm_web_listener fm_web_listen(const char *element, const char *event, int how)
    throws(struct fm_web_error);
// Returns the next event of the listener, in the order in which they happened.
async fm_web_event fm_web_next(fm_web_listener l) throws(struct fm_web_error);
// Waits for the next event of that kind: fm_web_listen, fm_web_next, fm_web_unlisten.
async fm_web_event fm_web_once(const char *element, const char *event)
    throws(struct fm_web_error);
// Waits until the page is about to draw the next frame. Returns its time in milliseconds. A page
// that is hidden draws none.
async double fm_web_frame(void);

// ---- calls of JavaScript ----

// Evaluates an expression in the page. Returns its value as a string; NULL: null or undefined.
char *fm_web_eval(const char *script) throws(struct fm_web_error);
// Evaluates an expression in the page. If its value is a promise, waits for it. Returns the value
// as a string; NULL: null or undefined. After a cancel the promise is left alone.
async char *fm_web_await(const char *script) throws(struct fm_web_error);

// ---- calls from JavaScript ----

// Opens a port of that name. Throws if there is one already.
fm_web_port fm_web_open(const char *name) throws(struct fm_web_error);
// Returns the next call of the port. It must be answered: its promise waits until then.
async fm_web_call fm_web_accept(fm_web_port p) throws(struct fm_web_error);

// ---- requests ----

// Sends a request (how NULL: a GET), and waits for the head of the answer. A cancel aborts it.
async fm_web_response fm_web_fetch(const char *url,
                                   const struct fm_web_request *how)
    throws(struct fm_web_error);
// Returns the next bytes of the body, at most n; 0: the body has ended. A cancel loses nothing.
async size_t fm_web_read(fm_web_response *r, void *buf, size_t n)
    throws(struct fm_web_error);
// Returns the rest of the body, with a 0 after its last byte. size may be NULL.
async char *fm_web_read_all(fm_web_response *r, size_t *size)
    throws(struct fm_web_error);

// ---- WebSockets ----

// Sends text, or bytes. Nothing waits: the page keeps what is not sent yet.
void fm_web_send_text(fm_web_socket s, const char *text)
    throws(struct fm_web_error);
void fm_web_send(fm_web_socket s, const void *data, size_t n)
    throws(struct fm_web_error);
// Connects. protocols: names with commas between them, or NULL.
async fm_web_socket fm_web_connect(const char *url, const char *protocols)
    throws(struct fm_web_error);
// Returns the next message, in the order in which they were sent. When all have been taken and the
// connection has ended, it throws.
async fm_web_message fm_web_receive(fm_web_socket s)
    throws(struct fm_web_closed);
#  endif
#endif

#endif
