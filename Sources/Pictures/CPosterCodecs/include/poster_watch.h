#ifndef POSTER_WATCH_H
#define POSTER_WATCH_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Whom codec loops ask between pieces of work whether to go on. `ask` returns 0 to go on; anything else ends the work,
/// and the caller knows why. It must not unwind.
typedef struct {
    int32_t (*ask)(void *context);
    void *context;
} poster_watch;

static inline int32_t poster_watch_ends(const poster_watch *watch) { return watch->ask(watch->context); }

#pragma clang assume_nonnull end

#endif
