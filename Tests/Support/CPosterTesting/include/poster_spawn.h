#ifndef POSTER_SPAWN_H
#define POSTER_SPAWN_H

#include <spawn.h>

#pragma clang assume_nonnull begin

/// Creates a pipe that child programs do not inherit. Returns 0 or an errno.
int poster_pipe(int *reading, int *writing);

/// Makes a child program start without descriptors from `first` on. Returns 0 or an errno.
int poster_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Duplicates `descriptor` to a number of at least `least`, not inherited by child programs. Returns it or -1.
int poster_copy_above(int descriptor, int least);

#pragma clang assume_nonnull end

#endif
