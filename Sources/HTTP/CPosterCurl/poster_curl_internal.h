#ifndef POSTER_CURL_INTERNAL_H
#define POSTER_CURL_INTERNAL_H

#include <stdbool.h>

#include <curl/curl.h>

#include "poster_curl_transfer.h"

struct poster_curl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *addresses;
    bool resolves_names;
    bool is_out_of_descriptors;
    poster_curl_hooks hooks;
    void *context;
    char message[CURL_ERROR_SIZE];
};

/// Has the connection closed when the current target's transfer lets go of it.
void poster_curl_transfer_forbid_reuse(poster_curl_transfer *transfer);

#endif
