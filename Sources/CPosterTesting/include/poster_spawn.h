#ifndef POSTER_SPAWN_H
#define POSTER_SPAWN_H

#include <spawn.h>

#pragma clang assume_nonnull begin

/// A pipe that child programs do not inherit: where to read, and where to write. Returns 0 or an errno.
int poster_pipe(int *reading, int *writing);

/// Has a child program started without any descriptor but the standard ones. Returns 0 or an errno.
int poster_spawn_close_all_but_standard(posix_spawn_file_actions_t *actions);

#pragma clang assume_nonnull end

#endif
