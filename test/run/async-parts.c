// Functions that are cut into small parts, as large ones are into larger: every jump leads where it
// leads in one piece, from part to part; values, errors and cancels pass through them.
// flags: --part-size=2
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <string.h>

struct bad {
  int n;
};

async int f(int x) {
  yield;
  return x + 1;
}

async void touch(int *p) {
  yield;
  ++*p;
}

async int fails(int x) throws(struct bad) {
  yield;
  if (x % 3 == 0)
    throw (struct bad){ x };
  return x;
}

async int loops(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += f(i);
    if (s % 5 == 0)
      continue;
    s += f(i) * f(1);
    while (f(s) % 2) {
      s += f(0);
      if (s > 60)
        break;
      s += f(1);
    }
    do {
      touch(&s);
      if (f(s) % 7 == 0)
        break;
      touch(&s);
    } while (s % 3);
    if (s > 200)
      goto out;
  }
  s = f(s);
  s = f(s);
out:
  return f(s);
}

async int jumps(int n) {
  int s = 0, turn = 0;
  if (n > 2) {
    s += f(1);
    goto inside;
  }
  s += f(2);
  s += f(3);
  s += f(4);
again:
  for (;;) {
    s += f(10);
    s += f(11);
    if (n > 3) {
      s += f(100);
    inside:
      s += f(200);
      s += f(201);
    }
    s += f(20);
    if (++turn > n)
      break;
    s += f(30);
    if (turn == 2)
      goto again;
    s += f(31);
  }
  s += f(40);
  return s;
}

async int cases(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    switch (f(i)) {
    case 1:
      s += f(1);
      s += f(2);
      s += f(3);
      __attribute__((fallthrough));
    case 2:
      s += f(4);
      s += f(5);
      if (s > 40)
        break;
      s += f(6);
      break;
    case 3: {
      s += f(7);
      s += f(8);
      if (s % 2)
        continue;
      s += f(9);
      __attribute__((fallthrough));
    }
    default:
      s += f(10);
      s += f(11);
    }
  return s;
}

async int handlers(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    try {
      defer s += 100;
      s += fails(i + 1);
      s += f(s);
      try {
        s += fails(i + 2);
        s += f(s);
        if (i == 3)
          break;
      } catch (struct bad b) {
        s += f(b.n);
        s += f(b.n);
        if (i == 1)
          continue;
      } finally {
        s += f(1);
        s += f(2);
      }
      s += fails(i);
    } catch (struct bad b) {
      s -= f(b.n);
      s -= f(1);
    }
  }
  return s;
}

async int arrays(int n) {
  int v[n], sum = 0;
  char text[16] = "abc";
  for (int i = 0; i < n; i++)
    v[i] = f(i);
  for (int i = 0; i < n; i++) {
    int more[i + 1];
    more[i] = f(v[i]);
    touch(&more[i]);
    touch(&v[i]);
    sum += f(more[i]) + v[i];
    if (sum > 100)
      return sum + (int)strlen(text);
    text[i % 3] = (char)f(text[i % 3]);
  }
  return f(sum) + (int)strlen(text);
}

async int tails(int n) {
  int s = f(n);
  s += f(n);
  s += f(n);
  if (s > 1000)
    return f(s);
  s += f(n);
  return tails(s);
}

async int shares(int n) {
  int result = 0, b = 0;
  {
    int a = 0;
    activate {
      a += f(n);
      a += f(n);
      for (int i = 0; i < n; i++) {
        a += f(i);
        if (a > 30)
          break;
        a += f(1);
      }
      result = a + f(n);
    }
    b += f(n);
    b += f(n);
    b += f(n);
  } // waits for the activity
  job(int) j = job(n) {
    int s = f(n);
    s += f(s);
    s += f(s);
    return s + f(s);
  };
  b += await j;
  fm_job_free(j);
  race {
    case b += f(b): b += f(1); break;
    case fm_sleep(1000): b = -1; break;
  }
  return result * 1000 + b;
}

struct pair {
  const int x;
  int y;
};

async struct pair whole(int n) {
  struct pair p = { f(n), f(n + 1) };
  touch(&p.y);
  touch(&p.y);
  touch(&p.y);
  return p;
}

static int left;

async void cancelled(int n) {
  defer left++;
  for (int i = 0; i < n; i++) {
    defer left += 10;
    fm_sleep(1);
    fm_sleep(1);
    fm_sleep(1);
  }
  fm_sleep(1);
}

async int main(void) {
  printf("%d\n", loops(9)); // expect: 162
  printf("%d\n", jumps(1)); // expect: 204
  printf("%d\n", jumps(4)); // expect: 2879
  printf("%d\n", cases(6)); // expect: 164
  printf("%d\n", handlers(6)); // expect: 1886
  printf("%d\n", arrays(4)); // expect: 40
  printf("%d\n", arrays(40)); // expect: 107
  printf("%d\n", tails(3)); // expect: 3328
  printf("%d\n", shares(5)); // expect: 41149
  struct pair p = whole(3);
  printf("%d %d\n", p.x, p.y); // expect: 4 8
  for (int i = 1; i < 12; i++) {
    race {
      case cancelled(3): break;
      case fm_sleep(i): break;
    }
  }
  printf("%d\n", left); // expect: 251
  printf("%d %d\n", atomic(loops(9)), atomic(jumps(4))); // expect: 162 2879
  return 0;
}
