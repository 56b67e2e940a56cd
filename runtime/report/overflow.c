// overflow.c: a C stack that is exhausted. Async calls move to the heap before that. Plain
// functions and atomic versions stay on the stack, and a recursion of them can reach its end. The
// kernel's answer is SIGSEGV. A handler, on a stack of its own for each thread of ours, reports
// what has happened and in which function:
//
//     fermata: the C stack is exhausted in walk (tree.c:17): a recursion inside atomic stays …
//
// Then, as for every other SIGSEGV, it restores the default action and returns: the same
// instruction faults again, and the program ends with the status and the core dump that it would
// have had.
//
// The handler is set when the first domain begins, if the program has none and no sanitizer handles
// SIGSEGV. A program that sets a handler later simply replaces it.
#define _GNU_SOURCE
#include "fm.h"
#include "report/symbols.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

void __asan_init(void) __attribute__((weak));
void __tsan_init(void) __attribute__((weak));
void __msan_init(void) __attribute__((weak));

// ---- where the thread stood ----
typedef struct Place {
  uintptr_t stack, code; // its registers; 0: not known on this processor
  uintptr_t fault;       // the address it wanted to use
} Place;

static Place place_of(const siginfo_t *info, const ucontext_t *u) {
  Place p = { .fault = (uintptr_t)info->si_addr };
#if defined __x86_64__
  p.stack = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
  p.code = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  p.stack = u->uc_mcontext.sp;
  p.code = u->uc_mcontext.pc;
#else
  (void)u;
#endif
  return p;
}

// The stack pointer is near the lowest address of the stack or, with large variables, below it, and
// so is the address that the thread wanted to use. A wild pointer is neither, nor is a stack that
// the program made for itself.
enum { NEAR = 128 << 10, FAR = 256 << 20 };
static bool is_overflow(const Place *p, uintptr_t low) {
  uintptr_t stack = p->stack ? p->stack : low;
  return stack < low + NEAR && stack + FAR > low && p->fault < low &&
         p->fault + NEAR >= (stack < low ? stack : low);
}

// ---- which function it was ----
// A function with several calls on the stack. Words of the stack that look like return addresses
// are counted, because the frames of optimised code are not linked. Some of these words are left
// from calls that have returned. Hence the order of preference: functions of the program (libraries
// are stripped) before all others, the running function before its callers, atomic versions before
// plain functions, inner ones before outer ones.
enum { LOOK_AT = 256 << 10, FUNCTIONS = 32, RECURS = 2, LOOKUPS = 400 };
typedef struct Count {
  fm__function f;
  size_t calls;
} Count;
typedef struct Search {
  fm__symbols symbols;
  size_t lookups; // in tables of symbols, which may be long
  size_t n;
  Count found[FUNCTIONS]; // the innermost first
} Search;

static Count *count_at(Search *s, uintptr_t address) {
  for (size_t i = 0; i < s->n; i++)
    if (s->found[i].f.low <= address && address < s->found[i].f.high)
      return &s->found[i];
  return NULL;
}

static bool is_code(const Search *s, uintptr_t address) {
  for (size_t i = 0; i < s->symbols.count; i++)
    if (s->symbols.images[i].low <= address &&
        address < s->symbols.images[i].high)
      return true;
  return false;
}

static Count *look_up(Search *s, uintptr_t address) {
  Count *c = count_at(s, address);
  if (c || s->n == FUNCTIONS || s->lookups == LOOKUPS || !is_code(s, address))
    return c;
  s->lookups++;
  c = &s->found[s->n];
  if (!fm__function_at(&s->symbols, address, &c->f))
    return NULL;
  c->calls = 0;
  s->n++;
  return c;
}

static bool is_runtime(const fm__function *f) {
  return strncmp(f->name, "fm_", 3) == 0;
}

static int weight(const Count *c, uintptr_t code) {
  bool running = c->f.low <= code && code < c->f.high;
  if (c->calls < RECURS || is_runtime(&c->f))
    return 0;
  return 1 + 4 * c->f.full + 2 * running + c->f.atomic;
}

static const fm__function *heaviest(const Search *s, uintptr_t code) {
  const Count *best = s->n ? &s->found[0] : NULL;
  for (size_t i = 1; i < s->n; i++)
    if (weight(&s->found[i], code) > weight(best, code))
      best = &s->found[i];
  return best ? &best->f : NULL;
}

// The kernel copies the words: whatever they are, nothing can go wrong, and valgrind does not
// complain that some of them were never written.
enum { WORDS = 512 };
static size_t copy_words(uintptr_t *words, uintptr_t from, uintptr_t to) {
  size_t bytes =
      to - from < WORDS * sizeof *words ? to - from : WORDS * sizeof *words;
  struct iovec here = { words, bytes };
  struct iovec there = { (void *)from, bytes };
  ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  return n > 0 ? (size_t)n / sizeof *words : 0;
}

static void count_calls(Search *s, uintptr_t from, uintptr_t to) {
  uintptr_t words[WORDS];
  for (size_t n; from < to && (n = copy_words(words, from, to));
       from += n * sizeof *words)
    for (size_t i = 0; i < n; i++) {
      Count *c = look_up(s, words[i] - 1);
      if (c)
        c->calls++;
    }
}

