// Cancel acts on everything below: children, their children, scopes, activities of activate; on no one else.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void leaf(const char *who) {
  defer printf("%s out\n", who);
  fm_sleep(1000);
  printf("no\n");
}

async static void branch(void) {
  defer printf("branch out\n");
  auto t = spawn leaf("kept");
  spawn leaf("dropped");
  activate { leaf("activate"); }
  spawn detached leaf("detached");
  scope (s) {
    spawn leaf("scoped");
    spawn in(s) leaf("placed");
    await t;
  }
}

async int main(void) {
  auto other = spawn leaf("other");
  auto b = spawn branch();
  fm_sleep(1);
  fm_cancel(fm_id(b));            // in the order they had blocked
  fm_join(fm_id(b));
  // expect: kept out
  // expect: dropped out
  // expect: activate out
  // expect: scoped out
  // expect: placed out
  // expect: branch out
  printf("joined, other %d\n", fm_alive(fm_id(other))); // expect: joined, other 1
  fm_detach(b);
  fm_cancel(fm_id(other));        // expect: other out
}                                 // expect: detached out
