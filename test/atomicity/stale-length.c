// The length of a message is read before a pause, its text after it.
// reports: two values of different times
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <string.h>

static struct message {
  unsigned length;
  char text[60];
} message;

static void set(const char *text) {
  message.length = (unsigned)strlen(text);
  memcpy(message.text, text, message.length);
}

static async unsigned reserve(unsigned bytes) {
  fm_sleep(bytes % 4 + 1);
  return bytes;
}

static async void send(const struct message *m, char *to) {
  unsigned n = m->length;
  reserve(n);
#ifdef MENDED
  n = m->length;
#endif
  memcpy(to, m->text, n);
  to[n] = '\0';
}

static async void editor(void) {
  static const char *const texts[] = { "a short one", "a much longer text", "none", "the last" };
  for (int i = 0; i < 4; i++) {
    set(texts[i]);
    fm_sleep(2);
  }
}

async int main(void) {
  char sent[2][sizeof message.text + 1];
  set("first");
  auto e = spawn editor();
  auto a = spawn send(&message, sent[0]);
  auto b = spawn send(&message, sent[1]);
  await a;
  await b;
  await e;
  printf("%d\n", sent[0][0] != '\0' && sent[1][0] != '\0');
  return 0;
}
