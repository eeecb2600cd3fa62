#define _GNU_SOURCE
#include "poster_process.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Above the descriptors that the process gets, so that no dup2 closes the source of the next one.
enum { LEAST_SOURCE = 16 };

static int32_t add_actions(posix_spawn_file_actions_t *actions, int socket, int control) {
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDWR, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, 0, 1);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, 0, 2);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, socket, POSTER_SOCKET_DESCRIPTOR);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, control, POSTER_CONTROL_DESCRIPTOR);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, POSTER_CONTROL_DESCRIPTOR + 1);
    return error;
}

static int32_t set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    // A separate session: a terminal's Ctrl-C is for the server, which lets renders finish.
    if (!error) {
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    return error;
}

int32_t poster_process_spawn(
    const char *path, char *const *arguments, int32_t socket, int32_t control, int32_t nice, pid_t *process) {
    int high_socket = fcntl(socket, F_DUPFD_CLOEXEC, LEAST_SOURCE);
    int high_control = fcntl(control, F_DUPFD_CLOEXEC, LEAST_SOURCE);
    int error = high_socket < 0 || high_control < 0 ? errno : 0;
    if (!error) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        error = add_actions(&actions, high_socket, high_control);
        if (!error) error = set_attributes(&attributes);
        char *environment[] = {NULL};
        if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (!error && nice > 0) setpriority(PRIO_PROCESS, (id_t)*process, nice);
    }
    if (high_socket >= 0) close(high_socket);
    if (high_control >= 0) close(high_control);
    return error;
}

// Sets the soft limit, at most to the hard one.
static int32_t set_soft(pid_t process, enum __rlimit_resource resource, rlim_t value) {
    struct rlimit limit;
    if (prlimit(process, resource, NULL, &limit)) return errno;
    limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
    return prlimit(process, resource, &limit, NULL) ? errno : 0;
}

int32_t poster_process_limit(
    pid_t process, uint64_t data_bytes, uint64_t space_bytes, uint64_t file_bytes, uint64_t cpu_seconds) {
    int32_t error = set_soft(process, RLIMIT_DATA, data_bytes);
    if (!error) error = set_soft(process, RLIMIT_AS, space_bytes);
    if (!error) error = set_soft(process, RLIMIT_FSIZE, file_bytes);
    if (!error) error = set_soft(process, RLIMIT_CPU, cpu_seconds);
    return error;
}

int32_t poster_process_limit_for_good(pid_t process, uint64_t data_bytes, uint64_t file_bytes) {
    struct rlimit data = {data_bytes, data_bytes}, file = {file_bytes, file_bytes};
    if (prlimit(process, RLIMIT_DATA, &data, NULL)) return errno;
    return prlimit(process, RLIMIT_FSIZE, &file, NULL) ? errno : 0;
}

uint64_t poster_process_cpu_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time)) return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int32_t poster_process_end(pid_t process) {
    int status = 0;
    kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return 0;
    }
    return status;
}

uint64_t poster_process_heap_bytes(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

static _Thread_local uint64_t charged_time;

uint64_t poster_thread_charged_time(void) { return charged_time; }

void poster_thread_charge_time(uint64_t nanoseconds) { charged_time += nanoseconds; }
