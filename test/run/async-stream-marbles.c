// Diagrams of streams: what each operator that waits for time or for several streams does, column by
// column. All but the errors after a delay are as RxJS has them.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/stream.h>

static int wrong;
#define M(diagram) fm_stream_marbles(diagram)
#define IS(s, diagram)                                  \
  do {                                                  \
    if (!fm_marbles_match(s, diagram)) {                \
      printf("line %d\n", __LINE__);                    \
      wrong++;                                          \
    }                                                   \
  } while (0)

typedef fm_stamped(char) stamped;
typedef fm_stream(stamped) stampeds;
static char either(char x, char c) { return x == 'x' ? c : (char)(c - 32); }
static fm_marbles inner(char c) { return fm_stream_map(fm_marbles, M("-x-y|"), either, c); }
static fm_marbles failing(char c) { return c == 'b' ? M("-x#") : M("-(x|)"); }
static char first(char a, char b) { (void)b; return a; }
static char second(char a, char b) { (void)a; return b; }
static char kind(char c) { return c >= 'a' ? 'l' : 'd'; }
static fm_marbles whole(char k, fm_marbles g) { (void)k; return g; }
static fm_marbles two(char k, fm_marbles g) { return k == 'l' ? fm_stream_take(g, 2) : g; }
static fm_marbles later(char k, fm_marbles g, uint64_t ms) { return k == 'l' ? fm_stream_delay(g, ms) : g; }
static fm_marbles none(char k, fm_marbles g) {
  fm_stream_drop(g);
  return k == 'l' ? M("---z|") : M("|");
}
static fm_marbles start_and_more(char k, fm_marbles g) {
  (void)k;
  return fm_stream_concat(fm_stream_take(g, 1), M("--------z|"));
}
static char column(stamped s, uint64_t from) { return (char)('0' + (s.at - from) / 1000000); }

static async void diagrams(void) {
  IS(M("--a-(bc)-|"), "--a-(bc)-|");
  IS(M(" a - b "), "a-b---");
  IS(M("|"), "|");
  IS(M("#"), "#");
  IS(M(""), "---");
  IS(M("(ab|)"), "(ab|)");
}

static async void timed(void) {
  IS(fm_stream_delay(M("a-b|"), 3), "---a-(b|)");
  IS(fm_stream_delay(M("a-b-----|"), 3), "---a-b--|");
  IS(fm_stream_delay(M("(abc|)"), 3), "---(abc|)");
  IS(fm_stream_delay(M("a-#"), 3), "---(a#)");
  IS(fm_stream_delay(M("a-b|"), 0), "a-b|");
  IS(fm_stream_timeout(M("a--b-----c|"), 4), "a--b---#");
  IS(fm_stream_timeout(M("a--b---c|"), 5), "a--b---c|");
  IS(fm_stream_timeout(M("------a|"), 5), "-----#");
  IS(fm_stream_timeout(M("a--#"), 5), "a--#");
  IS(fm_stream_timeout(M("a"), 2), "a-#");
  IS(fm_stream_retry(fm_stream_timeout(M("a"), 2), 1), "a-a-#");
  IS(fm_stream_sample(M("a-b-c---d-|"), M("-x-x---x---x")), "-a-b---c--|");
  IS(fm_stream_sample(M("a-b-c--|"), M("-x-|")), "-a-----|");
  IS(fm_stream_sample(M("a-b-c--|"), M("-x-#")), "-a-#");
  IS(fm_stream_sample_time(M("a-b-c---d-|"), 3), "---b--c--d|");
  IS(fm_stream_map(fm_marbles, fm_stream_timestamp(stampeds, M("-a--b|")), column, fm_now()), "-1--4|");
}

