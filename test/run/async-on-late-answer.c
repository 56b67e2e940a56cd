// An answer to a question of another domain that comes too late, when that domain has gone, does no harm.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>
#include <fermata/time.h>

typedef fm_reply(int) int_reply;
struct request { int n; int_reply *reply; };
typedef fm_mailbox(struct request) box;
static box m;

static async void ask(void) {
  try {
    fm_ask(&m, ((struct request){ .n = 3 }), reply, 5);
  } catch (struct fm_timeout e) {
    printf("no answer in %d ms\n", (int)e.ms);   // expect: no answer in 5 ms
  } catch (struct fm_gone e) {
    printf("gone: %s\n", e.error ? e.error : "-");
  }
}

async int main(void) {
  fm_mailbox_init(&m);
  fm_pool *p = fm_pool_new(1);
  auto t = spawn on(p) ask();
  struct request r = fm_receive(&m);
  await t;
  fm_pool_free(p);
  printf("%d\n", fm_answer(r.reply, 1));           // expect: 1
  fm_mailbox_free(&m);
  return 0;
}
