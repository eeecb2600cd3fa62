#ifndef POSTER_REDIS_H
#define POSTER_REDIS_H

/// Only hiredis' reply reader is used: neither its sockets nor its commands.
#include <hiredis/read.h>

#endif
