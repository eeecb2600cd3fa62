#define _GNU_SOURCE
#include "poster_bench_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs in the child between fork and exec: calls only functions that are safe after the fork of a process with threads.
static void become(char *const *arguments, int output, int farewell, pid_t parent, int report) {
    int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0 && setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, farewell) == 0 &&
        sigprocmask(SIG_SETMASK, &none, NULL) == 0) {
        if (getppid() != parent) _exit(1);  // the parent ended before the signal was requested
        execvp(arguments[0], arguments);
    }
    int code = errno;
    (void)!write(report, &code, sizeof code);
    _exit(127);
}

int poster_bench_spawn(char *const *arguments, int output, int farewell, pid_t *child) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid < 0) {
        int code = errno;
        close(report[0]);
        close(report[1]);
        return code;
    }
    if (pid == 0) become(arguments, output, farewell, parent, report[1]);
    close(report[1]);
    int code = 0;
    ssize_t count;
    // A successful exec closes the pipe without writing to it.
    do count = read(report[0], &code, sizeof code);
    while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count != sizeof code) {
        *child = pid;
        return 0;
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    return code;
}
