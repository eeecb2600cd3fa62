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
    /// The multi that it was added to last.
    poster_curl_multi *multi;
    /// Its connection's socket, once the request is about to be sent.
    curl_socket_t socket;
    /// Whether a socket was opened for the request at hand.
    bool has_opened_socket;
    /// Whether the request at hand is sent on an HTTP/1.1 connection that another transfer has left.
    bool is_on_kept_connection;
    bool is_http2;
    /// Whether a status line has arrived; of an interim response, too.
    bool has_response;
    bool is_interim;
    /// Whether the head of the final response is complete: further lines are trailers.
    bool has_head;
    bool has_length;
    bool has_transfer_coding;
    /// Whether the connection, not the response, is the reason for the end.
    bool met_stale_connection;
    poster_curl_hooks hooks;
    void *context;
    char message[CURL_ERROR_SIZE];
};

/// For functions of `easy` that return whether every option could be set.
#define SET(option, value)                                                         \
    do {                                                                           \
        if (curl_easy_setopt(easy, (option), (value)) != CURLE_OK) return false; \
    } while (0)

/// Has the transfer check its connections. Returns false when this libcurl lacks an option.
bool poster_curl_transfer_watch_connection(poster_curl_transfer *transfer);
/// To be called with each line of the response's head: whether the connection may be used for the rest of the response.
bool poster_curl_transfer_may_continue(poster_curl_transfer *transfer, const char *line, size_t count);
/// Has the connection closed when the current target's transfer lets go of it.
void poster_curl_transfer_forbid_reuse(poster_curl_transfer *transfer);

#endif
