#pragma fermata
struct bad { int line; };
async int leaf(int x) throws(struct bad);
async int f(int n) throws(struct bad) {
  task(int) t = spawn leaf(n);
  try { n = await t + leaf(2); } catch (struct bad b) { n = b.line; } finally { yield; }
  defer n++;
  atomic { n += leaf(3); }
  scope (s) { activate (n) { leaf(n); } } else throw (struct bad){ 1 };
  race { case n = leaf(1): break; case leaf(2): n = 4; }
  return n;
}
int main(void) { return run f(3); }
