// catch each: which errors a scope throws
#include <fermata.h>

struct bad {
  int n;
};
struct other {
  int n;
};

static async void work(void) throws(struct bad, struct other) {
  throw (struct bad){ 1 };
}
static async void only_bad(void) throws(struct bad) {
  throw (struct bad){ 1 };
}

async void not_taken(void) {
  scope spawn work(); // error: 19:9: `struct other` may be thrown here and is neither caught nor
  catch each (struct bad e) (void)e;
}

async void body(void) {
  scope {
    only_bad(); // error: 25:5: `struct bad` may be thrown here and is neither caught nor
    spawn only_bad();
  } catch each (struct bad e) (void)e;
}

async void clause(void) {
  scope spawn only_bad();
  catch each (struct bad e) throw (struct other){ e.n }; // error: 32:3: `struct other` may be
}

async void clause_calls(void) {
  scope spawn only_bad();
  catch each (struct bad e) { // error: 37:3: `struct bad` may be thrown here
    (void)e;
    only_bad();
  }
}

async void again(void) {
  scope spawn only_bad(); // error: 44:9: `struct bad` may be thrown here
  catch each (struct bad e) {
    if (e.n)
      throw;
  }
}

// all of it is taken
async void fine(void) {
  scope {
    spawn work();
    activate {
      work();
    }
    auto t = spawn work();
    fm_detach(t);
  } catch each (fm_error *e) (void)e;
}

// A clause of an inner scope takes nothing of the outer one.
async void outer(void) {
  scope {
    spawn only_bad(); // error: 66:5: `struct bad` may be thrown here
    scope spawn only_bad();
    catch each (struct bad e) (void)e;
  }
}
