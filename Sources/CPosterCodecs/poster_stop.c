#include "poster_stop.h"

#include <stdatomic.h>
#include <stdlib.h>

struct poster_stop_flag {
    atomic_int raised;
};

poster_stop_flag *poster_stop_flag_create(void) {
    return calloc(1, sizeof(poster_stop_flag));
}

void poster_stop_flag_destroy(poster_stop_flag *flag) {
    free(flag);
}

void poster_stop_flag_raise(poster_stop_flag *flag) {
    atomic_store_explicit(&flag->raised, 1, memory_order_relaxed);
}

int32_t poster_stop_flag_is_raised(const poster_stop_flag *flag) {
    return atomic_load_explicit(&((poster_stop_flag *)flag)->raised, memory_order_relaxed);
}
