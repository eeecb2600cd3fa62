// A library for LD_PRELOAD that records all changes of files below a folder, in their order, for replay.py.
//
//   CRASH_FOLDER  the folder: an absolute path without links
//   CRASH_LOG     the record; it must not exist. Only the process that creates it records: workers do not.
//
// A record is `struct record`, its paths relative to the folder, and the written bytes. Each is in the log before the
// call returns, and calls are recorded one at a time: after a response, the length of the log is a point behind all
// changes that were made for the response. Shared memory of SQLite (`-shm`) is not recorded: it is made again.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation { CREATE = 1, WRITE, TRUNCATE, ALLOCATE, RENAME, LINK, UNLINK, MKDIR, RMDIR, SYNC };

struct record {
    uint32_t size;  // of the whole record
    uint16_t operation;
    uint16_t first, second;  // lengths of the paths
    uint16_t padding[3];
    uint64_t inode, offset, length;
};

enum { DESCRIPTORS = 65536 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int record_log = -1;
static unsigned char is_tracked[DESCRIPTORS];

// The function of libc with a name of this file's.
#define REAL(name)                                                       \
    (__extension__({                                                     \
        static __typeof__(&name) found;                                  \
        if (!found) found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);  \
        found;                                                           \
    }))

static void fail(const char *what) {
    fprintf(stderr, "recorder: %s\n", what);
    abort();
}

static void put(const void *bytes, size_t length) {
    while (length) {
        ssize_t count = REAL(write)(record_log, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) fail("cannot write the log");
        bytes = (const char *)bytes + count;
        length -= (size_t)count;
    }
}

// Appends a record; the lock is held. The bytes are those of `parts`.
static void note(enum operation operation, uint64_t inode, uint64_t offset, uint64_t length, const char *first,
                 const char *second, const struct iovec *parts, int count) {
    int code = errno;
    struct record record = {.operation = operation, .inode = inode, .offset = offset, .length = length};
    size_t one = first ? strlen(first) : 0, two = second ? strlen(second) : 0, size = sizeof record + one + two;
    for (int part = 0; part < count; part++) size += parts[part].iov_len;
    char *bytes = malloc(size), *end = bytes + sizeof record;
    if (!bytes || size > UINT32_MAX) fail("out of memory");
    record.size = (uint32_t)size;
    record.first = (uint16_t)one;
    record.second = (uint16_t)two;
    memcpy(bytes, &record, sizeof record);
    end = mempcpy(end, first ? first : "", one);
    end = mempcpy(end, second ? second : "", two);
    for (int part = 0; part < count; part++) end = mempcpy(end, parts[part].iov_base, parts[part].iov_len);
    put(bytes, size);
    free(bytes);
    errno = code;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CRASH_FOLDER"), *name = getenv("CRASH_LOG");
    if (!path || !name || strlen(path) >= sizeof folder) return;
    record_log = REAL(open)(name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (record_log < 0) return;
    strcpy(folder, path);
    folder_length = strlen(folder);
    struct stat status;
    if (stat(folder, &status)) fail("the folder is missing");
    note(MKDIR, status.st_ino, 0, 0, "", NULL, NULL, 0);
}

static int is_recording(void) { return record_log >= 0; }

// The part of a path below the folder; NULL if it is elsewhere or not recorded.
static const char *below(const char *path) {
    if (!is_recording() || !path || strncmp(path, folder, folder_length)) return NULL;
    const char *rest = path + folder_length;
    if (*rest && *rest != '/') return NULL;
    while (*rest == '/') rest++;
    size_t length = strlen(rest);
    return length >= 4 && !strcmp(rest + length - 4, "-shm") ? NULL : rest;
}

// The same for a path relative to an open folder.
static const char *below_at(int descriptor, const char *path) {
    static _Thread_local char whole[2][PATH_MAX];
    static _Thread_local unsigned turn;
    if (!is_recording() || !path || descriptor == AT_FDCWD || *path == '/') return below(path);
    char link[64], *target = whole[turn++ % 2];  // a rename has two
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, target, PATH_MAX - 1);
    if (length < 0 || (size_t)length + strlen(path) + 2 > PATH_MAX) return NULL;
    target[length] = '/';
    strcpy(target + length + 1, path);
    return below(target);
}

static uint64_t inode_of(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status)) fail("fstat");
    return status.st_ino;
}

static int is_file_tracked(int descriptor) {
    return is_recording() && descriptor >= 0 && descriptor < DESCRIPTORS && is_tracked[descriptor];
}

