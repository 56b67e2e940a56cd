// one-domain.c: a page has one domain, and no thread that could have another. These functions take
// the place of domains/claim.c, deadlock-across.c, pool.c, remote.c, remote-await.c,
// remote-control.c, remote-sync.c and starts.c: no domain or pool can be made, nothing is remote,
// every object is the domain's own. The linker then drops what only other domains could need.
#include "domains/starts.h"
#include "wait/park.h"

#include <stdlib.h>

// ---- pool.c ----
fm_domain *fm_domain_new(fm_driver *driver) {
  (void)driver;
  return NULL;
}

// A domain that is not NULL is the caller's own.
void fm_domain_free(fm_domain *c) {
  if (c)
    fm__fatal(fm__runtime_of(c),
              "fm_domain_free of a domain that fm_domain_new did not make, "
              "that has ended, or that is the caller's own");
}

fm_pool *fm_pool_new(int domains) {
  (void)domains;
  return NULL;
}

void fm_pool_free(fm_pool *p) {
  (void)p;
}

int fm_pool_size(const fm_pool *p) {
  (void)p;
  return 0;
}

fm_domain *fm_pool_domain(const fm_pool *p, int i) {
  (void)p;
  (void)i;
  return NULL;
}

void fm__block_signals(sigset_t *before) {
  sigemptyset(before);
}

// ---- remote.c ----
static void no_place(fm_domain *c) {
  fm__fatal(fm__runtime_of(c),
            "spawn on(NULL): perhaps the domain or pool could not be made");
}

fm_task
fm__spawn_on(fm_domain *c, fm_frame *root, unsigned how, fm_domain *to) {
  if (to != c)
    no_place(c);
  return fm__spawn(c, root, how & ~(unsigned)FM_SPAWN_ON, (fm_activity){ 0 });
}

fm_task
fm__spawn_in_pool(fm_domain *c, fm_frame *root, unsigned how, fm_pool *p) {
  (void)root;
  (void)how;
  (void)p;
  no_place(c);
  return (fm_task){ 0 };
}

fm__errand *fm__proxy(const fm_node *a) {
  (void)a;
  return NULL;
}

void fm__proxy_pause(fm__errand *r) {
  (void)r;
}

void fm__proxy_resume(fm__errand *r) {
  (void)r;
}

const char *fm__proxy_wants(const fm_node *a) {
  (void)a;
  return NULL;
}

void fm__ear_hears(fm__runtime *d, fm_node *ear, fm_node *a) {
  (void)d;
  (void)ear;
  (void)a;
}

fm_node *fm__start_here(fm__runtime *d, const fm_node *proxy) {
  (void)d;
  (void)proxy;
  return NULL;
}

void fm__guests_drop(fm__runtime *d) {
  (void)d;
}

// ---- starts.c ----
void fm__starts_take(fm__runtime *d) {
  (void)d;
}

bool fm__starts_steal(fm__runtime *d) {
  (void)d;
  return false;
}

bool fm__starts_visible(fm__runtime *d) {
  (void)d;
  return false;
}

void fm__starts_awake(fm__runtime *d) {
  (void)d;
}

void fm__starts_idle(fm__runtime *d) {
  (void)d;
}

void fm__starts_busy(fm__runtime *d) {
  (void)d;
}

void fm__starts_sliced(fm__runtime *d) {
  (void)d;
}

bool fm__starts_turn(fm__runtime *d) {
  (void)d;
  return false;
}

// ---- remote-control.c, remote-await.c: no handle is another domain's ----
bool fm__is_remote(fm_activity a) {
  (void)a;
  return false;
}

void fm__remote_cancel(fm_activity a, const char *file, int line) {
  (void)a;
  (void)file;
  (void)line;
}

void fm__remote_pause(fm_activity a) {
  (void)a;
}

void fm__remote_resume(fm_activity a) {
  (void)a;
}

fm_activity fm__remote_join(fm_domain *c, fm_activity a) {
  (void)c;
  return a;
}

uint64_t fm__remote_word(fm_activity a) {
  (void)a;
  return 0;
}

void fm__remote_share(fm_task t) {
  (void)t;
}

void fm__remote_detach(fm_task t) {
  (void)t;
}

void fm__remote_forget(fm_task t) {
  (void)t;
}

void fm__remote_await(fm_domain *c, fm_task t) {
  (void)c;
  (void)t;
  abort();
}

fm_task fm__stand_in(fm_domain *c, fm_task t, fm__stand_in_for what) {
  (void)c;
  (void)what;
  return t;
}

// ---- claim.c: a race has a claim only while another domain may win it ----
void fm__offers_start(fm__runtime *d, fm_node *s) {
  (void)d;
  (void)s;
}

void fm__claim_abandon(fm__claim *c) {
  (void)c;
}

bool fm__claim_take(fm__claim *c, uintptr_t by) {
  (void)c;
  (void)by;
  return true;
}

fm__matched fm__claim_match(fm__offer *by, fm__claim *partner, uintptr_t as) {
  (void)by;
  (void)partner;
  (void)as;
  return FM__MATCHED;
}

// ---- deadlock-across.c ----
bool fm__stalled_begin(fm__runtime *d) {
  (void)d;
  return true;
}

void fm__stalled_end(fm__runtime *d) {
  (void)d;
}

// ---- remote-sync.c ----
fm_domain *fm__owner_here(void) {
  fm__runtime *d = fm__runtime_here();
  return d ? &d->c : NULL;
}

bool fm__is_own(fm_domain *c, fm_domain **owner) {
  *owner = c;
  return true;
}

bool fm__done_by_request(fm_domain *c,
                         fm_domain **owner,
                         const fm__request_kind *op,
                         void *o,
                         fm__queue *q,
                         void *v,
                         size_t size) {
  (void)op;
  (void)o;
  (void)q;
  (void)v;
  (void)size;
  *owner = c;
  return false;
}

fm__runtime *fm__object_user(fm_domain **owner, bool *own) {
  *owner = fm__here();
  *own = true;
  return fm__runtime_of(*owner);
}

void fm__request_post(fm_domain *owner,
                      void (*fn)(fm__runtime *, void *o, void *v, size_t size),
                      void *o,
                      const void *v,
                      size_t size) {
  (void)owner;
  (void)fn;
  (void)o;
  (void)v;
  (void)size;
  abort();
}

void fm__request_served(fm__runtime *d, fm_node *a, int outcome) {
  (void)d;
  (void)a;
  (void)outcome;
}

fm__offer *fm__request_offer(fm_node *a) {
  (void)a;
  return NULL;
}

void *fm__request_value(fm_node *a) {
  (void)a;
  return NULL;
}

void fm__request_discard(fm__runtime *d, fm_node *a) {
  (void)d;
  (void)a;
}

void fm__requests_drop(fm__runtime *d) {
  (void)d;
}
