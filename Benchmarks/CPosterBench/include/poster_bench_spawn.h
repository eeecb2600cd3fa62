#ifndef POSTER_BENCH_SPAWN_H
#define POSTER_BENCH_SPAWN_H

#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Starts a program in its own process group that ends with the calling thread, which `posix_spawn` cannot request
/// (prctl(2), PR_SET_PDEATHSIG).
///
/// `arguments`: the program, searched for in PATH, and its arguments; ends with NULL. `output`: the descriptor for
/// standard output and standard error; standard input is /dev/null. `farewell`: the signal sent to the child when the
/// calling thread ends for any reason. Returns 0 and the child, or an errno, also if exec fails.
int poster_bench_spawn(char *_Nullable const *_Nonnull arguments, int output, int farewell, pid_t *child);

#pragma clang assume_nonnull end

#endif
