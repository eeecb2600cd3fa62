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

void poster_curl_connections_add(poster_curl_connections *connections, curl_socket_t socket) {
    poster_curl_connections_remove(connections, socket);
    if (connections->count == connections->capacity) {
        size_t capacity = connections->capacity ? 2 * connections->capacity : 16;
        curl_socket_t *sockets = realloc(connections->sockets, capacity * sizeof *sockets);
        if (!sockets) return;
        connections->sockets = sockets;
        connections->capacity = capacity;
    }
    connections->sockets[connections->count++] = socket;
}

void poster_curl_connections_remove(poster_curl_connections *connections, curl_socket_t socket) {
    for (size_t index = 0; index < connections->count; index++) {
        if (connections->sockets[index] != socket) continue;
        connections->sockets[index] = connections->sockets[--connections->count];
        return;
    }
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
        curl_socket_t socket = connections->sockets[index];
        socket_name name;
        socklen_t size = sizeof name;
        if (getsockname(socket, &name.any, &size) != 0 || port(&name) != local_port) continue;
        size = sizeof name;
        if (getpeername(socket, &name.any, &size) != 0) continue;
        if (port(&name) == remote_port && has_address(&name, remote_address)) return socket;
    }
    return CURL_SOCKET_BAD;
}

// The TLS session of a connection; NULL if libcurl uses a TLS library other than OpenSSL.
static const void *openssl_session(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

// A record that has been decrypted in part is no longer on the socket. libcurl does not check OpenSSL's buffer, and has
// no call that does; linking OpenSSL for two functions would need its headers, and tie this code to libcurl's TLS
// library.
static bool has_pending_tls(CURL *easy) {
    const void *session = openssl_session(easy);
    int (*has_pending)(const void *) = NULL;
    *(void **)&has_pending = dlsym(RTLD_DEFAULT, "SSL_has_pending");
    return !session || !has_pending || has_pending(session) != 0;
}

bool poster_curl_connection_is_http2(CURL *easy) {
    const void *session = openssl_session(easy);
    void (*get_alpn)(const void *, const unsigned char **, unsigned int *) = NULL;
    *(void **)&get_alpn = dlsym(RTLD_DEFAULT, "SSL_get0_alpn_selected");
    const unsigned char *name = NULL;
    unsigned int length = 0;
    if (session && get_alpn) get_alpn(session, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
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
