#ifndef POSTER_CURL_INTERNAL_H
#define POSTER_CURL_INTERNAL_H

#include <stdbool.h>

#include <curl/curl.h>

#include "poster_curl_connections.h"
#include "poster_curl_multi.h"
#include "poster_curl_transfer.h"

struct poster_curl_multi {
    CURLM *handle;
    poster_curl_connections connections;
};

struct poster_curl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *addresses;
    bool resolves_names;
    bool is_out_of_descriptors;
    bool is_tls;
    /// The multi that the transfer was last added to.
    poster_curl_multi *multi;
    /// The connection's socket, set just before the request is sent.
    curl_socket_t socket;
    /// Whether a socket was opened for the current request.
    bool has_opened_socket;
    /// Whether the current request is sent on an HTTP/1.1 connection that another transfer has left.
    bool is_on_kept_connection;
    bool is_http2;
    /// Whether a status line has arrived, also of an interim response.
    bool has_response;
    bool is_interim;
    /// Whether the head of the final response is complete: further lines are trailers.
    bool has_head;
    bool has_length;
    bool has_transfer_coding;
    /// Whether the transfer failed because of its connection, not the response.
    bool met_stale_connection;
    poster_curl_hooks hooks;
    void *context;
    char message[CURL_ERROR_SIZE];
};

/// Sets an option of `easy`, or returns false from the enclosing function.
#define SET(option, value)                                                         \
    do {                                                                           \
        if (curl_easy_setopt(easy, (option), (value)) != CURLE_OK) return false; \
    } while (0)

/// Makes the transfer check its connections. Returns false if this libcurl lacks an option.
bool poster_curl_transfer_watch_connection(poster_curl_transfer *transfer);
/// Call it with each line of the response's head. Returns whether the rest of the response may be read from the
/// connection.
bool poster_curl_transfer_may_continue(poster_curl_transfer *transfer, const char *line, size_t count);
/// Closes the connection when the current target's transfer releases it.
void poster_curl_transfer_forbid_reuse(poster_curl_transfer *transfer);

#endif
