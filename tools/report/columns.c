// columns.c: columns of numbers in JSON: the base64 of an array whose numbers have the lowest byte
// first. A page decodes a million of them in some milliseconds.
#include "report.h"

static void base64(Buf *to, const unsigned char *bytes, size_t n) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  buf_putc(to, '"');
  for (size_t i = 0; i < n; i += 3) {
    size_t left = n - i;
    unsigned v = (unsigned)bytes[i] << 16 |
                 (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                 (left > 2 ? bytes[i + 2] : 0);
    char four[4] = { digits[v >> 18],
                     digits[v >> 12 & 63],
                     left > 1 ? digits[v >> 6 & 63] : '=',
                     left > 2 ? digits[v & 63] : '=' };
    buf_add(to, four, 4);
  }
  buf_putc(to, '"');
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static void numbers(Buf *to, const void *v, size_t n, size_t size) {
  base64(to, v, n * size);
}
#else
static void numbers(Buf *to, const void *v, size_t n, size_t size) {
  Buf turned = { 0 };
  const char *at = v;
  for (size_t i = 0; i < n; i++, at += size)
    for (size_t k = size; k-- > 0;)
      buf_putc(&turned, at[k]);
  base64(to, (unsigned char *)turned.data, turned.len);
  buf_free(&turned);
}
#endif

void column_f64(Buf *to, const double *v, size_t n) {
  numbers(to, v, n, sizeof *v);
}

void column_u32(Buf *to, const uint32_t *v, size_t n) {
  numbers(to, v, n, sizeof *v);
}

void column_u8(Buf *to, const uint8_t *v, size_t n) {
  numbers(to, v, n, sizeof *v);
}
