#define _GNU_SOURCE  // SOCK_CLOEXEC
#include "poster_curl_transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "poster_curl_internal.h"

static curl_socket_t on_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    poster_curl_transfer *transfer = context;
    (void)purpose;
    // The address that will be connected to, whatever the name resolved to before.
    if (!transfer->hooks.admit(transfer->context, &address->addr, address->addrlen)) return CURL_SOCKET_BAD;
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor < 0 && (errno == EMFILE || errno == ENFILE)) transfer->is_out_of_descriptors = true;
    if (descriptor >= 0) {
        poster_curl_connections_add(&transfer->multi->connections, descriptor);
        transfer->has_opened_socket = true;
    }
    return descriptor;
}

// Called before libcurl resolves a name on a thread of its own, and for literal addresses, which need no thread. A
// result other than 0 ends the transfer with CURLE_COULDNT_RESOLVE_HOST.
static int on_resolve(void *resolver, void *reserved, void *context) {
    const poster_curl_transfer *transfer = context;
    (void)resolver;
    (void)reserved;
    return transfer->resolves_names ? 0 : 1;
}

// Over HTTP/2 libcurl would reset the stream and keep the connection, with the rest of the body still in flight, and
// the next transfer would read through it: with 1600 truncated bodies of 8 MB, one subsequent transfer failed, and all
// took twice as long as on new connections.
void poster_curl_transfer_forbid_reuse(poster_curl_transfer *transfer) {
    curl_easy_setopt(transfer->easy, CURLOPT_FORBID_REUSE, 1L);
}

static size_t refuse(poster_curl_transfer *transfer) {
    poster_curl_transfer_forbid_reuse(transfer);
    return CURL_WRITEFUNC_ERROR;
}

static size_t on_head(char *line, size_t size, size_t count, void *context) {
    poster_curl_transfer *transfer = context;
    size_t bytes = size * count;
    if (!poster_curl_transfer_may_continue(transfer, line, bytes)) return refuse(transfer);
    return transfer->hooks.head(transfer->context, line, bytes) ? bytes : refuse(transfer);
}

static size_t on_body(char *body, size_t size, size_t count, void *context) {
    poster_curl_transfer *transfer = context;
    size_t bytes = size * count;
    if (bytes == 0) return 0;
    return transfer->hooks.body(transfer->context, body, bytes) ? bytes : refuse(transfer);
}

static bool set_hooks(CURL *easy, poster_curl_transfer *transfer) {
    SET(CURLOPT_PRIVATE, transfer);
    SET(CURLOPT_ERRORBUFFER, transfer->message);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    SET(CURLOPT_RESOLVER_START_FUNCTION, on_resolve);
    SET(CURLOPT_RESOLVER_START_DATA, transfer);
    SET(CURLOPT_HEADERFUNCTION, on_head);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, transfer);
    return poster_curl_transfer_watch_connection(transfer);
}

// Restricts requests to HTTP(S) without redirects, and ignores the environment's proxies and .netrc.
static bool set_policy(CURL *easy) {
    SET(CURLOPT_NOSIGNAL, 1L);
    // Without it, removing a handle during name resolution joins the resolver's thread, which blocks all transfers for
    // seconds.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "");  // otherwise libcurl reads the environment
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    // With a directory of certificates, which Debian's default has beside the bundle, libcurl 7.88 cannot cache the
    // parsed certificates: 30 ms for every new connection, on the one thread that serves all transfers.
    SET(CURLOPT_CAPATH, NULL);
    SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    // No CURLOPT_ACCEPT_ENCODING: with it libcurl decodes bodies, and rejects codings that it does not support.
    return true;
}

static bool set_limits(CURL *easy, const poster_curl_limits *limits) {
    SET(CURLOPT_CONNECTTIMEOUT_MS, limits->connect_timeout_milliseconds);
    SET(CURLOPT_LOW_SPEED_LIMIT, limits->low_speed_bytes_per_second);
    SET(CURLOPT_LOW_SPEED_TIME, limits->low_speed_seconds);
    SET(CURLOPT_DNS_CACHE_TIMEOUT, limits->address_seconds);
    return true;
}

static bool set_target(CURL *easy, const char *url, bool allows_http2) {
    SET(CURLOPT_URL, url);
    SET(CURLOPT_FORBID_REUSE, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)(allows_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    return true;
}

// The fields make it a POST, with a length of 0 if there is no content; the method's name is then replaced.
static bool set_method(CURL *easy, const char *method, const void *bytes, ptrdiff_t byte_count) {
    if (byte_count >= 0) {
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)byte_count);
        SET(CURLOPT_COPYPOSTFIELDS, byte_count > 0 ? bytes : "");
    }
    SET(CURLOPT_CUSTOMREQUEST, method);
    return true;
}

