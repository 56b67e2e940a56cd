// A configuration that is loaded when it is first needed, and again when its file has changed.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdio.h>
#include <string.h>

// ---- the file ----
static const char *const versions[] = {
  "host=alpha\nport=1001\n",
  "host=beta\nport=1002\n",
};
static int version_now;

static async void
read_line(int version, const char *key, char *to, size_t size) {
  fm_sleep(2);
  const char *p = strstr(versions[version], key);
  assert(p);
  p += strlen(key) + 1;
  snprintf(to, size, "%.*s", (int)strcspn(p, "\n"), p);
}

// ---- the configuration ----
static struct config {
  int version; // -1: not loaded yet
  char host[16];
  char port[8];
} config = { .version = -1 };

#ifdef MENDED
static fm_mutex loading;
#endif

static async void reload(void) {
  int v = version_now;
#ifdef MENDED
  struct config next = { .version = v };
  read_line(v, "host", next.host, sizeof next.host);
  read_line(v, "port", next.port, sizeof next.port);
  config = next;
#else
  config.version = v; // so that nobody else loads it too
  read_line(v, "host", config.host, sizeof config.host);
  read_line(v, "port", config.port, sizeof config.port);
#endif
}

static async void request(int delay) {
  fm_sleep((uint64_t)delay);
  char address[32];
#ifdef MENDED
  fm_lock(&loading);
  defer fm_unlock(&loading);
#endif
  if (config.version != version_now)
    reload();
  snprintf(address, sizeof address, "%s:%s", config.host, config.port);
  assert(strcmp(address, "alpha:1001") == 0 ||
         strcmp(address, "beta:1002") == 0);
}

static async void edit(void) {
  fm_sleep(20);
  version_now = 1;
}

async int main(void) {
  scope {
    spawn edit();
    for (int i = 0; i < 6; i++)
      spawn request(i * 7);
  }
  return 0;
}
