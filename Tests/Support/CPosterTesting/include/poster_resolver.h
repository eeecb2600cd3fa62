#ifndef POSTER_RESOLVER_H
#define POSTER_RESOLVER_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// This target defines getaddrinfo for the whole executable that it is linked into, libcurl.so's calls included. Names
/// that end in ".test" (RFC 6761) are answered from the table below and never reach the network; all others go to libc.

/// Makes `name` resolve to the literal `address`.
void poster_resolver_map(const char *name, const char *address);

/// Makes resolving `name` block until poster_resolver_release, and then fail. `asked` is called on the
/// resolving thread each time one starts to wait.
void poster_resolver_hang(const char *name, void (*asked)(void *context), void *context);
void poster_resolver_release(const char *name);

/// Returns the number of calls for `name`, which must be in the table.
size_t poster_resolver_call_count(const char *name);

/// An address that looks public. This target defines connect for the whole executable too, and redirects
/// connections to this address to 127.0.0.1, same port.
extern const char *const poster_resolver_public_address;

#pragma clang assume_nonnull end

#endif
