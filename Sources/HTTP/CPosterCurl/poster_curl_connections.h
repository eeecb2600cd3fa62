#ifndef POSTER_CURL_CONNECTIONS_H
#define POSTER_CURL_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <curl/curl.h>

/// The sockets of a multi's connections, busy and idle. libcurl does not tell a transfer's own socket while it runs.
typedef struct poster_curl_connections {
    struct poster_curl_connection *items;
    size_t count;
    size_t capacity;
} poster_curl_connections;

/// Without memory the socket is not recorded, and its connection is not used again.
void poster_curl_connections_add(poster_curl_connections *connections, curl_socket_t socket);
void poster_curl_connections_remove(poster_curl_connections *connections, curl_socket_t socket);
/// The socket with these ends, or CURL_SOCKET_BAD. O(n) system calls.
curl_socket_t poster_curl_connections_find(const poster_curl_connections *connections, const char *remote_address,
                                           int remote_port, int local_port);
/// Records that the connection has been used for HTTP/2.
void poster_curl_connections_set_http2(poster_curl_connections *connections, curl_socket_t socket);
bool poster_curl_connections_is_http2(const poster_curl_connections *connections, curl_socket_t socket);

/// Whether nothing can be read from an idle HTTP/1.1 connection: no byte, no end, nothing in the TLS layer. False if
/// that cannot be found out. `easy` is the transfer that is about to use it.
bool poster_curl_connection_is_quiet(CURL *easy, curl_socket_t socket, bool is_tls);
/// Whether bytes that were sent on it have not been acknowledged yet.
bool poster_curl_connection_has_unacknowledged(curl_socket_t socket);

#endif
