#define _GNU_SOURCE
#include "poster_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Debian 12's headers are for version 1 of Landlock; the numbers are from include/uapi/linux/landlock.h.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

struct landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

enum { LANDLOCK_VERSION_FLAG = 1 };

// The filesystem rights of a version of Landlock: all are handled, and no rule grants any.
static uint64_t filesystem_rights(long version) {
    uint64_t rights = (UINT64_C(1) << 13) - 1;
    if (version >= 2) rights |= UINT64_C(1) << 13;
    if (version >= 3) rights |= UINT64_C(1) << 14;
    if (version >= 5) rights |= UINT64_C(1) << 15;
    return rights;
}

static int32_t restrict_by_landlock(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION_FLAG);
    if (version < 1) return 0;
    // Kernels accept a shorter structure than their own, but not a longer one with non-zero bytes in the excess.
    struct landlock_ruleset ruleset = {
        .handled_access_fs = filesystem_rights(version),
        .handled_access_net = version >= 4 ? 3 : 0,
        .scoped = version >= 6 ? 3 : 0,
    };
    size_t size = version >= 6 ? sizeof ruleset
        : version >= 4        ? offsetof(struct landlock_ruleset, scoped)
                              : offsetof(struct landlock_ruleset, handled_access_net);
    long descriptor = syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
    if (descriptor < 0) return 0;
    long result = syscall(SYS_landlock_restrict_self, descriptor, 0);
    close((int)descriptor);
    return result == 0 ? (int32_t)version : 0;
}

static int allow_calls(scmp_filter_ctx filter) {
    static const int calls[] = {
        // Open descriptors.
        SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(pwrite64), SCMP_SYS(close), SCMP_SYS(recvmsg),
        SCMP_SYS(sendmsg), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(ftruncate),
        // Memory.
        SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(memfd_create),
        // Locks and time.
        SCMP_SYS(futex), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(sched_yield), SCMP_SYS(getrandom),
        // Termination.
        SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
        SCMP_SYS(getpid), SCMP_SYS(gettid),
    };
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index += 1) {
        int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[index], 0);
        if (error) return error;
    }
    // Rejects executable memory, and mappings that are neither counted as data nor a file's: writable or anonymous
    // shared memory, growing stacks, and huge pages.
    enum { FORBIDDEN = MAP_GROWSDOWN | MAP_HUGETLB };
    int error = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_PRIVATE | FORBIDDEN, MAP_PRIVATE));
    if (error) return error;
    error = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, 0),
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_PRIVATE | MAP_ANONYMOUS | FORBIDDEN, MAP_SHARED));
    if (error) return error;
    error = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    if (error) return error;
    error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, F_ADD_SEALS, 0));
    if (error) return error;
    // abort() signals its own process only.
    error = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0),
        SCMP_A2(SCMP_CMP_EQ, SIGABRT, 0));
    return error;
}

static int refuse_calls(scmp_filter_ctx filter) {
    // Libraries that request threads or the number of processors do without.
    static const int calls[] = {
        SCMP_SYS(clone), SCMP_SYS(clone3), SCMP_SYS(sched_getaffinity), SCMP_SYS(sysinfo), SCMP_SYS(prctl),
        // abort() blocks signals, and continues if that fails; SIGXCPU must not be blocked.
        SCMP_SYS(rt_sigprocmask),
    };
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index += 1) {
        int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), calls[index], 0);
        if (error) return error;
    }
    return 0;
}

static int32_t load_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return ENOMEM;
    int error = allow_calls(filter);
    if (!error) error = refuse_calls(filter);
    if (!error) error = seccomp_load(filter);
    seccomp_release(filter);
    return -error;
}

// When memory runs out, the kernel ends a worker before its server.
static void be_ended_first(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t written = write(file, "1000", 4);
    (void)written;
    close(file);
}

void poster_sandbox_enter(uint64_t descriptor_limit, poster_sandbox_report *report) {
    // lcms reads the date, for which the C library loads the time zone once.
    tzset();
    be_ended_first();
    struct rlimit none = {0, 0};
    struct rlimit descriptors = {descriptor_limit, descriptor_limit};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_MSGQUEUE, &none);
    setrlimit(RLIMIT_MEMLOCK, &none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    report->has_no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    report->landlock_version = restrict_by_landlock();
    setrlimit(RLIMIT_NOFILE, &descriptors);
    // The server ends a worker by closing its socket, or by SIGKILL; signals that a terminal or a supervisor sends to
    // all processes must not end a render.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    // Removes handlers that would print a backtrace, which needs calls that the filter rejects.
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
    for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index += 1) signal(fatal[index], SIG_DFL);
    report->seccomp_error = load_filter();
}
