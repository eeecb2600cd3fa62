#include <curl/curl.h>

#include "poster_curl_transfer.h"

enum poster_curl_outcome poster_curl_outcome_of(int32_t code) {
    switch ((CURLcode)code) {
        case CURLE_OK: return POSTER_CURL_COMPLETE;
        case CURLE_URL_MALFORMAT: return POSTER_CURL_BAD_URL;
        case CURLE_COULDNT_RESOLVE_HOST: return POSTER_CURL_NOT_RESOLVED;
        case CURLE_COULDNT_CONNECT: return POSTER_CURL_NOT_CONNECTED;
        case CURLE_OPERATION_TIMEDOUT: return POSTER_CURL_TIMED_OUT;
        case CURLE_WRITE_ERROR: return POSTER_CURL_WRITE_REFUSED;
        case CURLE_OUT_OF_MEMORY: return POSTER_CURL_OUT_OF_MEMORY;

        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CLIENTCERT:
            return POSTER_CURL_TLS_FAILED;

        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_INVALIDCERTSTATUS:
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return POSTER_CURL_NOT_TRUSTED;

        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CRL_BADFILE:
            return POSTER_CURL_TRUST_UNREADABLE;

        case CURLE_PARTIAL_FILE:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:  // also for malformed chunking
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
            return POSTER_CURL_CUT_SHORT;

        default: return POSTER_CURL_OTHER;
    }
}
