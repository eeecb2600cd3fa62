#ifndef POSTER_PROCESS_H
#define POSTER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// The open descriptors of a spawned process in addition to 0, 1 and 2, which are /dev/null.
enum {
    POSTER_SOCKET_DESCRIPTOR = 3,
    POSTER_CONTROL_DESCRIPTOR = 4,
};

/// Executes a program with an empty environment, in its own session, with no descriptors but `socket` and `control`.
/// - Parameters:
///   - arguments: The program's name and its arguments; the last pointer is NULL.
///   - nice: The process's nice value; 0 inherits the caller's.
/// - Returns: 0, or an error number.
int32_t poster_process_spawn(
    const char *path, char *_Nullable const *_Nonnull arguments, int32_t socket, int32_t control, int32_t nice, pid_t *process);

/// Limits a process, in bytes and seconds; `space_bytes` limits its address space. These are soft limits, which a
/// process that must not call setrlimit cannot raise.
/// - Returns: 0, or an error number.
int32_t poster_process_limit(
    pid_t process, uint64_t data_bytes, uint64_t space_bytes, uint64_t file_bytes, uint64_t cpu_seconds);

/// Sets the hard limits of data and files, which only privileged processes can raise again.
int32_t poster_process_limit_for_good(pid_t process, uint64_t data_bytes, uint64_t file_bytes);

/// The CPU time of a process in nanoseconds; 0 if there is no such process.
uint64_t poster_process_cpu_time(pid_t process);

/// Sends SIGKILL and waits for the end of the process.
/// - Returns: The status reported by waitpid; 0 if it failed.
int32_t poster_process_end(pid_t process);

/// The memory that malloc has allocated in this process, in bytes.
uint64_t poster_process_heap_bytes(void);

/// CPU time spent by other processes on behalf of the calling thread, in nanoseconds.
uint64_t poster_thread_charged_time(void);
void poster_thread_charge_time(uint64_t nanoseconds);

#pragma clang assume_nonnull end

#endif
