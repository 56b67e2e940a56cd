// objects.h: objects of the page that activities wait for: listeners, answers, sockets, ports. Each
// has a number, a queue of items, and at most one waiter. See objects.c; library/web.c uses them.
#ifndef FM_WEB_OBJECTS_H
#define FM_WEB_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

// What an item of a queue is.
enum { FM__WEB_VALUE, FM__WEB_BYTES, FM__WEB_END, FM__WEB_ERROR };

// ---- making objects; 0: there is none, and fm__web_failure says why ----
int fm__web_listen(const char *element, const char *event, int how);
int fm__web_frame(void);
int fm__web_promise(const char *script);
int fm__web_port(const char *name);
int fm__web_fetch(const char *url,
                  const char *method,
                  const char *headers,
                  const void *body,
                  size_t size);
int fm__web_socket(const char *url, const char *protocols);
// The text of the last failure, at most n bytes.
void fm__web_failure(char *to, size_t n);

// ---- their queues ----
bool fm__web_has_item(int id);
// k waits for an item. false: another one waits already.
bool fm__web_await_item(int id, void *k);
void fm__web_leave(int id); // its waiter waits no more
int fm__web_item(int id);   // FM__WEB_…, of the first item
void fm__web_drop(int id);  // drops the first item
double fm__web_number(int id, const char *part);
// Of the first item; to memory, cut to n bytes, or as memory of malloc (NULL: it has none).
void fm__web_text_to(int id, const char *part, char *to, size_t n);
char *fm__web_text_of(int id, const char *part);
size_t fm__web_size(int id);                        // its bytes that are left
size_t fm__web_take(int id, void *to, size_t size); // takes the next of them
void fm__web_free(int id);                          // the object

// ---- calls ----
int fm__web_take_call(int id); // the first item of a port, as an object
void fm__web_answer(int id, const char *text, bool ok);

// ---- sockets and answers ----
bool fm__web_send(int id, const void *data, size_t n, bool text);
double fm__web_unsent(int id);
char *fm__web_header(int id, const char *name);

// ---- the page ----
bool fm__web_set(const char *element,
                 const char *what,
                 const char *name,
                 const char *value);
char *fm__web_get(const char *element);
// *failed: the text is that of an exception.
char *fm__web_eval(const char *script, bool *failed);
char *fm__web_stored(const char *name, bool *failed);
bool fm__web_store(const char *name, const char *text);

// ---- web.c, called by the page: the waiter k has an item ----
void fm__web_ready(void *k);
// turn.c
void fm__page_hold(int change);

#endif
