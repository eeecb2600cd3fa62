#ifndef POSTER_INFLATER_H
#define POSTER_INFLATER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define POSTER_SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// How far a zlib stream (RFC 1950) has come.
enum poster_inflater_status {
    /// The output is full, or the input used up.
    POSTER_INFLATER_RUNNING POSTER_SWIFT_NAME(running) = 0,
    /// The stream is complete, and its checksum fits.
    POSTER_INFLATER_ENDED POSTER_SWIFT_NAME(ended),
    /// The stream contradicts itself.
    POSTER_INFLATER_CORRUPT POSTER_SWIFT_NAME(corrupt),
    /// The stream is complete, but its checksum, an Adler-32, does not fit what came out.
    POSTER_INFLATER_WRONG_CHECKSUM POSTER_SWIFT_NAME(wrongChecksum),
    POSTER_INFLATER_OUT_OF_MEMORY POSTER_SWIFT_NAME(outOfMemory),
} __attribute__((enum_extensibility(closed)));

/// Where the next bytes come from and go to. Each call moves the pointers and takes from the counts, in bytes.
typedef struct {
    const uint8_t *_Nullable input;
    size_t input_count;
    uint8_t *_Nullable output;
    size_t output_count;
} poster_inflater_buffers;

/// A stream that is being inflated. Keeps the last 32 KiB itself, so buffers may be of any size and are free to be
/// changed between calls. Not thread-safe.
typedef struct poster_inflater poster_inflater;

/// Returns NULL only when memory is exhausted.
poster_inflater *_Nullable poster_inflater_create(void);
void poster_inflater_destroy(poster_inflater *_Nullable inflater);

/// Goes on until the output is full, the input is used up or the stream ends. Not to be called after that.
enum poster_inflater_status poster_inflater_run(poster_inflater *inflater, poster_inflater_buffers *buffers);

#pragma clang assume_nonnull end

#endif
