#ifndef POSTER_CURL_INTERNAL_H
#define POSTER_CURL_INTERNAL_H

#include <curl/curl.h>

#include "poster_curl_transfer.h"

struct poster_curl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    poster_curl_hooks hooks;
    void *context;
    char message[CURL_ERROR_SIZE];
};

#endif
