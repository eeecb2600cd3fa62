#ifndef POSTER_CURL_URL_H
#define POSTER_CURL_URL_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The parts of an absolute URL, as libcurl itself parses it. The strings belong to the struct.
typedef struct poster_curl_url {
    /// The whole URL, normalised, spaces and non-ASCII bytes percent-encoded.
    char *_Nullable text;
    /// In lower case.
    char *_Nullable scheme;
    /// In the form for lookups: names beyond ASCII in Punycode. Empty for file URLs; IPv6 literals have brackets.
    char *_Nullable host;
    /// 0 for a scheme without one.
    uint16_t port;
} poster_curl_url;

/// Parses `text`, relative to `base` if there is one. Accepts any scheme, but no user name. Returns false, with nothing
/// to free, if it is not a URL.
bool poster_curl_url_parse(const char *_Nullable base, const char *text, poster_curl_url *url);
void poster_curl_url_free(poster_curl_url *url);

#pragma clang assume_nonnull end

#endif
