#ifndef POSTER_STOP_H
#define POSTER_STOP_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// A flag that one thread raises and codec loops on another thread read.
/// It lives outside any codec, because libjpeg's progress monitor and libwebp's progress hook can only ask C.
typedef struct poster_stop_flag poster_stop_flag;

/// Returns NULL only when memory is exhausted.
poster_stop_flag *_Nullable poster_stop_flag_create(void);
void poster_stop_flag_destroy(poster_stop_flag *_Nullable flag);
/// Safe from any thread; stays raised.
void poster_stop_flag_raise(poster_stop_flag *flag);
/// Non-zero once raised.
int32_t poster_stop_flag_is_raised(const poster_stop_flag *flag);

#pragma clang assume_nonnull end

#endif
