// handshake.h: what the handshake of a WebSocket computes (RFC 6455, section 4.2.2). Plain C.
#ifndef HANDSHAKE_H
#define HANDSHAKE_H

#include <stdbool.h>

enum { HANDSHAKE_ROOM = 32 };
// Makes the value of Sec-WebSocket-Accept from that of Sec-WebSocket-Key: a string of 28 bytes.
void handshake_accept(const char *key, char to[HANDSHAKE_ROOM]);
// Reports whether the text is a key: 16 bytes in base64.
bool handshake_is_key(const char *key);

#endif
