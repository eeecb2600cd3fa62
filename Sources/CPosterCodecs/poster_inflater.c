#include "poster_inflater.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

struct poster_inflater {
    z_stream stream;
};

poster_inflater *poster_inflater_create(void) {
    poster_inflater *inflater = calloc(1, sizeof *inflater);
    // The largest window, whatever the stream says: there are encoders that say too little.
    if (inflater && inflateInit2(&inflater->stream, MAX_WBITS) == Z_OK) return inflater;
    free(inflater);
    return NULL;
}

void poster_inflater_destroy(poster_inflater *inflater) {
    if (!inflater) return;
    inflateEnd(&inflater->stream);
    free(inflater);
}

enum poster_inflater_status poster_inflater_run(poster_inflater *inflater, poster_inflater_buffers *buffers) {
    z_stream *stream = &inflater->stream;
    const uInt input = buffers->input_count < UINT_MAX ? (uInt)buffers->input_count : UINT_MAX;
    const uInt output = buffers->output_count < UINT_MAX ? (uInt)buffers->output_count : UINT_MAX;
    stream->next_in = (Bytef *)buffers->input;  // zlib only reads
    stream->avail_in = input;
    stream->next_out = buffers->output;
    stream->avail_out = output;
    const int result = inflate(stream, Z_NO_FLUSH);
    buffers->input = stream->next_in;
    buffers->input_count -= input - stream->avail_in;
    buffers->output = stream->next_out;
    buffers->output_count -= output - stream->avail_out;
    switch (result) {
        case Z_OK:
        case Z_BUF_ERROR: return POSTER_INFLATER_RUNNING;
        case Z_STREAM_END: return POSTER_INFLATER_ENDED;
        case Z_MEM_ERROR: return POSTER_INFLATER_OUT_OF_MEMORY;
        default: break;
    }
    // zlib has no code of its own for it.
    const int is_checksum = stream->msg && strcmp(stream->msg, "incorrect data check") == 0;
    return is_checksum ? POSTER_INFLATER_WRONG_CHECKSUM : POSTER_INFLATER_CORRUPT;
}
