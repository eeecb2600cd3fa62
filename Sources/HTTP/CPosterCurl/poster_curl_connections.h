#ifndef POSTER_CURL_CONNECTIONS_H
#define POSTER_CURL_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <curl/curl.h>

/// The sockets of a multi's connections, busy and idle. libcurl does not report a transfer's own socket while it runs.
typedef struct poster_curl_connections {
    curl_socket_t *sockets;
    size_t count;
    size_t capacity;
} poster_curl_connections;

/// If memory is exhausted, the socket is not recorded, and its connection is not reused.
void poster_curl_connections_add(poster_curl_connections *connections, curl_socket_t socket);
void poster_curl_connections_remove(poster_curl_connections *connections, curl_socket_t socket);
/// Returns the socket between these endpoints, or CURL_SOCKET_BAD. O(n) system calls.
curl_socket_t poster_curl_connections_find(const poster_curl_connections *connections, const char *remote_address,
                                           int remote_port, int local_port);

/// Whether TLS has negotiated HTTP/2 on the connection that `easy` is about to use. Call it for TLS targets only.
/// Status lines do not show it: libcurl 7.88 accepts "HTTP/2" over HTTP/1.1. False with a TLS library other than
/// OpenSSL.
bool poster_curl_connection_is_http2(CURL *easy);
/// Whether nothing can be read from an idle HTTP/1.1 connection: no byte, no end of stream, nothing in the TLS layer.
/// False if that cannot be determined. `easy` is the transfer that is about to use it.
bool poster_curl_connection_is_quiet(CURL *easy, curl_socket_t socket, bool is_tls);
/// Whether sent bytes have not been acknowledged yet.
bool poster_curl_connection_has_unacknowledged(curl_socket_t socket);

#endif
