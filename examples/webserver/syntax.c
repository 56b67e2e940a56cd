// syntax.c: see syntax.h. Each machine has a function for one byte and a loop around it.
#include "syntax.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_text(char c) { return c == '\t' || ((unsigned char)c >= ' ' && c != 127); }

static int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// ---- the head ----
enum { BEFORE, METHOD, TARGET_BEGINS, TARGET, PROTOCOL_BEGINS, PROTOCOL, LINE, LINE_BEGINS, AFTER };

// Words are compared as they come; of one that differs, `at` stays where that was.
static void match(struct head_scan *s, const char *word, char c) {
  if (s->at < strlen(word) && word[s->at] == c) s->at++;
  else s->at = 255;
}

static void first_line(struct head_scan *s, char c) {
  switch (s->state) {
    case BEFORE:
      if (c == '\r' || c == '\n') return;         // empty lines may stand before a request
      s->state = METHOD;
      // fall through
    case METHOD:
      if (is_blank(c)) {
        s->is_head = s->at == 4;
        s->state = TARGET_BEGINS;
      } else {
        match(s, "HEAD", c);
      }
      return;
    case TARGET_BEGINS:
      if (!is_blank(c)) s->state = TARGET;
      return;
    case TARGET:
      if (is_blank(c)) s->state = PROTOCOL_BEGINS;
      return;
    case PROTOCOL_BEGINS:
      if (is_blank(c)) return;
      s->state = PROTOCOL;
      s->at = 0;
      // fall through
    default:
      if (c == '/') {
        s->foreign = s->at != 4;
        s->state = LINE;
      } else {
        match(s, "HTTP", c);
      }
  }
}

static void other_line(struct head_scan *s, char c) {
  if (s->state == LINE_BEGINS) {
    s->folded = s->folded || is_blank(c);
    s->state = c == '\r' || c == '\n' ? AFTER : LINE;
  }
}

void head_scan(struct head_scan *s, const char *data, size_t n) {
  for (size_t i = 0; i < n && s->state != AFTER; i++) {
    if (s->state < LINE) first_line(s, data[i]);
    else other_line(s, data[i]);
    if (data[i] == '\n' && s->state > METHOD && s->state != AFTER) s->state = LINE_BEGINS;
  }
}

// ---- Host ----
enum { HOST_BEGINS, HOST_NAME, PERCENT, PERCENT_1, ADDRESS, ADDRESS_ENDS, PORT, HOST_ENDS, HOST_BAD };

static unsigned char host_name(char c) {
  if (c == '%') return PERCENT;
  if (c == ':') return PORT;
  if (is_blank(c)) return HOST_ENDS;
  return is_letter(c) || is_digit(c) || (c && strchr("-._~!$&'()*+,;=", c)) ? HOST_NAME : HOST_BAD;
}

static unsigned char host_next(unsigned char state, char c) {
  switch (state) {
    case HOST_BEGINS:
      if (is_blank(c)) return HOST_BEGINS;
      return c == '[' ? ADDRESS : host_name(c);
    case HOST_NAME: return host_name(c);
    case PERCENT: return hex_value(c) >= 0 ? PERCENT_1 : HOST_BAD;
    case PERCENT_1: return hex_value(c) >= 0 ? HOST_NAME : HOST_BAD;
    case ADDRESS:
      if (c == ']') return ADDRESS_ENDS;
      return hex_value(c) >= 0 || is_letter(c) || c == ':' || c == '.' ? ADDRESS : HOST_BAD;
    case ADDRESS_ENDS:
      if (is_blank(c)) return HOST_ENDS;
      return c == ':' ? PORT : HOST_BAD;
    case PORT:
      if (is_blank(c)) return HOST_ENDS;
      return is_digit(c) ? PORT : HOST_BAD;
    case HOST_ENDS: return is_blank(c) ? HOST_ENDS : HOST_BAD;
    default: return HOST_BAD;
  }
}

void host_scan(unsigned char *state, const char *data, size_t n) {
  for (size_t i = 0; i < n; i++) *state = host_next(*state, data[i]);
}

bool host_is_good(unsigned char state) {
  return state != HOST_BAD && state != PERCENT && state != PERCENT_1 && state != ADDRESS;
}

// ---- Connection ----
static void option_ends(struct connection_scan *s) {
  s->close = s->close || (s->size == 5 && !memcmp(s->word, "close", 5));
  s->keep_alive = s->keep_alive || (s->size == 10 && !memcmp(s->word, "keep-alive", 10));
  s->size = 0;
  s->gap = false;
}

