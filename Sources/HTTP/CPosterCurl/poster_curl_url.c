#include "poster_curl_url.h"

#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

// Location headers with spaces or raw UTF-8 are common; they are encoded as browsers do. Dot segments in the path of a
// request are kept, because it is the caller's; in a redirect's target they are resolved (RFC 3986, 5.2.4).
static const unsigned int PARSING =
    CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER;

static bool part(CURLU *handle, CURLUPart what, unsigned int flags, char **text) {
    char *owned = NULL;
    CURLUcode code = curl_url_get(handle, what, &owned, flags);
    *text = strdup(code == CURLUE_OK && owned ? owned : "");
    curl_free(owned);
    return *text != NULL;
}

static bool read_parts(CURLU *handle, poster_curl_url *url) {
    char *port = NULL;
    bool complete = part(handle, CURLUPART_URL, 0, &url->text) && part(handle, CURLUPART_SCHEME, 0, &url->scheme) &&
                    part(handle, CURLUPART_HOST, CURLU_PUNYCODE, &url->host) &&
                    part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT, &port);
    if (complete) url->port = (uint16_t)strtoul(port, NULL, 10);
    free(port);
    return complete && url->text[0] != '\0';
}

bool poster_curl_url_parse(const char *base, const char *text, poster_curl_url *url) {
    memset(url, 0, sizeof *url);
    CURLU *handle = curl_url();
    if (!handle) return false;
    unsigned int parsing = base ? PARSING & ~(unsigned int)CURLU_PATH_AS_IS : PARSING;
    bool parsed = (!base || curl_url_set(handle, CURLUPART_URL, base, PARSING) == CURLUE_OK) &&
                  curl_url_set(handle, CURLUPART_URL, text, parsing) == CURLUE_OK &&
                  // A fragment is never sent; keeping it would only make equal URLs differ.
                  curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0) == CURLUE_OK && read_parts(handle, url);
    curl_url_cleanup(handle);
    if (!parsed) poster_curl_url_free(url);
    return parsed;
}

void poster_curl_url_free(poster_curl_url *url) {
    free(url->text);
    free(url->scheme);
    free(url->host);
    memset(url, 0, sizeof *url);
}
