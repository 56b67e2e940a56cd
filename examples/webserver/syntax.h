// syntax.h: what llhttp leaves open of a request's syntax, as small machines that take bytes in
// pieces of any size: the first line and the lines' beginnings, the values of Host and Connection,
// and bodies, which are thrown away. A zeroed one is at its start.
#ifndef SYNTAX_H
#define SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

// ---- the head: fed with all bytes of a request; what follows the empty line is ignored ----
struct head_scan {
  unsigned char state, at;                        // at: how much of a word has matched
  bool is_head;                                   // the method is HEAD
  bool foreign;                                   // the protocol's name is not HTTP
  bool folded;                                    // a field goes on in a second line
};
void head_scan(struct head_scan *s, const char *data, size_t n);

// ---- the value of Host: a name or an address, and perhaps a port; it may be empty ----
void host_scan(unsigned char *state, const char *data, size_t n);
bool host_is_good(unsigned char state);           // at the value's end

// ---- the value of Connection: a list of options ----
struct connection_scan {
  char word[12];                                  // the option being read, in lower case
  unsigned char size;                             // of it
  bool gap;                                       // blanks came after it
  bool close, keep_alive;                         // what has been found
};
void connection_scan(struct connection_scan *s, const char *data, size_t n);
void connection_end(struct connection_scan *s);   // the value ends; the field may come once more

// ---- a body ----
struct body {
  unsigned char state, digits;                    // digits: of a chunk's size
  bool chunked;
  unsigned left;                                  // bytes of it, or of the chunk
  unsigned size;                                  // of chunks so far
};
enum { BODY_MORE = 0, BODY_DONE = 1 };            // else: the status of a refusal
// Takes bytes from *at on, which it moves. `most`: how large it may be.
int body_take(struct body *b, const char **at, const char *end, unsigned most);

#endif
