// Misuse of objects at run time: the program ends with a message that says what is wrong, and with
// the line of the call. Each case runs in a process of its own; HERE notes the line.
// env: FERMATA_DRIVER=virtual
// flags: -g
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/io.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef fm_chan(int) chan;
typedef fm_mvar(int) mvar;
typedef fm_mailbox(int) mailbox;
typedef fm_agent(int) agent;
typedef fm_broadcast(int) broadcast;
typedef fm_subscriber(int) subscriber;
static chan c, zero;
static mvar zero_place;
static mailbox box, zero_box;
static agent zero_agent;
static broadcast b, zero_cast;
static subscriber sub;
static fm_limiter zero_limiter, limiter;
static fm_sem sem;
static fm_mutex mutex;
static fm_cond cond;
static fm_event(int) event;
static fm_supervisor sup;

static volatile int *noted;
#define HERE *noted = __LINE__
#define AFTER *noted = *noted // so that the call is not the last thing that its function does

static async void receive(void) throws(struct fm_closed) { fm_recv(&c); }
static async void get_message(void) { fm_receive(&box); }
static async void hear(void) throws(struct fm_closed) { fm_hear(&sub); }
static async void wait_permit(void) { fm_sem_wait(&sem); }
static async void wait_event(void) { fm_next(&event); }
static async void take_mutex(void) { fm_lock(&mutex); }
static async void run_sup(void) throws(fm_error) { fm_supervisor_run(&sup); }
static async void idle(void *arg) throws(fm_error) { (void)arg; fm_sleep(1000000); }

// ---- objects that were not initialised ----
static async void zero_send(void) throws(fm_error) { HERE; fm_send(&zero, 1); AFTER; }
static async void zero_recv(void) throws(fm_error) { HERE; fm_recv(&zero); AFTER; }
static async void zero_try_send(void) throws(fm_error) { HERE; fm_try_send(&zero, 1); AFTER; }
static async void zero_try_recv(void) throws(fm_error) {
  int v;
  HERE; fm_try_recv(&zero, &v);
}
static async void zero_close(void) throws(fm_error) { HERE; fm_chan_close(&zero); AFTER; }
static async void zero_put(void) throws(fm_error) { HERE; fm_put(&zero_place, 1); AFTER; }
static async void zero_take(void) throws(fm_error) { HERE; fm_take(&zero_place); AFTER; }
static async void zero_post(void) throws(fm_error) { HERE; fm_post(&zero_box, 1); AFTER; }
static async void zero_receive(void) throws(fm_error) { HERE; fm_receive(&zero_agent); AFTER; }
static async void zero_publish(void) throws(fm_error) { HERE; fm_publish(&zero_cast, 1); AFTER; }
static async void zero_subscribe(void) throws(fm_error) {
  HERE; fm_subscriber_init(&sub, &zero_cast, 0);
}
static async void zero_limit(void) throws(fm_error) { HERE; fm_limiter_wait(&zero_limiter); AFTER; }
static async void zero_hear(void) throws(fm_error) {
  subscriber s = { 0 };
  HERE; fm_hear(&s);
}

// ---- objects that are freed while others wait ----
static async void free_chan(void) throws(fm_error) {
  fm_chan_init(&c, 0);
  auto t = spawn now receive();
  HERE; fm_chan_free(&c);
  await t;
}
static async void free_box(void) throws(fm_error) {
  fm_mailbox_init(&box);
  auto t = spawn now get_message();
  HERE; fm_mailbox_free(&box);
  await t;
}
static async void free_sub(void) throws(fm_error) {
  fm_broadcast_init(&b, 1, FM_HOLD);
  fm_subscriber_init(&sub, &b, 0);
  auto t = spawn now hear();
  HERE; fm_subscriber_free(&sub);
  await t;
}
static async void free_cast(void) throws(fm_error) {
  fm_broadcast_init(&b, 1, FM_HOLD);
  fm_subscriber_init(&sub, &b, 0);
  auto t = spawn now hear();
  HERE; fm_broadcast_free(&b);
  await t;
}
static async void free_sup(void) throws(fm_error) {
  fm_supervisor_init(&sup, FM_ONE_FOR_ONE, (struct fm_restart){ 0 });
  fm_supervisor_add(&sup, (fm_child){ .name = "x", .body = idle });
  auto t = spawn now run_sup();
  HERE; fm_supervisor_free(&sup);
  await t;
}

