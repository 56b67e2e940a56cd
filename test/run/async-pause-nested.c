// Only a resume of the same node releases what that node paused; one pause of a node is enough, and so is one resume.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int n;

async static void leaf(void) {
  for (;;) {
    n++;
    yield;
  }
}

async static void middle(fm_activity *at) {
  auto t = spawn leaf();
  *at = fm_id(t);
  await t;
}

async static void top(fm_activity *mid, fm_activity *at) {
  auto t = spawn middle(at);
  *mid = fm_id(t);
  await t;
}

async static bool runs(void) {
  int before = n;
  yield;
  yield;
  return n != before;
}

async int main(void) {
  fm_activity leaf_id = {0}, mid = {0}, root;
  auto t = spawn top(&mid, &leaf_id);
  root = fm_id(t);
  yield;
  yield;
  yield;
  printf("%d\n", runs());         // expect: 1
  fm_pause(root), fm_pause(leaf_id), fm_pause(root), fm_pause(mid);
  printf("%d\n", runs());         // expect: 0
  fm_resume(leaf_id);
  printf("%d\n", runs());         // expect: 0
  fm_resume(root);
  printf("%d\n", runs());         // expect: 0
  fm_resume(leaf_id), fm_resume(root);
  printf("%d\n", runs());         // expect: 0
  fm_resume(mid);
  printf("%d\n", runs());         // expect: 1
  fm_resume(mid), fm_resume(root); // not paused: no effect
  printf("%d\n", runs());         // expect: 1
  fm_pause(leaf_id), fm_pause(root);
  fm_resume(root);
  printf("%d\n", runs());         // expect: 0
  fm_resume(leaf_id);
  printf("%d\n", runs());         // expect: 1
  fm_cancel(root);
  fm_join(root);
  fm_detach(t);
}
