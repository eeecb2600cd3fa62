#define _GNU_SOURCE  // pthread_setname_np
#include "poster_curl_multi.h"

#include <pthread.h>
#include <sys/socket.h>

#include <curl/curl.h>

#include "poster_curl_internal.h"

// A CURLM under a type of its own: `CURLM *` is `void *`, which Swift could not tell from any other.
static CURLM *raw(poster_curl_multi *multi) { return (CURLM *)multi; }

bool poster_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

poster_curl_multi *poster_curl_multi_create(long max_connections) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    if (curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max_connections) == CURLM_OK &&
        curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, max_connections) == CURLM_OK &&
        curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING) == CURLM_OK) {
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
    // Of no effect on a finished transfer, which has let go of its connection.
    poster_curl_transfer_forbid_reuse(transfer);
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

// Over HTTP/2 libcurl keeps a connection on which nothing comes any more, and later transfers would use it.
// Over HTTP/1.1 it is closed by now, and there is no socket.
static void distrust_connection(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD) {
        shutdown(socket, SHUT_RDWR);
    }
}

poster_curl_transfer *poster_curl_multi_next_ended(poster_curl_multi *multi, int32_t *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(raw(multi), &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        char *transfer = NULL;
        *code = (int32_t)message->data.result;  // read first: the message dies with the handle's removal
        if (message->data.result == CURLE_OPERATION_TIMEDOUT) distrust_connection(message->easy_handle);
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        return (poster_curl_transfer *)transfer;
    }
    return NULL;
}

void poster_curl_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
