#ifndef POSTER_STATUS_H
#define POSTER_STATUS_H

#include <stdint.h>

#pragma clang assume_nonnull begin

#define POSTER_SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// The outcome of a decoding or encoding call. No call ever unwinds past its own frame.
enum poster_status {
    POSTER_OK POSTER_SWIFT_NAME(ok) = 0,
    /// The picture continues after the data fed so far.
    POSTER_HUNGRY POSTER_SWIFT_NAME(hungry),
    /// The library failed, or warned of invalid data; see its message.
    POSTER_CORRUPT POSTER_SWIFT_NAME(corrupt),
    /// The data ended before the picture did.
    POSTER_TRUNCATED POSTER_SWIFT_NAME(truncated),
    /// The watch stopped the work.
    POSTER_STOPPED POSTER_SWIFT_NAME(stopped),
    /// The file has more scans than the caller allows.
    POSTER_TOO_MANY_SCANS POSTER_SWIFT_NAME(tooManyScans),
    POSTER_OUT_OF_MEMORY POSTER_SWIFT_NAME(outOfMemory),
    /// Called out of order, after a failure, or with values out of range.
    POSTER_MISUSE POSTER_SWIFT_NAME(misuse),
} __attribute__((enum_extensibility(closed)));

/// Polled by codec loops between pieces of work. `ask` returns 0 to continue; any other value stops the work. It must
/// not unwind.
typedef struct {
    int32_t (*ask)(void *context);
    void *context;
} poster_watch;

static inline int32_t poster_watch_ends(const poster_watch *watch) { return watch->ask(watch->context); }

#pragma clang assume_nonnull end

#endif
