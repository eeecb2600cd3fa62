#define _GNU_SOURCE  // RTLD_NEXT
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "poster_resolver.h"

// Belongs to a network that does not announce this host.
const char *const poster_resolver_public_address = "11.11.11.11";

typedef int (*connector)(int, const struct sockaddr *, socklen_t);

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    connector next = (connector)dlsym(RTLD_NEXT, "connect");
    struct sockaddr_in v4;
    if (length != sizeof v4 || address->sa_family != AF_INET) return next(descriptor, address, length);
    memcpy(&v4, address, sizeof v4);
    if (v4.sin_addr.s_addr == inet_addr(poster_resolver_public_address)) v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return next(descriptor, (const struct sockaddr *)&v4, sizeof v4);
}
