// catch each: where it stands, what it takes, how it is left
#include <fermata.h>

struct bad {
  int n;
};

static async void work(void) throws(struct bad) {
  throw (struct bad){ 1 };
}

async void after_try(void) {
  try {
    work();
  } catch each (struct bad e) { // error: 15:5: a `try` takes errors by `catch (struct … e)`
    (void)e;
  }
}

async void after_nothing(void) {
  work();
  catch each (struct bad e) (void)e; // error: 22:3: it has to follow the statement of a `scope`
}

async void a_catch(void) {
  scope work();
  catch (struct bad e) { // error: 27:3: a `scope` has no `catch`
  }
}

async void after_else(void) {
  scope work();
  else;
  catch each (struct bad e) (void)e; // error: 34:3: stands before the `else` of its scope
}

async void not_an_error(void) {
  scope spawn fm_checkpoint();
  catch each (int n) (void)n; // error: 39:15: `catch` takes a structure, or `fm_error *`
}

async void no_parentheses(void) {
  scope spawn work();
  catch each { // error: 44:3: `catch` names what it catches
  }
}

async void twice(void) {
  scope spawn work();
  catch each (fm_error *e) (void)e;
  catch each (struct bad e) (void)e; // error: 51:3: a `catch` before it takes the same errors
}

async int jumps(void) {
  for (;;) {
    scope spawn work();
    catch each (struct bad e) {
      if (e.n == 1)
        break; // error: 59:9: `break` cannot leave the clause `catch each`
      if (e.n == 2)
        continue; // error: 61:9: `continue` cannot leave the clause `catch each`
      if (e.n == 3)
        return 1; // error: 63:9: the clause `catch each` returns no value
    }
  }
  return 0;
}

async void jumps_far(void) {
  scope spawn work();
  catch each (struct bad e) {
    if (e.n)
      goto end; // error: 73:12: a jump cannot leave the clause `catch each`
  }
end:;
}

async void name_ends(void) {
  scope (s) spawn work();
  catch each (struct bad e) (void)e, fm_cancel(s);
  else fm_cancel(s); // error: 81:18: `s`
}

void plain(void) {
  catch (struct bad e) { // error: 85:3: `catch` has to follow the block of a `try`
  }
}