static void option_next(struct connection_scan *s, char c) {
  if (is_blank(c)) {
    s->gap = s->size > 0;
  } else if (s->gap || s->size >= sizeof s->word) { // two words, or a long one: none that we know
    s->size = sizeof s->word;
  } else {
    s->word[s->size++] = (char)(is_letter(c) ? c | 0x20 : c);
  }
}

void connection_scan(struct connection_scan *s, const char *data, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (data[i] == ',') option_ends(s);
    else option_next(s, data[i]);
  }
}

void connection_end(struct connection_scan *s) { option_ends(s); }

// ---- bodies ----
enum { SIZE, EXTENSION, QUOTED, ESCAPED, SIZE_LF, DATA, DATA_CR, DATA_LF,
       TRAILER_BEGINS, TRAILER_NAME, TRAILER, TRAILER_LF, LAST_LF, DONE };

static bool is_token(char c) {
  return is_letter(c) || is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

// They return the status of a refusal, or 0.
static int size_next(struct body *b, char c, unsigned most) {
  int digit = hex_value(c);
  if (digit >= 0) {
    if (++b->digits > 16) return 400;
    if (b->left <= most) b->left = b->left * 16 + (unsigned)digit; // more than enough, once it is too much
    return 0;
  }
  if (!b->digits || !(c == ';' || c == '\r' || is_blank(c))) return 400;
  if (b->left > most - b->size) return 413;
  b->state = c == '\r' ? SIZE_LF : EXTENSION;
  return 0;
}

// Extensions are ignored, since none has been agreed on. A quoted string in one may hold anything.
static int extension_next(struct body *b, char c) {
  if (b->state == ESCAPED) {
    b->state = QUOTED;
    return is_text(c) ? 0 : 400;
  }
  if (b->state == QUOTED) {
    if (c == '"') b->state = EXTENSION;
    if (c == '\\') b->state = ESCAPED;
    return is_text(c) ? 0 : 400;
  }
  if (c == '"') b->state = QUOTED;
  if (c == '\r') b->state = SIZE_LF;
  return is_text(c) || c == '\r' ? 0 : 400;
}

static int expect(struct body *b, char c, char want, unsigned char next) {
  b->state = next;
  return c == want ? 0 : 400;
}

static void chunk_begins(struct body *b) {
  b->size += b->left;
  if (!b->left) b->state = TRAILER_BEGINS;
}

static void chunk_ends(struct body *b) {
  b->left = 0;
  b->digits = 0;
}

static int trailer_next(struct body *b, char c) {
  if (b->state == TRAILER_BEGINS && c == '\r') return expect(b, c, '\r', LAST_LF);
  if (b->state == TRAILER && c == '\r') return expect(b, c, '\r', TRAILER_LF);
  if (b->state == TRAILER) return is_text(c) ? 0 : 400;
  if (b->state == TRAILER_NAME && c == ':') return expect(b, c, ':', TRAILER);
  b->state = TRAILER_NAME;
  return is_token(c) ? 0 : 400;
}

static int chunked_next(struct body *b, char c, unsigned most) {
  int refused;
  switch (b->state) {
    case SIZE: return size_next(b, c, most);
    case EXTENSION: case QUOTED: case ESCAPED: return extension_next(b, c);
    case SIZE_LF:
      refused = expect(b, c, '\n', DATA);
      chunk_begins(b);
      return refused;
    case DATA_CR: return expect(b, c, '\r', DATA_LF);
    case DATA_LF:
      chunk_ends(b);
      return expect(b, c, '\n', SIZE);
    case TRAILER_LF: return expect(b, c, '\n', TRAILER_BEGINS);
    case LAST_LF: return expect(b, c, '\n', DONE);
    default: return trailer_next(b, c);
  }
}

static void data_take(struct body *b, const char **at, const char *end) {
  size_t n = (size_t)(end - *at) < b->left ? (size_t)(end - *at) : b->left;
  *at += n;
  b->left -= (unsigned)n;
  if (!b->left) b->state = b->chunked ? DATA_CR : DONE;
}

int body_take(struct body *b, const char **at, const char *end, unsigned most) {
  if (!b->chunked) b->state = b->left ? DATA : DONE;
  while (b->state != DONE && *at < end) {
    if (b->state == DATA) {
      data_take(b, at, end);
    } else {
      int refused = chunked_next(b, *(*at)++, most);
      if (refused) return refused;
    }
  }
  return b->state == DONE ? BODY_DONE : BODY_MORE;
}
