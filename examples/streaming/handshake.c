// handshake.c: SHA-1 (RFC 3174) and base64 (RFC 4648), as far as the handshake needs them.
#include "handshake.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---- SHA-1 ----
static uint32_t rotate(uint32_t x, int n) {
  return x << n | x >> (32 - n);
}

static uint32_t choose(int round, uint32_t b, uint32_t c, uint32_t d) {
  if (round < 20)
    return (b & c) | (~b & d);
  if (round >= 40 && round < 60)
    return (b & c) | (b & d) | (c & d);
  return b ^ c ^ d;
}

static void add_block(uint32_t h[5], const unsigned char *block) {
  static const uint32_t constants[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
  uint32_t w[80], s[5];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 80; i++)
    w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 80; i++) {
    uint32_t next = rotate(s[0], 5) + choose(i, s[1], s[2], s[3]) + s[4] + w[i] + constants[i / 20];
    s[4] = s[3];
    s[3] = s[2];
    s[2] = rotate(s[1], 30);
    s[1] = s[0];
    s[0] = next;
  }
  for (int i = 0; i < 5; i++)
    h[i] += s[i];
}

// At most two blocks: n < 120.
static void sha1(const char *text, size_t n, unsigned char digest[20]) {
  uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
  unsigned char data[128] = { 0 };
  size_t whole = n < 56 ? 64 : 128;
  memcpy(data, text, n);
  data[n] = 0x80;
  data[whole - 2] = (unsigned char)(n * 8 >> 8);
  data[whole - 1] = (unsigned char)(n * 8);
  for (size_t at = 0; at < whole; at += 64)
    add_block(h, data + at);
  for (int i = 0; i < 20; i++)
    digest[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
}

// ---- base64 ----
static void encode(const unsigned char *data, size_t n, char *to) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned bits = (unsigned)data[i] << 16;
    if (i + 1 < n)
      bits |= (unsigned)data[i + 1] << 8;
    if (i + 2 < n)
      bits |= data[i + 2];
    *to++ = digits[bits >> 18];
    *to++ = digits[bits >> 12 & 63];
    *to++ = i + 1 < n ? digits[bits >> 6 & 63] : '=';
    *to++ = i + 2 < n ? digits[bits & 63] : '=';
  }
  *to = '\0';
}

bool handshake_is_key(const char *key) {
  for (int i = 0; i < 22; i++)
    if (!isalnum((unsigned char)key[i]) && key[i] != '+' && key[i] != '/')
      return false;
  return !strcmp(key + 22, "==");
}

void handshake_accept(const char *key, char to[HANDSHAKE_ROOM]) {
  char text[100];
  unsigned char digest[20];
  int n = snprintf(text, sizeof text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1(text, (size_t)n, digest);
  encode(digest, sizeof digest, to);
}
