#define _GNU_SOURCE  // RTLD_DEFAULT
#include "poster_curl_connections.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

struct poster_curl_connection {
    curl_socket_t socket;
    bool is_http2;
};

static struct poster_curl_connection *item(const poster_curl_connections *connections, curl_socket_t socket) {
    for (size_t index = 0; index < connections->count; index++) {
        if (connections->items[index].socket == socket) return &connections->items[index];
    }
    return NULL;
}

void poster_curl_connections_add(poster_curl_connections *connections, curl_socket_t socket) {
    poster_curl_connections_remove(connections, socket);
    if (connections->count == connections->capacity) {
        size_t capacity = connections->capacity ? 2 * connections->capacity : 16;
        struct poster_curl_connection *items = realloc(connections->items, capacity * sizeof *items);
        if (!items) return;
        connections->items = items;
        connections->capacity = capacity;
    }
    connections->items[connections->count++] = (struct poster_curl_connection){.socket = socket};
}

void poster_curl_connections_remove(poster_curl_connections *connections, curl_socket_t socket) {
    struct poster_curl_connection *removed = item(connections, socket);
    if (removed) *removed = connections->items[--connections->count];
}

void poster_curl_connections_set_http2(poster_curl_connections *connections, curl_socket_t socket) {
    struct poster_curl_connection *found = item(connections, socket);
    if (found) found->is_http2 = true;
}

bool poster_curl_connections_is_http2(const poster_curl_connections *connections, curl_socket_t socket) {
    const struct poster_curl_connection *found = item(connections, socket);
    return found && found->is_http2;
}

typedef union socket_name {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    struct sockaddr_storage storage;
} socket_name;

static int port(const socket_name *name) {
    return ntohs(name->any.sa_family == AF_INET6 ? name->ipv6.sin6_port : name->ipv4.sin_port);
}

static bool has_address(const socket_name *name, const char *address) {
    char text[INET6_ADDRSTRLEN];
    const void *bytes = name->any.sa_family == AF_INET6 ? (const void *)&name->ipv6.sin6_addr : &name->ipv4.sin_addr;
    return inet_ntop(name->any.sa_family, bytes, text, sizeof text) && strcmp(text, address) == 0;
}

curl_socket_t poster_curl_connections_find(const poster_curl_connections *connections, const char *remote_address,
                                           int remote_port, int local_port) {
    for (size_t index = 0; index < connections->count; index++) {
        curl_socket_t socket = connections->items[index].socket;
        socket_name name;
        socklen_t size = sizeof name;
        if (getsockname(socket, &name.any, &size) != 0 || port(&name) != local_port) continue;
        size = sizeof name;
        if (getpeername(socket, &name.any, &size) != 0) continue;
        if (port(&name) == remote_port && has_address(&name, remote_address)) return socket;
    }
    return CURL_SOCKET_BAD;
}

// A record that has been decrypted in part is no longer on the socket. libcurl does not ask OpenSSL about it, and has no
// call that does; linking OpenSSL for one function would need its headers, and bind this to the TLS library of libcurl.
static bool has_pending_tls(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session || !session->internals ||
        session->backend != CURLSSLBACKEND_OPENSSL) {
        return true;
    }
    int (*has_pending)(const void *) = NULL;
    *(void **)&has_pending = dlsym(RTLD_DEFAULT, "SSL_has_pending");
    return !has_pending || has_pending(session->internals) != 0;
}

bool poster_curl_connection_is_quiet(CURL *easy, curl_socket_t socket, bool is_tls) {
    char byte;
    if (recv(socket, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) >= 0) return false;
    return (errno == EAGAIN || errno == EWOULDBLOCK) && !(is_tls && has_pending_tls(easy));
}

bool poster_curl_connection_has_unacknowledged(curl_socket_t socket) {
    int byte_count = 0;
    return ioctl(socket, SIOCOUTQ, &byte_count) == 0 && byte_count > 0;
}
