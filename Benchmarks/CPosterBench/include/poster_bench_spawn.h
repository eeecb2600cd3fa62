#ifndef POSTER_BENCH_SPAWN_H
#define POSTER_BENCH_SPAWN_H

#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Starts a program in a process group of its own that ends with this thread: `posix_spawn` cannot ask the kernel for the
/// second (prctl(2), PR_SET_PDEATHSIG).
///
/// `arguments`: the program, searched for in PATH, and its arguments; ends with NULL. `output`: the descriptor for
/// standard output and standard error; standard input is /dev/null. `farewell`: the signal that the child gets when the
/// calling thread ends, whatever ends it. Returns 0 and the child, or errno of what failed, exec included.
int poster_bench_spawn(char *_Nullable const *_Nonnull arguments, int output, int farewell, pid_t *child);

#pragma clang assume_nonnull end

#endif
