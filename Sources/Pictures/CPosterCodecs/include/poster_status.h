#ifndef POSTER_STATUS_H
#define POSTER_STATUS_H

#include <stdint.h>

#pragma clang assume_nonnull begin

#define POSTER_SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// Outcome of a call that decodes or encodes. No call ever unwinds past its own frame.
enum poster_status {
    POSTER_OK POSTER_SWIFT_NAME(ok) = 0,
    /// The picture goes on after the data fed so far.
    POSTER_HUNGRY POSTER_SWIFT_NAME(hungry),
    /// The library gave up, or warned of data that cannot be right; see its message.
    POSTER_CORRUPT POSTER_SWIFT_NAME(corrupt),
    /// The data ended before the picture did.
    POSTER_TRUNCATED POSTER_SWIFT_NAME(truncated),
    /// The watch ended the work.
    POSTER_STOPPED POSTER_SWIFT_NAME(stopped),
    /// The file has more scans than the caller allows.
    POSTER_TOO_MANY_SCANS POSTER_SWIFT_NAME(tooManyScans),
    POSTER_OUT_OF_MEMORY POSTER_SWIFT_NAME(outOfMemory),
    /// Called out of order, after a failure, or with values out of range.
    POSTER_MISUSE POSTER_SWIFT_NAME(misuse),
} __attribute__((enum_extensibility(closed)));

/// Polled by codec loops between pieces of work. `ask` returns 0 to go on; anything else ends the work. It must not
/// unwind.
typedef struct {
    int32_t (*ask)(void *context);
    void *context;
} poster_watch;

static inline int32_t poster_watch_ends(const poster_watch *watch) { return watch->ask(watch->context); }

#pragma clang assume_nonnull end

#endif
