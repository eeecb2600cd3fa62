#ifndef POSTER_CURL_MULTI_H
#define POSTER_CURL_MULTI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "poster_curl_transfer.h"

#pragma clang assume_nonnull begin

/// A set of transfers and the connections they share. Belongs to one thread, except for poster_curl_multi_wakeup.
typedef struct poster_curl_multi poster_curl_multi;

/// Initialises libcurl for this process. Call it once, before any other function here. Returns false if that fails.
bool poster_curl_global_init(void);

/// Returns NULL only when memory or file descriptors are exhausted. Each connection carries one transfer at a time.
/// `max_connections` includes idle ones; add no more transfers than that at once.
poster_curl_multi *_Nullable poster_curl_multi_create(long max_connections);
/// Closes every connection. Every transfer must have been removed.
void poster_curl_multi_destroy(poster_curl_multi *_Nullable multi);

/// Starts a transfer. The transfer is borrowed until it is removed. Returns 0 or libcurl's CURLMcode.
int32_t poster_curl_multi_add(poster_curl_multi *multi, poster_curl_transfer *transfer);
/// Ends a transfer, finished or not; an unfinished one loses its connection. No hook runs afterwards.
void poster_curl_multi_remove(poster_curl_multi *multi, poster_curl_transfer *transfer);

/// Makes progress without waiting; hooks run inside. Returns 0 or libcurl's CURLMcode.
int32_t poster_curl_multi_perform(poster_curl_multi *multi);
/// Waits for the network, for a wakeup, or for the timeout. Returns 0 or libcurl's CURLMcode.
int32_t poster_curl_multi_poll(poster_curl_multi *multi, int32_t timeout_milliseconds);
/// Ends the current poll, or the next one. The only call that any thread may make, while `multi` exists.
void poster_curl_multi_wakeup(poster_curl_multi *multi);

/// Returns a transfer that has ended by itself, or NULL, and stores its CURLcode in `code`. It still has to be removed.
poster_curl_transfer *_Nullable poster_curl_multi_next_ended(poster_curl_multi *multi, int32_t *code);

/// Sets the name of the calling thread, for debuggers and /proc; at most 15 bytes.
void poster_curl_name_thread(const char *name);

#pragma clang assume_nonnull end

#endif
