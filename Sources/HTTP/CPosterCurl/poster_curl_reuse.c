// Keeps bytes of one response out of the next one on the same connection, whatever libcurl's version checks itself.
#include <string.h>
#include <strings.h>

#include "poster_curl_internal.h"

// Called once a connection is chosen, before each request, and again when libcurl repeats a request that was lost on a
// dead connection. libcurl 7.88 reuses an HTTP/1.1 connection with unread bytes, and takes them for the next response.
static int on_request(void *context, char *remote_address, char *local_address, int remote_port, int local_port) {
    poster_curl_transfer *transfer = context;
    (void)local_address;
    bool is_kept = !transfer->has_opened_socket;
    const poster_curl_connections *connections = &transfer->multi->connections;
    transfer->has_opened_socket = false;
    transfer->has_response = false;
    transfer->has_head = false;
    transfer->is_http2 = transfer->is_tls && poster_curl_connection_is_http2(transfer->easy);
    transfer->is_on_kept_connection = false;
    transfer->socket = poster_curl_connections_find(connections, remote_address, remote_port, local_port);
    // On a new connection only TLS session tickets can be unread; HTTP/2 has frames that belong to no response.
    if (!is_kept || transfer->is_http2) return CURL_PREREQFUNC_OK;
    if (transfer->socket != CURL_SOCKET_BAD &&
        poster_curl_connection_is_quiet(transfer->easy, transfer->socket, transfer->is_tls)) {
        transfer->is_on_kept_connection = true;
        return CURL_PREREQFUNC_OK;
    }
    transfer->met_stale_connection = true;
    poster_curl_transfer_forbid_reuse(transfer);
    return CURL_PREREQFUNC_ABORT;
}

static bool starts_with(const char *bytes, size_t count, const char *prefix) {
    size_t length = strlen(prefix);
    return count >= length && strncasecmp(bytes, prefix, length) == 0;
}

// libcurl 7.88 drops bytes that it has read beyond a chunked or empty body, and keeps the connection; it only logs them.
static int on_log(CURL *easy, curl_infotype type, char *text, size_t count, void *context) {
    (void)easy;
    if (type == CURLINFO_TEXT &&
        (starts_with(text, count, "Excess found") || starts_with(text, count, "Leftovers after chunking"))) {
        poster_curl_transfer_forbid_reuse(context);
    }
    return 0;
}

// Whether a response's first line shows that the connection was unfit for the request: it is not a status line; it
// arrived before the request was acknowledged, and so answers an earlier one; or the server reports an unreadable
// request (400), or that it timed out waiting for one (408).
static bool is_of_stale_connection(const poster_curl_transfer *transfer, const char *line, size_t count) {
    static const size_t version = sizeof "HTTP/1.1" - 1;
    if (!transfer->is_on_kept_connection) return false;
    if (!transfer->has_response && poster_curl_connection_has_unacknowledged(transfer->socket)) return true;
    if (!starts_with(line, count, "HTTP/")) return !transfer->has_response;
    return count > version && (starts_with(line + version, count - version, " 400") ||
                               starts_with(line + version, count - version, " 408"));
}

static bool is_interim_status(const char *line, size_t count) {
    const char *space = memchr(line, ' ', count);
    return space && starts_with(space, count - (size_t)(space - line), " 1");
}

bool poster_curl_transfer_may_continue(poster_curl_transfer *transfer, const char *line, size_t count) {
    // Trailers may look like a status line; the body has already been passed on.
    if (transfer->has_head) return true;
    if (is_of_stale_connection(transfer, line, count)) {
        transfer->met_stale_connection = true;
        return false;
    }
    transfer->has_response = true;
    if (starts_with(line, count, "HTTP/")) {
        transfer->is_interim = is_interim_status(line, count);
        transfer->has_length = false;
        transfer->has_transfer_coding = false;
        // Enabled here, so that neither connecting nor the TLS handshake is logged.
        if (!transfer->is_http2) curl_easy_setopt(transfer->easy, CURLOPT_VERBOSE, 1L);
    }
    transfer->has_head = !transfer->is_interim && (starts_with(line, count, "\r\n") || starts_with(line, count, "\n"));
    transfer->has_length |= starts_with(line, count, "Content-Length:");
    transfer->has_transfer_coding |= starts_with(line, count, "Transfer-Encoding:");
    // RFC 9112, 6.3: intermediaries may disagree on where such a response ends.
    if (transfer->has_length && transfer->has_transfer_coding) poster_curl_transfer_forbid_reuse(transfer);
    return true;
}

static bool set_callbacks(CURL *easy, poster_curl_transfer *transfer) {
    SET(CURLOPT_PREREQFUNCTION, on_request);
    SET(CURLOPT_PREREQDATA, transfer);
    SET(CURLOPT_DEBUGFUNCTION, on_log);
    SET(CURLOPT_DEBUGDATA, transfer);
    return true;
}

bool poster_curl_transfer_watch_connection(poster_curl_transfer *transfer) {
    return set_callbacks(transfer->easy, transfer);
}

static bool allow_reuse(CURL *easy) {
    SET(CURLOPT_FORBID_REUSE, 0L);
    SET(CURLOPT_VERBOSE, 0L);
    return true;
}

bool poster_curl_transfer_met_stale_connection(const poster_curl_transfer *transfer, int32_t code) {
    if (transfer->met_stale_connection) return true;
    if (!transfer->is_on_kept_connection || transfer->has_response) return false;
    switch ((CURLcode)code) {
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
        case CURLE_UNSUPPORTED_PROTOCOL:  // a response without a status line (HTTP/0.9)
        case CURLE_WEIRD_SERVER_REPLY:
            return true;
        default: return false;
    }
}

bool poster_curl_transfer_prepare_repetition(poster_curl_transfer *transfer) {
    transfer->message[0] = '\0';
    transfer->is_out_of_descriptors = false;
    transfer->has_opened_socket = false;
    transfer->is_on_kept_connection = false;
    transfer->met_stale_connection = false;
    return allow_reuse(transfer->easy) && poster_curl_transfer_forbid_kept_connections(transfer);
}
