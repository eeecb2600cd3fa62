// Shows ThreadSanitizer the part of Swift's Mutex that is compiled into the Synchronization library, without instrumentation: what a thread does when a mutex is taken.
// Without it, each contended mutex is reported as a race. The fast path is inlined into instrumented code.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef __attribute__((swiftcall)) void lock_slow_method(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_slow_method(__attribute__((swift_context)) void *mutex);

// The mangled names of `_MutexHandle._lockSlow(_:)` and `_MutexHandle._unlockSlow()`; the program's definitions precede the library's.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
lock_slow_method poster_lock_slow __asm__(LOCK_SLOW);
unlock_slow_method poster_unlock_slow __asm__(UNLOCK_SLOW);

static lock_slow_method *next_lock_slow;
static unlock_slow_method *next_unlock_slow;

__attribute__((constructor)) static void poster_find_mutex_methods(void) {
  next_lock_slow = (lock_slow_method *)dlsym(RTLD_NEXT, LOCK_SLOW);
  next_unlock_slow = (unlock_slow_method *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (!next_lock_slow || !next_unlock_slow) abort();
}

__attribute__((swiftcall)) void poster_lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  next_lock_slow(thread, mutex);
  __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void poster_unlock_slow(__attribute__((swift_context)) void *mutex) {
  __tsan_release(mutex);
  next_unlock_slow(mutex);
}
#endif
#endif
typedef int poster_threads_is_no_empty_file;
