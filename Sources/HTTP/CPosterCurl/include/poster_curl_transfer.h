#ifndef POSTER_CURL_TRANSFER_H
#define POSTER_CURL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define POSTER_CURL_SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// A reusable request handle: one request at a time. Confined to the thread of the multi that it is in.
typedef struct poster_curl_transfer poster_curl_transfer;

/// Callbacks of a transfer, with the context given at its creation. They run inside poster_curl_multi_perform, must not
/// unwind, and must not call back into libcurl. Returning false ends the transfer with POSTER_CURL_WRITE_REFUSED, or,
/// for `admit`, makes libcurl try the host's next address.
typedef struct poster_curl_hooks {
    /// Returns whether a socket may be connected to this address. `address` is a sockaddr of `byte_count` bytes.
    bool (*admit)(void *context, const void *address, size_t byte_count);
    /// Receives one line of the response's head, with its line break; the last one is only a line break.
    bool (*head)(void *context, const void *line, size_t byte_count);
    /// Receives the next bytes of the body, without chunking, in its content coding; never empty.
    bool (*body)(void *context, const void *bytes, size_t byte_count);
} poster_curl_hooks;

/// Classes of CURLcodes.
enum poster_curl_outcome {
    POSTER_CURL_COMPLETE POSTER_CURL_SWIFT_NAME(complete) = 0,
    POSTER_CURL_BAD_URL POSTER_CURL_SWIFT_NAME(badURL),
    POSTER_CURL_NOT_RESOLVED POSTER_CURL_SWIFT_NAME(notResolved),
    POSTER_CURL_NOT_CONNECTED POSTER_CURL_SWIFT_NAME(notConnected),
    POSTER_CURL_TLS_FAILED POSTER_CURL_SWIFT_NAME(tlsFailed),
    /// The server's certificate is not trusted.
    POSTER_CURL_NOT_TRUSTED POSTER_CURL_SWIFT_NAME(notTrusted),
    /// The file of trusted certificates cannot be read: a local fault.
    POSTER_CURL_TRUST_UNREADABLE POSTER_CURL_SWIFT_NAME(trustUnreadable),
    /// The connect timeout or the low-speed limit; see poster_curl_transfer_has_connected.
    POSTER_CURL_TIMED_OUT POSTER_CURL_SWIFT_NAME(timedOut),
    /// The connection or the stream ended before the response did, or its framing is broken.
    POSTER_CURL_CUT_SHORT POSTER_CURL_SWIFT_NAME(cutShort),
    /// A hook returned false.
    POSTER_CURL_WRITE_REFUSED POSTER_CURL_SWIFT_NAME(writeRefused),
    POSTER_CURL_OUT_OF_MEMORY POSTER_CURL_SWIFT_NAME(outOfMemory),
    POSTER_CURL_OTHER POSTER_CURL_SWIFT_NAME(other),
} __attribute__((enum_extensibility(closed)));

enum poster_curl_outcome poster_curl_outcome_of(int32_t code);

/// Limits that libcurl enforces itself.
typedef struct poster_curl_limits {
    /// For connecting and the TLS handshake together.
    long connect_timeout_milliseconds;
    /// A transfer ends if it receives fewer bytes per second than this for `low_speed_seconds`.
    long low_speed_bytes_per_second;
    long low_speed_seconds;
    /// How long the addresses of poster_curl_transfer_set_addresses are cached. They must outlive the transfer: libcurl
    /// needs them again if a pooled connection turns out to be dead.
    long address_seconds;
} poster_curl_limits;

/// Creates a transfer with every option set except its target. `user_agent` is copied, `context` is borrowed until
/// destroy. Returns NULL if memory is exhausted or this libcurl lacks an option.
poster_curl_transfer *_Nullable poster_curl_transfer_create(const poster_curl_hooks *hooks, void *context,
                                                            const poster_curl_limits *limits, const char *user_agent);
/// The transfer must not be in a multi.
void poster_curl_transfer_destroy(poster_curl_transfer *_Nullable transfer);

/// Sets the URL to GET, over HTTP/1.1, or over HTTP/2 if that is allowed and the server offers it in the TLS handshake.
/// `url` is copied. The transfer must not be in a multi. Returns false if memory is exhausted.
bool poster_curl_transfer_set_target(poster_curl_transfer *transfer, const char *url, bool allows_http2);
/// Sets a method other than GET, such as "POST" (copied), with a body of `byte_count` bytes (copied), or without one if
/// that is negative. Call it after poster_curl_transfer_set_target. Returns false if memory is exhausted.
bool poster_curl_transfer_set_method(poster_curl_transfer *transfer, const char *method, const void *_Nullable bytes,
                                     ptrdiff_t byte_count);
/// Adds "Name: value" (copied) to the request's head, or "Name;" for an empty value.
bool poster_curl_transfer_add_header(poster_curl_transfer *transfer, const char *line);
/// Sets the addresses of the target's host: "+host:port:address,address" (copied), IPv6 addresses in brackets. Replaces
/// the addresses that any transfer of the multi has set for that host and port. Without it, or
/// poster_curl_transfer_allow_resolving, the transfer fails: libcurl resolves no names. Returns false if memory is
/// exhausted.
bool poster_curl_transfer_set_addresses(poster_curl_transfer *transfer, const char *entry);
/// Uses the proxy with this URL (copied). Returns false if memory is exhausted.
bool poster_curl_transfer_set_proxy(poster_curl_transfer *transfer, const char *proxy);
/// Forbids pooled connections, for which `admit` is not called. Returns false if this libcurl lacks the option.
bool poster_curl_transfer_forbid_kept_connections(poster_curl_transfer *transfer);
/// Whether a transfer that ended with `code` failed because of its pooled connection: bytes were unread on it, or it
/// yielded nothing, no HTTP, a response from before the request, a 400 or a 408. Apart from `admit`, hooks have
/// received interim responses at most, and a new connection may succeed.
bool poster_curl_transfer_met_stale_connection(const poster_curl_transfer *transfer, int32_t code);
/// Prepares such a transfer, which must have been removed, to be added once more. It then uses a new connection.
/// Returns false if this libcurl lacks an option.
bool poster_curl_transfer_prepare_repetition(poster_curl_transfer *transfer);
/// Lets libcurl resolve the proxy's name, or a target that is a literal address.
void poster_curl_transfer_allow_resolving(poster_curl_transfer *transfer);

/// Trusts the PEM certificates in this file instead of the system's. The path is copied. Returns false if memory is
/// exhausted.
bool poster_curl_transfer_trust(poster_curl_transfer *transfer, const char *certificates_file);

void *poster_curl_transfer_context(const poster_curl_transfer *transfer);
/// Whether the current target's connection was ready for the request.
bool poster_curl_transfer_has_connected(poster_curl_transfer *transfer);
/// Whether a socket could not be opened because the process or the system has too many open descriptors.
bool poster_curl_transfer_is_out_of_descriptors(const poster_curl_transfer *transfer);
/// Whether the process or the system has no, or only a handful of, free descriptors. For failures that may have this
/// cause and do not report it; the failed call may have released its own descriptors before.
bool poster_curl_is_short_of_descriptors(void);
/// libcurl's error text for a failure of this transfer. Valid until the transfer is used again.
const char *poster_curl_transfer_message(const poster_curl_transfer *transfer, int32_t code);

#pragma clang assume_nonnull end

#endif
