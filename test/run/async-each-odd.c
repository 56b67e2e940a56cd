// catch each in odd places: in jobs, arms, statement expressions, switches, bodies of activate;
// arrays of variable length, local types and statics in it; structures without a tag.
#include <fermata.h>
#include <fermata/time.h>

#include <string.h>

struct bad {
  int n;
};
typedef struct {
  int k;
} odd;

static async void bad(int n) throws(struct bad) {
  fm_sleep((uint64_t)n);
  throw (struct bad){ n };
}

static async void odd_one(int n) throws(odd) {
  fm_sleep((uint64_t)n);
  throw (odd){ n };
}

static async int in_a_job(int n) {
  job(int) j = job (n) {
    int got = 0;
    scope spawn bad(n);
    catch each (struct bad e) got = e.n;
    return got;
  };
  int got = await j;
  fm_job_free(j);
  return got;
}

static async int of_variable_length(int n) {
  int a[n];
  int sum = 0;
  scope for (int i = 0; i < n; i++) spawn bad(i);
  catch each (struct bad e) {
    struct local {
      int x;
    } l = { e.n };
    static int calls;
    char name[e.n + 1];
    memset(name, 'x', sizeof name);
    yield;
    name[e.n] = 0;
    a[e.n] = l.x + (int)strlen(name);
    calls++;
  }
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

static async int without_tags(void) {
  int sum = 0;
  scope {
    spawn odd_one(1);
    activate {
      scope spawn odd_one(2);
      catch each (odd e) sum += 1000 * e.k;
    }
  } catch each (odd e) sum += 100 * e.k;
  return sum;
}

static async int in_an_arm(void) {
  int n = 0;
  race {
  case n = ({
    int v = 0;
    scope spawn bad(1);
    catch each (struct bad e) v += 10 * e.n;
    v;
  }):
    n++;
  }
  return n;
}

static async int in_a_switch(int which) {
  int n = which;
  switch (which) {
  case 1:
    scope {
      defer n++;
      spawn bad(3);
      fm_sleep(1);
    } catch each (struct bad e) switch (e.n) {
      case 3:
        n += 5;
        break;
      default:
        n = 0;
      }
    break;
  case 2:
    n = 20;
  }
  return n;
}

async int main(void) {
  printf("%d %d\n", in_a_job(4), atomic in_a_job(5));                   // expect: 4 5
  printf("%d %d\n", of_variable_length(5), atomic of_variable_length(3)); // expect: 20 6
  printf("%d %d\n", without_tags(), atomic without_tags());             // expect: 2100 2100
  printf("%d %d\n", in_an_arm(), atomic in_an_arm());                   // expect: 11 11
  printf("%d %d\n", in_a_switch(1), in_a_switch(2));                    // expect: 7 20
  return 0;
}
// env: FERMATA_DRIVER=virtual
