#define _GNU_SOURCE  // pthread_setname_np
#include "poster_curl_multi.h"

#include <pthread.h>

#include <curl/curl.h>

#include "poster_curl_internal.h"

// A CURLM under a type of its own: `CURLM *` is `void *`, which Swift could not tell from any other.
static CURLM *raw(poster_curl_multi *multi) { return (CURLM *)multi; }

bool poster_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

poster_curl_multi *poster_curl_multi_create(long max_connections, long max_connections_per_host) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    if (curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max_connections) == CURLM_OK &&
        curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max_connections_per_host) == CURLM_OK &&
        curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, max_connections) == CURLM_OK &&
        curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX) == CURLM_OK) {
        return (poster_curl_multi *)multi;
    }
    curl_multi_cleanup(multi);
    return NULL;
}

void poster_curl_multi_destroy(poster_curl_multi *multi) {
    if (multi) curl_multi_cleanup(raw(multi));
}

int32_t poster_curl_multi_add(poster_curl_multi *multi, poster_curl_transfer *transfer) {
    return curl_multi_add_handle(raw(multi), transfer->easy);
}

void poster_curl_multi_remove(poster_curl_multi *multi, poster_curl_transfer *transfer) {
    curl_multi_remove_handle(raw(multi), transfer->easy);
}

int32_t poster_curl_multi_perform(poster_curl_multi *multi) {
    int running = 0;
    return curl_multi_perform(raw(multi), &running);
}

int32_t poster_curl_multi_poll(poster_curl_multi *multi, int32_t timeout_milliseconds) {
    return curl_multi_poll(raw(multi), NULL, 0, timeout_milliseconds, NULL);
}

void poster_curl_multi_wakeup(poster_curl_multi *multi) { curl_multi_wakeup(raw(multi)); }

poster_curl_transfer *poster_curl_multi_next_ended(poster_curl_multi *multi, int32_t *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(raw(multi), &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        char *transfer = NULL;
        *code = (int32_t)message->data.result;  // read first: the message dies with the handle's removal
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        return (poster_curl_transfer *)transfer;
    }
    return NULL;
}

void poster_curl_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
