// atomics.c: the atomic operations of C11 and of the compilers' builtins, which code compiled with
// -fsanitize=thread calls as functions. They are what they say, with sequential consistency (but
// a relaxed store is one), and are noted as reads and writes: an activity can lose an update
// between two of them as well.
#include "atomicity/atomicity.h"

void fm__ato_read(const void *p, size_t size, void *pc);
void fm__ato_write(const void *p, size_t size, void *pc);

#define READS(p) \
  fm__ato_read((const void *)(p), sizeof *(p), __builtin_return_address(0))
#define WRITES(p) \
  fm__ato_write((const void *)(p), sizeof *(p), __builtin_return_address(0))

#define CHANGES(bits, T, name, builtin)                           \
  T __tsan_atomic##bits##_##name(volatile T *p, T v, int order);  \
  T __tsan_atomic##bits##_##name(volatile T *p, T v, int order) { \
    (void)order;                                                  \
    READS(p);                                                     \
    WRITES(p);                                                    \
    return builtin(p, v, __ATOMIC_SEQ_CST);                       \
  }

#define COMPARES(bits, T, strength, weak)                          \
  int __tsan_atomic##bits##_compare_exchange_##strength(           \
      volatile T *p, T *expected, T v, int order, int failed);     \
  int __tsan_atomic##bits##_compare_exchange_##strength(           \
      volatile T *p, T *expected, T v, int order, int failed) {    \
    (void)order;                                                   \
    (void)failed;                                                  \
    READS(p);                                                      \
    WRITES(p);                                                     \
    return __atomic_compare_exchange_n(                            \
        p, expected, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }

#define OPERATIONS(bits, T)                                          \
  T __tsan_atomic##bits##_load(const volatile T *p, int order);      \
  void __tsan_atomic##bits##_store(volatile T *p, T v, int order);   \
  T __tsan_atomic##bits##_compare_exchange_val(                      \
      volatile T *p, T expected, T v, int order, int failed);        \
  T __tsan_atomic##bits##_load(const volatile T *p, int order) {     \
    (void)order;                                                     \
    READS(p);                                                        \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                     \
  }                                                                  \
  void __tsan_atomic##bits##_store(volatile T *p, T v, int order) {  \
    WRITES(p);                                                       \
    if (order == __ATOMIC_RELAXED)                                   \
      __atomic_store_n(p, v, __ATOMIC_RELAXED);                      \
    else                                                             \
      __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                      \
  }                                                                  \
  CHANGES(bits, T, exchange, __atomic_exchange_n)                    \
  CHANGES(bits, T, fetch_add, __atomic_fetch_add)                    \
  CHANGES(bits, T, fetch_sub, __atomic_fetch_sub)                    \
  CHANGES(bits, T, fetch_and, __atomic_fetch_and)                    \
  CHANGES(bits, T, fetch_or, __atomic_fetch_or)                      \
  CHANGES(bits, T, fetch_xor, __atomic_fetch_xor)                    \
  CHANGES(bits, T, fetch_nand, __atomic_fetch_nand)                  \
  COMPARES(bits, T, strong, false)                                   \
  COMPARES(bits, T, weak, true)                                      \
  T __tsan_atomic##bits##_compare_exchange_val(                      \
      volatile T *p, T expected, T v, int order, int failed) {       \
    (void)order;                                                     \
    (void)failed;                                                    \
    READS(p);                                                        \
    WRITES(p);                                                       \
    __atomic_compare_exchange_n(                                     \
        p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                 \
  }

OPERATIONS(8, uint8_t)
OPERATIONS(16, uint16_t)
OPERATIONS(32, uint32_t)
OPERATIONS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
