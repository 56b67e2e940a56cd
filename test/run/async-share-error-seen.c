// Two activities get the error of one task. Each of them may fail with it, and is asked for its own
// result: that another one was thrown the same error, or fails with it, changes nothing.
#include <fermata.h>
#include <stdio.h>

struct failure {
  int code;
};
typedef task(int) throws(struct failure) failing;

static async int fails(void) throws(struct failure) {
  yield;
  throw (struct failure){ 5 };
}

static async int passes_on(failing t) throws(struct failure) {
  return await t;
}

static async void keeps_one_handle(void) {
  int clauses = 0;
  scope {
    failing t = spawn fails();
    failing other = fm_share(t);
    spawn passes_on(other);
    yield;
    yield;
    (void)t; // its error has been read: only the other activity fails
  } catch each (struct failure e) {
    printf("clause %d: error %d\n", ++clauses, e.code);  // expect: clause 1: error 5
  }
}

static async int loses(failing t) throws(struct failure) {
  shield return await t;
}

static void unwanted(const fm_error *e, fm_activity a, void *arg) {
  (void)a;
  (void)arg;
  printf("unwanted %d\n", ((const struct failure *)fm_error_value(e))->code);  // expect: unwanted 5
}

// An arm that has lost fails with the error of a task of which another handle is held.
static async void race_of_default(void) throws(struct failure) {
  failing t = spawn fails();
  failing other = fm_share(t);
  race {
  case loses(other):
    printf("has won\n");
  default:
    printf("default\n");  // expect: default
  }
  fm_detach(t);
}

// Errors of two tasks hang on each other, although one of them was read elsewhere.
static async void two(void) throws(struct failure) {
  failing t = spawn fails();
  failing other = fm_share(t);
  failing first = spawn passes_on(t);
  yield;
  yield;
  yield;
  try {
    await other;
  } catch (struct failure e) {
    printf("read %d\n", e.code);  // expect: read 5
    (void)first;
    throw (struct failure){ 6 };
  }
}

static async void parent(void) throws(struct failure);

async int main(void) {
  fm_on_error(unwanted, NULL);
  keeps_one_handle();
  try {
    race_of_default();
  } catch (struct failure e) {
    printf("not thrown: %d\n", e.code);
  }
  try {
    await spawn two();
  } catch (fm_error *e) {
    for (const fm_error *at = e; at; at = fm_error_next(at))
      printf("chain: %d\n", ((const struct failure *)fm_error_value(at))->code);
  }
  // expect: chain: 6
  // expect: chain: 5
  auto t = spawn parent();
  try {
    await t;
    printf("lost\n");
  } catch (struct failure e) {
    printf("of the parent: %d\n", e.code);
  }
  return 0;
}

// The error of the task that nobody awaits is its parent's, although others were thrown it later.
static async void parent(void) throws(struct failure) {
  failing t = spawn fails();
  failing other = fm_share(t);
  failing kept = spawn passes_on(t);
  yield;
  yield;
  yield;
  try {
    await other;
  } catch (struct failure e) {
    printf("read %d\n", e.code);  // expect: read 5
  }
  (void)kept;
}
// expect: of the parent: 5
