// A table of sessions that grows: a request holds its session while it asks the data base.
// reports: memory is used that was freed meanwhile
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
  int user;
  int requests;
  char last[16];
};

static struct {
  struct session *all;
  size_t count, room;
} sessions;

static size_t open_session(int user) {
  if (sessions.count == sessions.room) {
    sessions.room = sessions.room ? 2 * sessions.room : 2;
    sessions.all = realloc(sessions.all, sessions.room * sizeof *sessions.all);
    if (!sessions.all)
      abort();
  }
  struct session *s = &sessions.all[sessions.count];
  memset(s, 0, sizeof *s);
  s->user = user;
  return sessions.count++;
}

static async int look_up(int user) {
  fm_sleep((uint64_t)user + 1);
  return user * 10;
}

static async void request(size_t number) {
  struct session *s = &sessions.all[number];
  int found = look_up(s->user);
#ifdef MENDED
  s = &sessions.all[number];
#endif
  snprintf(s->last, sizeof s->last, "%d", found);
  s->requests++;
}

static async void visitor(int user) {
  fm_sleep((uint64_t)(2 * user));
  size_t mine = open_session(user);
  for (int i = 0; i < 2; i++)
    request(mine);
}

async int main(void) {
  scope for (int i = 0; i < 7; i++) spawn visitor(i);
  int requests = 0;
  for (size_t i = 0; i < sessions.count; i++)
    requests += sessions.all[i].requests;
  printf("%zu sessions, %d requests\n", sessions.count, requests);
  free(sessions.all);
  return 0;
}
