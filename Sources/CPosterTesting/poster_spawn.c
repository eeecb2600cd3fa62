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

int poster_spawn_close_all_but_standard(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}
