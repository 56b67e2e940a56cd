// glib.c: a program that lives in GLib's main loop, as those with GTK do, and has activities beside its callbacks. The domain is a source of the
// loop: before each wait it says how long that may take, and when its descriptor is readable, or the time has come, it has a turn.
//
//     fmcc -o glib glib.c $(pkg-config --cflags --libs glib-2.0)
//
// output: tick 1
// output: a callback of the loop's own
// output: tick 2
// output: tick 3
// output: read hello
// output: offloaded 42
#include <glib.h>
#include <glib-unix.h>

#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <unistd.h>

// ---- the source ----
static GMainLoop *loop;
static gpointer descriptor;                       // of the source

static gboolean prepare(GSource *source, gint *timeout) {
  (void)source;
  *timeout = fm_host_timeout();
  return *timeout == 0;
}

static gboolean check(GSource *source) {
  return g_source_query_unix_fd(source, descriptor) != 0 || fm_host_timeout() == 0;
}

static gboolean dispatch(GSource *source, GSourceFunc unused, gpointer data) {
  (void)source;
  (void)unused;
  (void)data;
  if (!fm_host_turn()) g_main_loop_quit(loop);    // no activity is left
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = { .prepare = prepare, .check = check, .dispatch = dispatch };

static void enter_loop(void) {
  fm_set_driver(fm_driver_hosted(NULL, NULL));
  GSource *source = g_source_new(&functions, sizeof(GSource));
  descriptor = g_source_add_unix_fd(source, fm_host_fd(), G_IO_IN);
  g_source_attach(source, NULL);
  g_source_unref(source);
}

// ---- the program ----
static int answers[2];

static gboolean called_back(gpointer k) {
  printf("a callback of the loop's own\n");
  fm_complete((fm_completion(void) *)k);
  return G_SOURCE_REMOVE;
}

// Whoever calls this waits until the loop has called back.
static asyncdirect void when_idle(fm_completion(void) *k) { g_idle_add(called_back, k); }

static intptr_t elsewhere(void *arg) { return (intptr_t)arg; }

static async void session(void) throws(struct os_error) {
  char text[6] = "";
  printf("tick 1\n");
  when_idle();
  printf("tick 2\n");
  fm_sleep(1);
  printf("tick 3\n");
  auto t = spawn fm_write_all(answers[1], "hello", 5);
  fm_read_exact(answers[0], text, 5);
  await t;
  printf("read %s\n", text);
  printf("offloaded %d\n", (int)fm_offload(elsewhere, (void *)42));
}

int main(void) {
  if (pipe(answers)) return 1;
  enter_loop();
  loop = g_main_loop_new(NULL, FALSE);
  spawn detached session();
  g_main_loop_run(loop);
  g_main_loop_unref(loop);
  return 0;
}
