#define _GNU_SOURCE  // pipe2, posix_spawn_file_actions_addclosefrom_np
#include "poster_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int poster_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

int poster_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int poster_copy_above(int descriptor, int least) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, least);
}
