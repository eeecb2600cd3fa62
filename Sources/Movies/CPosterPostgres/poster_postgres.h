#ifndef POSTER_POSTGRES_H
#define POSTER_POSTGRES_H

#include <postgresql/libpq-fe.h>

#endif