// ---- objects that are initialised again while others wait: the wait is named ----
static async void init_chan_again(void) throws(fm_error) {
  fm_chan_init(&c, 0);
  auto t = spawn now receive();
  fm_chan_init(&c, 0);
  fm_cancel(fm_id(t));
  await t;
}
static async void init_sem_again(void) throws(fm_error) {
  fm_sem_init(&sem, 0);
  auto s = spawn now wait_permit();
  auto t = spawn now wait_permit();
  fm_sem_init(&sem, 0);
  fm_cancel(fm_id(t));
  await t;
  await s;
}
static async void init_event_again(void) throws(fm_error) {
  fm_event_init(&event);
  auto s = spawn now wait_event();
  fm_event_init(&event);
  auto t = spawn now wait_event();
  fm_cancel(fm_id(s));
  await t;
  await s;
}
static async void init_mutex_again(void) throws(fm_error) {
  fm_mutex_init(&mutex);
  fm_lock(&mutex);
  auto s = spawn now take_mutex();
  fm_mutex_init(&mutex);
  fm_cancel(fm_id(s));
  await s;
}

// ---- other rules ----
static async void unlock_of_another(void) throws(fm_error) {
  fm_mutex_init(&mutex);
  fm_lock(&mutex);
  activate () { HERE; fm_unlock(&mutex); }
  yield;
}
static async void unlock_open(void) throws(fm_error) {
  fm_mutex_init(&mutex);
  HERE; fm_unlock(&mutex);
}
static async void cond_without_lock(void) throws(fm_error) {
  fm_mutex_init(&mutex);
  fm_cond_init(&cond);
  HERE; fm_cond_wait(&cond, &mutex);
}
static async void no_rate(void) throws(fm_error) { HERE; fm_limiter_init(&limiter, 0, 1, 1); }
static async void no_backlog(void) throws(fm_error) { HERE; fm_broadcast_init(&b, 0, FM_HOLD); }
static async void run_twice(void) throws(fm_error) {
  fm_supervisor_init(&sup, FM_ONE_FOR_ONE, (struct fm_restart){ 0 });
  fm_supervisor_add(&sup, (fm_child){ .name = "x", .body = idle });
  auto t = spawn now run_sup();
  HERE; fm_supervisor_run(&sup);
  await t;
}
static async void stop_no_name(void) throws(fm_error) {
  fm_supervisor_init(&sup, FM_ONE_FOR_ONE, (struct fm_restart){ 0 });
  fm_supervisor_add(&sup, (fm_child){ .name = "x", .body = idle });
  HERE; printf("%d\n", fm_supervisor_stop(&sup, NULL));
}

static async void no_body(void) throws(fm_error) {
  fm_supervisor_init(&sup, FM_ONE_FOR_ONE, (struct fm_restart){ 0 });
  HERE; fm_supervisor_add(&sup, (fm_child){ .name = "x" });
}

// ---- a text inside an atomic, behind another one ----
static int ends[2];
static async void print_much(void) throws(fm_error) {
  fm_printf(ends[1], "%0200000d\n", 1);
}
static async void print_inside(void) throws(fm_error) {
  if (pipe(ends))
    return;
  auto t = spawn now print_much();
  atomic { HERE; fm_printf(ends[1], "two\n"); }
  await t;
}

// ---- reports name where a channel was initialised ----
static async void nobody_sends(void) throws(fm_error) {
  chan *here = malloc(sizeof *here);
  defer free(here);
  HERE; fm_chan_init(here, 0);
  fm_recv(here);
}
static async void nobody_posts(void) throws(fm_error) {
  mvar *here = malloc(sizeof *here);
  defer free(here);
  HERE; fm_mvar_init(here);
  fm_take(here);
}
static async void forgotten(void) throws(fm_error) {
  fm_chan_init(&c, 0);
  auto t = spawn now receive();
  fm_chan_init(&c, 0);
  await t;
}

