// text.c: text that grows, and strings of JSON in it. Names come from the program and may hold
// anything: what is not UTF-8 becomes U+FFFD, a long one is cut between two characters.
#include "top/top.h"

#include <string.h>

enum { FIRST = 1024, LONGEST = 400 }; // bytes

static bool make_room(fm__top_text *t, size_t n) {
  size_t room = t->room ? t->room : FIRST;
  if (t->failed)
    return false;
  while (room - t->used <= n)
    room *= 2;
  if (room == t->room)
    return true;
  char *at = t->at ? fm__realloc(t->at, room) : fm__alloc(room);
  if (!at) {
    t->failed = true;
    return false;
  }
  t->at = at;
  t->room = room;
  return true;
}

static void add_bytes(fm__top_text *t, const char *s, size_t n) {
  if (!make_room(t, n))
    return;
  memcpy(t->at + t->used, s, n);
  t->used += n;
  t->at[t->used] = '\0';
}

void fm__text_add(fm__top_text *t, const char *format, ...) {
  enum { ROOM = 256 };
  va_list args;
  if (!make_room(t, ROOM))
    return;
  va_start(args, format);
  int n = vsnprintf(t->at + t->used, ROOM, format, args);
  va_end(args);
  t->used += n < ROOM ? (size_t)n : (size_t)ROOM - 1;
}

// ---- UTF-8 ----
// How many bytes follow a first byte; -1: it is none.
static int followers(unsigned char first) {
  if (first < 0x80)
    return 0;
  if (first < 0xc2 || first > 0xf4)
    return -1;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

// Bytes of the character at s; 0: it is not UTF-8. The text ends with a zero, which follows none.
static size_t length(const unsigned char *s) {
  int n = followers(*s);
  uint32_t code = n > 0 ? *s & (0x3fu >> n) : *s;
  for (int i = 1; i <= n; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (s[i] & 0x3f);
  }
  static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
  bool good = n >= 0 && code >= least[n] && code < 0x110000 &&
              (code < 0xd800 || code > 0xdfff);
  return good ? (size_t)n + 1 : 0;
}

static size_t add_character(fm__top_text *t, const unsigned char *s) {
  size_t n = length(s);
  if (n == 0)
    add_bytes(t, "\\ufffd", 6);
  else if (*s < ' ' || *s == 0x7f)
    fm__text_add(t, "\\u%04x", *s);
  else if (*s == '"' || *s == '\\')
    fm__text_add(t, "\\%c", *s);
  else
    add_bytes(t, (const char *)s, n);
  return n ? n : 1;
}

void fm__text_string(fm__top_text *t, const char *s) {
  if (!s) {
    add_bytes(t, "null", 4);
    return;
  }
  const unsigned char *at = (const unsigned char *)s;
  const unsigned char *end = at + LONGEST;
  add_bytes(t, "\"", 1);
  while (*at && at < end)
    at += add_character(t, at);
  if (*at)
    add_bytes(t, "…", strlen("…"));
  add_bytes(t, "\"", 1);
}