static bool set_headers(CURL *easy, struct curl_slist *headers) {
    SET(CURLOPT_HTTPHEADER, headers);
    return true;
}

static bool set_user_agent(CURL *easy, const char *user_agent) {
    SET(CURLOPT_USERAGENT, user_agent);
    return true;
}

poster_curl_transfer *poster_curl_transfer_create(const poster_curl_hooks *hooks, void *context,
                                                  const poster_curl_limits *limits, const char *user_agent) {
    poster_curl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->hooks = *hooks;
    transfer->context = context;
    transfer->easy = curl_easy_init();
    if (transfer->easy && set_hooks(transfer->easy, transfer) && set_policy(transfer->easy) &&
        set_limits(transfer->easy, limits) && set_user_agent(transfer->easy, user_agent)) {
        return transfer;
    }
    poster_curl_transfer_destroy(transfer);
    return NULL;
}

void poster_curl_transfer_destroy(poster_curl_transfer *transfer) {
    if (!transfer) return;
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
    curl_slist_free_all(transfer->addresses);
    free(transfer);
}

bool poster_curl_transfer_set_target(poster_curl_transfer *transfer, const char *url, bool allows_http2) {
    transfer->message[0] = '\0';
    transfer->is_out_of_descriptors = false;
    transfer->is_tls = strncasecmp(url, "https:", strlen("https:")) == 0;
    return set_target(transfer->easy, url, allows_http2);
}

bool poster_curl_transfer_set_method(poster_curl_transfer *transfer, const char *method, const void *bytes,
                                     ptrdiff_t byte_count) {
    // No "Expect: 100-continue": servers that do not support it cost a second.
    return set_method(transfer->easy, method, bytes, byte_count) &&
           poster_curl_transfer_add_header(transfer, "Expect:");
}

static bool set_addresses(CURL *easy, struct curl_slist *addresses) {
    SET(CURLOPT_RESOLVE, addresses);
    return true;
}

bool poster_curl_transfer_set_addresses(poster_curl_transfer *transfer, const char *entry) {
    struct curl_slist *addresses = curl_slist_append(NULL, entry);
    if (!addresses) return false;
    curl_slist_free_all(transfer->addresses);
    transfer->addresses = addresses;
    return set_addresses(transfer->easy, addresses);
}

void poster_curl_transfer_allow_resolving(poster_curl_transfer *transfer) { transfer->resolves_names = true; }

bool poster_curl_transfer_forbid_kept_connections(poster_curl_transfer *transfer) {
    return curl_easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 1L) == CURLE_OK;
}

bool poster_curl_transfer_set_proxy(poster_curl_transfer *transfer, const char *proxy) {
    return curl_easy_setopt(transfer->easy, CURLOPT_PROXY, proxy) == CURLE_OK;
}

bool poster_curl_transfer_add_header(poster_curl_transfer *transfer, const char *line) {
    struct curl_slist *headers = curl_slist_append(transfer->headers, line);
    if (!headers) return false;
    transfer->headers = headers;
    return set_headers(transfer->easy, headers);
}

bool poster_curl_transfer_trust(poster_curl_transfer *transfer, const char *certificates_file) {
    return curl_easy_setopt(transfer->easy, CURLOPT_CAINFO, certificates_file) == CURLE_OK &&
           curl_easy_setopt(transfer->easy, CURLOPT_CAPATH, NULL) == CURLE_OK;
}

void *poster_curl_transfer_context(const poster_curl_transfer *transfer) { return transfer->context; }

bool poster_curl_transfer_has_connected(poster_curl_transfer *transfer) {
    curl_off_t microseconds = 0;
    return curl_easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK &&
           microseconds > 0;
}

bool poster_curl_transfer_is_out_of_descriptors(const poster_curl_transfer *transfer) {
    return transfer->is_out_of_descriptors;
}

bool poster_curl_is_short_of_descriptors(void) {
    static const rlim_t handful = 8;
    struct rlimit limit;
    int lowest = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);  // the system returns the lowest free number
    if (lowest < 0) return errno == EMFILE || errno == ENFILE;
    close(lowest);
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           (rlim_t)lowest + handful >= limit.rlim_cur;
}

const char *poster_curl_transfer_message(const poster_curl_transfer *transfer, int32_t code) {
    return transfer->message[0] ? transfer->message : curl_easy_strerror((CURLcode)code);
}
