#ifndef POSTER_SPAWN_H
#define POSTER_SPAWN_H

#include <spawn.h>

#pragma clang assume_nonnull begin

/// A pipe that child programs do not inherit: where to read, and where to write. Returns 0 or an errno.
int poster_pipe(int *reading, int *writing);

/// Has a child program started without any descriptor from `first` on. Returns 0 or an errno.
int poster_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// A copy of `descriptor` whose number is at least `least`, and that child programs do not inherit. Returns it or -1.
int poster_copy_above(int descriptor, int least);

#pragma clang assume_nonnull end

#endif