static async void several(void) {
  IS(fm_stream_with_latest_from(fm_marbles, M("a-b-c---d-|"), M("-x-y---z|"), first), "--b-c---d-|");
  IS(fm_stream_with_latest_from(fm_marbles, M("a-b-c---d-|"), M("-x-y---z|"), second), "--x-y---z-|");
  IS(fm_stream_with_latest_from(fm_marbles, M("a-b-|"), M("|"), first), "----|");
  IS(fm_stream_with_latest_from(fm_marbles, M("a-b-|"), M("x#"), first), "a#");
  IS(fm_stream_exhaust_map(fm_marbles, M("a-b---c-|"), inner), "-a-A---c-C|");
  IS(fm_stream_exhaust_map(fm_marbles, M("a-b---c-|"), failing), "-x-x#");
  IS(fm_stream_exhaust_map(fm_marbles, M("|"), inner), "|");
  fm_marbles some[] = { M("a--b|"), M("-c---|"), M("d|") };
  IS(fm_stream_merge_array(some, 3), "(ad)c-b-|");
  fm_marbles more[] = { M("a--b|"), M("-c---|"), M("d|") };
  IS(fm_stream_concat_array(more, 3), "a--b-c---d|");
  IS(fm_stream_merge_array(more, 0), "|");
  IS(fm_stream_concat_array(more, 0), "|");
}

static async void groups(void) {
  IS(fm_stream_group_by(fm_marbles, char, M("a1b2c3|"), kind, whole), "a1b2c3|");
  IS(fm_stream_group_by(fm_marbles, char, M("a1b2c3d|"), kind, two), "a1b2-3-|");
  IS(fm_stream_group_by(fm_marbles, char, M("a1b2c3|"), kind, later, 5), "-1-2-(a3)-b-(c|)");
  IS(fm_stream_group_by(fm_marbles, char, M("a1b2c3|"), kind, none), "---z--|");
  IS(fm_stream_group_by(fm_marbles, char, M("a1b2#"), kind, whole), "a1b2#");
  IS(fm_stream_group_by(fm_marbles, char, M("|"), kind, whole), "|");
  // What nothing takes any more does not hold back the other group.
  IS(fm_stream_group_by(fm_marbles, char, M("1(aaaaaaaaaaaaaaaaaaaaaaaa)2|"), kind, start_and_more),
     "1a------z" "z|");
}

static async void shared(void) {
  fm_marbles s = fm_stream_share(M("a-b-c-|"), 1);
  IS(fm_stream_merge(fm_stream_keep(s), fm_stream_keep(s)), "(aa)-(bb)-(cc)-|");
  IS(fm_stream_concat(fm_stream_keep(s), fm_stream_keep(s)), "a-b-c-a-b-c-|");
  IS(fm_stream_take(fm_stream_keep(s), 2), "a-(b|)");
  // The second one comes later, and has the rest.
  fm_marbles second = fm_stream_skip(fm_stream_concat(fm_stream_delay(M("x|"), 3), fm_stream_keep(s)), 1);
  IS(fm_stream_merge(fm_stream_keep(s), second), "a-b-(cc)-|");
  // The first one leaves; the other goes on.
  IS(fm_stream_merge(fm_stream_take(fm_stream_keep(s), 1), fm_stream_keep(s)), "(aa)-b-c-|");
  fm_stream_drop(s);
  s = fm_stream_share(M("a-#"), 0);
  IS(fm_stream_merge(fm_stream_keep(s), fm_stream_keep(s)), "(aa)-#");
  IS(fm_stream_retry(s, 1), "a-a-#");
}

async int main(void) {
  diagrams();
  timed();
  several();
  groups();
  shared();
  printf("%d wrong\n", wrong);                    // expect: 0 wrong
  wrong = 0;
  printf("%d\n", fm_marbles_match(M("a-b|"), "a-c|")); // expect: 0
  printf("%d\n", fm_marbles_match(M("a-b|"), "a-b-|")); // expect: 0
  printf("%d\n", fm_marbles_match(M("a-b"), "a-b|")); // expect: 0
}
