#ifndef POSTER_REDIS_H
#define POSTER_REDIS_H

/// Of hiredis only the reader of replies: neither its sockets nor its commands are used.
#include <hiredis/read.h>

#endif