static int open_recorded(int at, const char *path, int flags, mode_t mode) {
    const char *name = below_at(at, path);
    if (!name) return REAL(openat)(at, path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat status;
    int existed = !fstatat(at, path, &status, 0), found = REAL(openat)(at, path, flags, mode);
    if (found >= DESCRIPTORS) fail("too many descriptors");
    if (found >= 0) {
        is_tracked[found] = 1;
        if (!existed) note(CREATE, inode_of(found), 0, 0, name, NULL, NULL, 0);
        else if (flags & O_TRUNC) note(TRUNCATE, inode_of(found), 0, 0, NULL, NULL, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

#define MODE(flags)                                         \
    mode_t mode = 0;                                        \
    if (flags & (O_CREAT | O_TMPFILE)) {                    \
        va_list list;                                       \
        va_start(list, flags);                              \
        mode = va_arg(list, mode_t);                        \
        va_end(list);                                       \
    }

int open(const char *path, int flags, ...) { MODE(flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_recorded(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_recorded(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return open_recorded(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_recorded(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return open_recorded(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return open_recorded(at, path, flags, 0); }
int creat(const char *path, mode_t mode) { return open_recorded(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int descriptor) {
    if (!is_file_tracked(descriptor)) return REAL(close)(descriptor);
    pthread_mutex_lock(&lock);
    is_tracked[descriptor] = 0;
    int status = REAL(close)(descriptor);
    pthread_mutex_unlock(&lock);
    return status;
}

// Runs `call` under the lock, and then `record` if it has not failed.
#define RECORDED(type, descriptor, call, record)                    \
    if (!is_file_tracked(descriptor)) return call;                  \
    pthread_mutex_lock(&lock);                                      \
    type done = call;                                               \
    if (done >= 0) record;                                          \
    pthread_mutex_unlock(&lock);                                    \
    return done;

// Where the `done` bytes that were just written at the descriptor's position begin.
static uint64_t start_of(int descriptor, ssize_t done) {
    return (uint64_t)(lseek(descriptor, 0, SEEK_CUR) - done);
}

static void note_parts(int descriptor, uint64_t offset, const struct iovec *parts, int count, size_t length) {
    struct iovec written[IOV_MAX];
    int used = 0;
    for (size_t left = length; used < count && left; used++) {
        written[used] = parts[used];
        if (written[used].iov_len > left) written[used].iov_len = left;
        left -= written[used].iov_len;
    }
    note(WRITE, inode_of(descriptor), offset, length, NULL, NULL, written, used);
}

#define ONE(bytes, size) (&(struct iovec){(void *)(uintptr_t)(bytes), size}), 1

ssize_t write(int descriptor, const void *bytes, size_t size) {
    RECORDED(ssize_t, descriptor, REAL(write)(descriptor, bytes, size),
             note_parts(descriptor, start_of(descriptor, done), ONE(bytes, size), (size_t)done))
}
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    RECORDED(ssize_t, descriptor, REAL(pwrite)(descriptor, bytes, size, offset),
             note_parts(descriptor, (uint64_t)offset, ONE(bytes, size), (size_t)done))
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    return pwrite(descriptor, bytes, size, offset);
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    RECORDED(ssize_t, descriptor, REAL(writev)(descriptor, parts, count),
             note_parts(descriptor, start_of(descriptor, done), parts, count, (size_t)done))
}
ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    RECORDED(ssize_t, descriptor, REAL(pwritev)(descriptor, parts, count, offset),
             note_parts(descriptor, (uint64_t)offset, parts, count, (size_t)done))
}
ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
    return pwritev(descriptor, parts, count, offset);
}

int ftruncate(int descriptor, off_t size) {
    RECORDED(int, descriptor, REAL(ftruncate)(descriptor, size),
             note(TRUNCATE, inode_of(descriptor), (uint64_t)size, 0, NULL, NULL, NULL, 0))
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    if (is_file_tracked(descriptor) && mode) fail("fallocate with a mode");
    RECORDED(int, descriptor, REAL(fallocate)(descriptor, mode, offset, length),
             note(ALLOCATE, inode_of(descriptor), (uint64_t)offset, (uint64_t)length, NULL, NULL, NULL, 0))
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
    return fallocate(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
    if (!is_file_tracked(descriptor)) return REAL(posix_fallocate)(descriptor, offset, length);
    return fallocate(descriptor, 0, offset, length) ? errno : 0;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
    return posix_fallocate(descriptor, offset, length);
}

int fsync(int descriptor) {
    RECORDED(int, descriptor, REAL(fsync)(descriptor), note(SYNC, inode_of(descriptor), 0, 0, NULL, NULL, NULL, 0))
}
int fdatasync(int descriptor) {
    RECORDED(int, descriptor, REAL(fdatasync)(descriptor), note(SYNC, inode_of(descriptor), 0, 0, NULL, NULL, NULL, 0))
}

// Runs `call` under the lock, and records it if a path is below the folder and it has succeeded.
#define NAMED(one, two, call, operation, inode)                                     \
    const char *first = one, *second = two;                                         \
    if (!first && !second) return call;                                             \
    if ((operation == RENAME || operation == LINK) && (!first || !second)) fail("a name leaves the folder"); \
    pthread_mutex_lock(&lock);                                                      \
    int status = call;                                                              \
    if (!status) note(operation, inode, 0, 0, first, second, NULL, 0);              \
    pthread_mutex_unlock(&lock);                                                    \
    return status;

static uint64_t inode_at(int at, const char *path) {
    struct stat status;
    if (fstatat(at, path, &status, 0)) fail("fstatat");
    return status.st_ino;
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    if (flags && below_at(from_at, from)) fail("renameat2 with flags");
    NAMED(below_at(from_at, from), below_at(to_at, to), REAL(renameat2)(from_at, from, to_at, to, flags), RENAME, 0)
}
int renameat(int from_at, const char *from, int to_at, const char *to) {
    return renameat2(from_at, from, to_at, to, 0);
}
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    NAMED(below_at(from_at, from), below_at(to_at, to), REAL(linkat)(from_at, from, to_at, to, flags), LINK, 0)
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlinkat(int at, const char *path, int flags) {
    NAMED(below_at(at, path), NULL, REAL(unlinkat)(at, path, flags), (flags & AT_REMOVEDIR ? RMDIR : UNLINK), 0)
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdirat(int at, const char *path, mode_t mode) {
    NAMED(below_at(at, path), NULL, REAL(mkdirat)(at, path, mode), MKDIR, inode_at(at, path))
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