static const fm__function *
culprit(Search *s, const Place *p, uintptr_t low, uintptr_t high) {
  uintptr_t from = (p->stack > low ? p->stack : low) & ~(sizeof from - 1);
  s->n = s->lookups = 0;
  fm__symbols_begin(&s->symbols);
  look_up(s, p->code);
  count_calls(s, from, high - from > LOOK_AT ? from + LOOK_AT : high);
  return heaviest(s, p->code);
}

// ---- the message ----
typedef struct Message {
  size_t n;
  char text[1024];
} Message;

static void add(Message *m, const char *text, size_t n) {
  size_t room = sizeof m->text - m->n;
  if (n > room)
    n = room;
  memcpy(m->text + m->n, text, n);
  m->n += n;
}

static void add_text(Message *m, const char *text) {
  add(m, text, strlen(text));
}

static void add_number(Message *m, uint32_t n) {
  char digits[10];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + n % 10);
  while (n /= 10);
  add(m, digits + at, sizeof digits - at);
}

static void add_function(Message *m, const fm__function *f) {
  const fm_code *code = f->code;
  add_text(m, " in ");
  add(m, f->name, f->length);
  if (!code || !code->file || !code->nstates || !code->lines)
    return;
  add_text(m, " (");
  add_text(m, code->file);
  add_text(m, ":");
  add_number(m, code->lines[0]);
  add_text(m, ")");
}

// Outside of atomic an async function that recurses on the stack is one that takes `...`.
static const char *advice(fm__runtime *d, const fm__function *f) {
  if (d && fm__is_atomic(d))
    return ": a recursion inside atomic stays on it; make the stack larger "
           "(ulimit -s), or recurse outside of atomic\n";
  if (f && f->code)
    return ": a recursion of functions that take `...` or a va_list stays on "
           "it; make the stack larger (ulimit -s), or let another async "
           "function take part in the recursion\n";
  return ": a recursion of plain functions stays on it; make the stack larger "
         "(ulimit -s), or the functions async\n";
}

static void say(fm__runtime *d, const fm__function *f) {
  Message m = { 0 };
  add_text(&m, "fermata: the C stack is exhausted");
  if (f)
    add_function(&m, f);
  add_text(&m, advice(d, f));
  ssize_t n = write(STDERR_FILENO, m.text, m.n);
  (void)n;
}

// d: NULL in a thread without a domain
static void report(fm__runtime *d, const Place *p, uintptr_t high) {
  fm__mapping stack;
  Search s;
  uintptr_t low = d ? d->limit : 0;
  if (fm__mapping_at(high - 1, &stack))
    low = stack.low;
  if (low && is_overflow(p, low))
    say(d, p->code ? culprit(&s, p, low, high) : NULL);
}

// ---- the handler ----
// An address in the stack of a thread that has no domain; 0: such a thread is not ours.
static __thread uintptr_t thread_high
    __attribute__((tls_model("initial-exec")));

static void on_fault(int signo, siginfo_t *info, void *context) {
  fm__runtime *d = fm__runtime_here();
  uintptr_t high = d ? d->stack_high : thread_high;
  int err = errno;
  if (high && info->si_code > 0) {
    Place p = place_of(info, context);
    report(d, &p, high);
  }
  signal(signo, SIG_DFL);
  if (info->si_code <= 0) // a process has sent it: it would not come again
    raise(signo);
  errno = err;
}

static void set_handler(void) {
  // A handler without SA_RESTART would count as one that interrupts system calls.
  struct sigaction now;
  struct sigaction ours = { .sa_sigaction = on_fault,
                            .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
  if (__asan_init || __tsan_init || __msan_init ||
      sigaction(SIGSEGV, NULL, &now) < 0)
    return;
  if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
    sigaction(SIGSEGV, &ours, NULL);
}

static bool is_ours(void) {
  struct sigaction now;
  return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO &&
         now.sa_sigaction == on_fault;
}

// ---- its stack ----
enum { SIGNAL_STACK = 64 << 10 };
_Static_assert(sizeof(Search) + sizeof(Message) + 8192 < SIGNAL_STACK / 2,
               "room for registers");

// NULL: it has one already, or there is no memory, or the handler is not ours
static void *stack_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  stack_t now;
  stack_t ours = { .ss_size = SIGNAL_STACK };
  pthread_once(&once, set_handler);
  if (!is_ours() || sigaltstack(NULL, &now) < 0 || !(now.ss_flags & SS_DISABLE))
    return NULL;
  ours.ss_sp = mmap(NULL,
                    SIGNAL_STACK,
                    PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS,
                    -1,
                    0);
  if (ours.ss_sp == MAP_FAILED)
    return NULL;
  if (sigaltstack(&ours, NULL) == 0)
    return ours.ss_sp;
  munmap(ours.ss_sp, SIGNAL_STACK);
  return NULL;
}

// The program may have set another stack meanwhile, which stays.
static void stack_end(void *stack) {
  stack_t now;
  stack_t none = { .ss_flags = SS_DISABLE };
  if (!stack)
    return;
  if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack)
    sigaltstack(&none, NULL);
  munmap(stack, SIGNAL_STACK);
}

void fm__overflow_begin(fm__runtime *d) {
  void *stack = stack_begin();
  if (stack)
    d->signal_stack = stack;
}

void fm__overflow_end(fm__runtime *d) {
  stack_end(d->signal_stack);
  d->signal_stack = NULL;
}

void *fm__overflow_thread_begin(void) {
  thread_high = (uintptr_t)__builtin_frame_address(0);
  return stack_begin();
}

void fm__overflow_thread_end(void *stack) {
  thread_high = 0;
  stack_end(stack);
}
