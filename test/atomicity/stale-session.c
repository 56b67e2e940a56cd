// A request keeps a pointer to its session across a pause, and the session expires meanwhile.
// reports: memory is used that was freed meanwhile
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
  char user[24];
  unsigned requests;
};
enum { SESSIONS = 8 };
static struct session *sessions[SESSIONS];

static struct session *login(int i, const char *user) {
  struct session *s = calloc(1, sizeof *s);
  strcpy(s->user, user);
  sessions[i] = s;
  return s;
}

static async size_t query(const char *user) {
  size_t n = strlen(user);
  fm_sleep(n);
  return n;
}

static async void request(int i) {
  struct session *s = sessions[i];
  if (!s)
    return;
  size_t rows = query(s->user);
#ifdef MENDED
  s = sessions[i];
  if (!s)
    return;
#endif
  s->requests += (unsigned)rows;
}

static async void expire(void) {
  for (int i = 0; i < SESSIONS; i++) {
    struct session *s = sessions[i];
    sessions[i] = NULL;
    free(s);
    fm_sleep(1);
  }
}

async int main(void) {
  for (int i = 0; i < SESSIONS; i++)
    login(i, i % 2 ? "ada" : "grace");
  auto e = spawn expire();
  auto a = spawn request(3);
  auto b = spawn request(6);
  await a;
  await b;
  await e;
  puts("done");
  return 0;
}
