#define _GNU_SOURCE  // pthread_setname_np
#include "poster_curl_multi.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>

#include "poster_curl_internal.h"

bool poster_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

poster_curl_multi *poster_curl_multi_create(long max_connections) {
    poster_curl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->handle = curl_multi_init();
    if (multi->handle &&
        curl_multi_setopt(multi->handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, max_connections) == CURLM_OK &&
        curl_multi_setopt(multi->handle, CURLMOPT_MAXCONNECTS, max_connections) == CURLM_OK &&
        curl_multi_setopt(multi->handle, CURLMOPT_PIPELINING, CURLPIPE_NOTHING) == CURLM_OK) {
        return multi;
    }
    poster_curl_multi_destroy(multi);
    return NULL;
}

void poster_curl_multi_destroy(poster_curl_multi *multi) {
    if (!multi) return;
    // Closes the connections, which removes their sockets from the list.
    if (multi->handle) curl_multi_cleanup(multi->handle);
    free(multi->connections.sockets);
    free(multi);
}

// A connection outlives the transfer that opened it: the context is therefore the multi, not the transfer.
static int on_close_socket(void *context, curl_socket_t socket) {
    poster_curl_multi *multi = context;
    poster_curl_connections_remove(&multi->connections, socket);
    return close(socket);
}

int32_t poster_curl_multi_add(poster_curl_multi *multi, poster_curl_transfer *transfer) {
    if (curl_easy_setopt(transfer->easy, CURLOPT_CLOSESOCKETFUNCTION, on_close_socket) != CURLE_OK ||
        curl_easy_setopt(transfer->easy, CURLOPT_CLOSESOCKETDATA, multi) != CURLE_OK) {
        return CURLM_UNKNOWN_OPTION;
    }
    transfer->multi = multi;
    return curl_multi_add_handle(multi->handle, transfer->easy);
}

void poster_curl_multi_remove(poster_curl_multi *multi, poster_curl_transfer *transfer) {
    // Has no effect on a finished transfer, which has released its connection.
    poster_curl_transfer_forbid_reuse(transfer);
    curl_multi_remove_handle(multi->handle, transfer->easy);
}

int32_t poster_curl_multi_perform(poster_curl_multi *multi) {
    int running = 0;
    return curl_multi_perform(multi->handle, &running);
}

int32_t poster_curl_multi_poll(poster_curl_multi *multi, int32_t timeout_milliseconds) {
    return curl_multi_poll(multi->handle, NULL, 0, timeout_milliseconds, NULL);
}

void poster_curl_multi_wakeup(poster_curl_multi *multi) { curl_multi_wakeup(multi->handle); }

// Over HTTP/2 libcurl keeps a connection that has stopped delivering, and later transfers would use it. Over HTTP/1.1
// the connection is closed at this point, and there is no socket.
static void distrust_connection(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD) {
        shutdown(socket, SHUT_RDWR);
    }
}

poster_curl_transfer *poster_curl_multi_next_ended(poster_curl_multi *multi, int32_t *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi->handle, &left))) {
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