// ---- cases ----
// expect: zero_send: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_recv: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_try_send: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_try_recv: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_close: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_put: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_take: use of a channel or MVar that was not initialised: call fm_chan_
// expect: zero_post: use of a mailbox or agent that was not initialised: call fm_mail
// expect: zero_receive: use of a mailbox or agent that was not initialised: call fm_mail
// expect: zero_publish: use of a broadcast that was not initialised: call fm_broadcast_i
// expect: zero_subscribe: use of a broadcast that was not initialised: call fm_broadcast_i
// expect: zero_limit: use of a rate limiter that was not initialised: call fm_limiter_
// expect: zero_hear: fm_hear by a subscriber without a subscription
// expect: free_chan: a channel or mailbox is freed while an activity waits for it
// expect: free_box: a channel or mailbox is freed while an activity waits for it
// expect: free_sub: fm_subscriber_free while an activity waits for a value
// expect: free_cast: fm_broadcast_free while there are subscribers
// expect: free_sup: fm_supervisor_free of a supervisor that runs
// expect: init_chan_again: an object was initialised again, or freed, while an activity wai
// expect: init_sem_again: an object was initialised again, or freed, while an activity wai
// expect: init_event_again: an object was initialised again, or freed, while an activity wai
// expect: init_mutex_again: an object was initialised again, or freed, while an activity wai
// expect: unlock_of_another: fm_unlock of a mutex that another activity has locked
// expect: unlock_open: fm_unlock of a mutex that is not locked
// expect: cond_without_lock: a wait for a condition with a mutex that the activity has not lo
// expect: no_rate: fm_limiter_init with a 0
// expect: no_backlog: fm_broadcast_init with a backlog of 0
// expect: run_twice: fm_supervisor_run of a supervisor that runs already
// expect: stop_no_name: a child of a supervisor is named by a null pointer
// expect: no_body: fm_supervisor_add of a child without a body
// expect: print_inside: deadlock inside an atomic: a text waits for another one to the s
// expect: nobody_sends: deadlock: nothing is ready and nothing is pending
// expect: nobody_posts: deadlock: nothing is ready and nothing is pending
// expect: forgotten: deadlock: nothing is ready and nothing is pending
typedef async void (*test)(void) throws(fm_error);
static const struct { const char *name; test run; } cases[] = {
  { "zero_send", zero_send }, { "zero_recv", zero_recv }, { "zero_try_send", zero_try_send },
  { "zero_try_recv", zero_try_recv }, { "zero_close", zero_close }, { "zero_put", zero_put },
  { "zero_take", zero_take }, { "zero_post", zero_post }, { "zero_receive", zero_receive },
  { "zero_publish", zero_publish }, { "zero_subscribe", zero_subscribe },
  { "zero_limit", zero_limit }, { "zero_hear", zero_hear },
  { "free_chan", free_chan }, { "free_box", free_box }, { "free_sub", free_sub },
  { "free_cast", free_cast }, { "free_sup", free_sup },
  { "init_chan_again", init_chan_again }, { "init_sem_again", init_sem_again },
  { "init_event_again", init_event_again }, { "init_mutex_again", init_mutex_again },
  { "unlock_of_another", unlock_of_another }, { "unlock_open", unlock_open },
  { "cond_without_lock", cond_without_lock },
  { "no_rate", no_rate }, { "no_backlog", no_backlog },
  { "run_twice", run_twice }, { "stop_no_name", stop_no_name },
  { "no_body", no_body }, { "print_inside", print_inside },
  { "nobody_sends", nobody_sends }, { "nobody_posts", nobody_posts }, { "forgotten", forgotten },
};

static void run_case(test f, int to) {
  dup2(to, 2);
  close(to);
  alarm(20);
  try {
    run f();
  } catch (fm_error *e) {
    fprintf(stderr, "fermata: %s was thrown\n", fm_error_name(e));
  }
  exit(0);
}

static void print_result(const char *name, const char *all, int status) {
  const char *text = all;
  char place[64];
  snprintf(place, sizeof place, "async-misuse-objects.c:%d", *noted);
  size_t n = strcspn(text, "\n");
  if (!strncmp(text, "fermata: ", 9))
    text += 9, n -= 9;
  printf("%s: %.*s%s%s\n", name, (int)(n < 64 ? n : 64), text,
         *noted && !strstr(all, place) ? " [no line]" : "",
         WIFEXITED(status) ? "" : " [killed]");
}

int main(int argc, char **argv) {
  noted = mmap(NULL, sizeof *noted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[4096] = "";
    size_t n = 0;
    int ends[2];
    int status;
    if (argc > 1 && strcmp(argv[1], cases[i].name))
      continue;
    *noted = 0;
    fflush(stdout);
    if (pipe(ends))
      return 1;
    pid_t child = fork();
    if (child == 0)
      run_case(cases[i].run, ends[1]);
    close(ends[1]);
    for (ssize_t k; n < sizeof text - 1 && (k = read(ends[0], text + n, sizeof text - 1 - n)) > 0;)
      n += (size_t)k;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (argc > 1)
      fputs(text, stdout);
    print_result(cases[i].name, text, status);
  }
  return 0;
}
