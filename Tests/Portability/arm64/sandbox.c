// Builds the worker's filter of system calls for the architecture that this is compiled for, and runs its program on
// calls: on some that a worker needs, and on some that it must not have. An emulator cannot load a filter.

#include "../../../Sources/Pictures/CPosterSandbox/poster_sandbox.c"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>

#if defined(__aarch64__)
enum { ARCHITECTURE = AUDIT_ARCH_AARCH64 };
#else
enum { ARCHITECTURE = AUDIT_ARCH_X86_64 };
#endif

static struct sock_filter program[4096];
static size_t length;

static int build(void) {
    // Not the functions of the emulator's kernel, which has none.
    seccomp_api_set(3);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    int error = allow_calls(filter);
    if (!error) error = refuse_calls(filter);
    int file = memfd_create("filter", 0);
    if (!error) error = seccomp_export_bpf(filter, file);
    seccomp_release(filter);
    const ssize_t count = error ? 0 : pread(file, program, sizeof program, 0);
    length = (size_t)count / sizeof *program;
    return error;
}

// The classic BPF of a filter: loads of words, jumps, masks and results.
static uint32_t action_of(const struct seccomp_data *data) {
    uint32_t a = 0;
    for (size_t at = 0; at < length; at++) {
        const struct sock_filter *i = &program[at];
        switch (i->code) {
            case BPF_LD | BPF_W | BPF_ABS: memcpy(&a, (const char *)data + i->k, sizeof a); break;
            case BPF_ALU | BPF_AND | BPF_K: a &= i->k; break;
            case BPF_JMP | BPF_JA: at += i->k; break;
            case BPF_JMP | BPF_JEQ | BPF_K: at += a == i->k ? i->jt : i->jf; break;
            case BPF_JMP | BPF_JGT | BPF_K: at += a > i->k ? i->jt : i->jf; break;
            case BPF_JMP | BPF_JGE | BPF_K: at += a >= i->k ? i->jt : i->jf; break;
            case BPF_RET | BPF_K: return i->k;
            default: printf("an unknown instruction: %#x\n", i->code); return 0xffffffff;
        }
    }
    return 0xffffffff;
}

static int failures;

static void expect(const char *name, int call, uint32_t action, uint64_t second, uint64_t third, uint64_t fourth) {
    const struct seccomp_data data = {
        .nr = call, .arch = (uint32_t)ARCHITECTURE, .args = {(uint64_t)getpid(), second, third, fourth}};
    const uint32_t is = action_of(&data);
    if (is == action) return;
    failures++;
    printf("%s: %#x, expected %#x\n", name, is, action);
}

#define EXPECT(name, action, ...) expect(#name, SYS_##name, action, __VA_ARGS__)

int main(void) {
    const int error = build();
    if (error) {
        printf("the filter cannot be built: %s\n", strerror(-error));
        return 1;
    }
    const uint32_t allow = SECCOMP_RET_ALLOW, kill = SECCOMP_RET_KILL_PROCESS, no = SECCOMP_RET_ERRNO | ENOSYS;
    const uint64_t memory = MAP_PRIVATE | MAP_ANONYMOUS;
    EXPECT(read, allow, 0, 0, 0);
    EXPECT(ppoll, allow, 0, 0, 0);
    EXPECT(sendmsg, allow, 0, 0, 0);
    EXPECT(recvmsg, allow, 0, 0, 0);
    EXPECT(memfd_create, allow, 0, 0, 0);
    EXPECT(ftruncate, allow, 0, 0, 0);
    EXPECT(futex, allow, 0, 0, 0);
    EXPECT(exit_group, allow, 0, 0, 0);
    EXPECT(mmap, allow, 4096, PROT_READ | PROT_WRITE, memory);
    EXPECT(mmap, allow, 4096, PROT_READ, MAP_SHARED);
    EXPECT(mmap, kill, 4096, PROT_READ | PROT_EXEC, memory);
    EXPECT(mmap, kill, 4096, PROT_READ | PROT_WRITE, MAP_SHARED);
    EXPECT(mprotect, allow, 4096, PROT_READ, 0);
    EXPECT(mprotect, kill, 4096, PROT_EXEC, 0);
    EXPECT(fcntl, allow, F_ADD_SEALS, 0, 0);
    EXPECT(fcntl, kill, F_SETFL, 0, 0);
    EXPECT(tgkill, allow, 0, SIGABRT, 0);
    EXPECT(tgkill, kill, 0, SIGKILL, 0);
    EXPECT(clone, no, 0, 0, 0);
    EXPECT(clone3, no, 0, 0, 0);
    EXPECT(openat, kill, 0, 0, 0);
    EXPECT(socket, kill, 0, 0, 0);
    EXPECT(execve, kill, 0, 0, 0);
    EXPECT(ptrace, kill, 0, 0, 0);
    const struct seccomp_data foreign = {.nr = SYS_read, .arch = AUDIT_ARCH_I386};
    if (action_of(&foreign) == allow) printf("calls of another architecture are allowed\n"), failures++;
    printf("sandbox: %zu instructions, %d failures\n", length, failures);
    return failures > 0;
}
