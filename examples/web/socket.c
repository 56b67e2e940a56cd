// socket.c: a WebSocket. Messages come in order, and none is lost while the activity does something
// else; the end of the connection is an error that is thrown after the last message.
//
//     fmcc --cc=emcc -O2 -o socket.js socket.c
#include <fermata.h>
#include <fermata/time.h>
#include <fermata/web.h>

#include <stdio.h>
#include <stdlib.h>

static async void talk(const char *url) throws(struct fm_web_error) {
  fm_web_socket s = fm_web_connect(url, NULL);
  defer fm_web_close(s);
  for (int i = 1; i <= 100; i++) {
    char text[32];
    snprintf(text, sizeof text, "%d", i);
    fm_web_send_text(s, text);
  }
  fm_web_send(s, "\1\2\3", 3);
  fm_web_send_text(s, "bye");
  int expected = 1;
  try {
    for (;;) {
      fm_web_message m = fm_web_receive(s);
      defer free(m.data);
      if (expected % 10 == 0)
        fm_sleep(1); // more messages come meanwhile
      if (m.text && atoi(m.data) == expected)
        expected++;
      else if (!m.text)
        fm_web_text("#bytes", "%zu bytes: %d %d %d", m.size, m.data[0], m.data[1], m.data[2]);
    }
  } catch (struct fm_web_closed e) {
    fm_web_text("#messages", "%d in order", expected - 1);
    fm_web_text("#closed", "%d %s", e.code, e.reason);
  }
}

async int main(void) {
  try {
    char *url = fm_web_eval("location.origin.replace('http', 'ws') + '/echo'");
    defer free(url);
    talk(url);
    fm_web_connect("ws://127.0.0.1:1/", NULL);
  } catch (struct fm_web_error e) {
    fm_web_text("#error", "%s", e.message);
  }
  return 0;
}
