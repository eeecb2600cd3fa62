#define _GNU_SOURCE
#include "poster_channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Attempts, at intervals of a millisecond.
enum { DESCRIPTOR_ATTEMPTS = 1000 };

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * POSTER_CHANNEL_DESCRIPTORS)];
};

int32_t poster_channel_open(int32_t *first, int32_t *second) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return errno;
    *first = pair[0];
    *second = pair[1];
    return 0;
}

int32_t poster_channel_send(
    int32_t socket, const void *bytes, size_t count, const int32_t *descriptors, size_t descriptor_count) {
    if (descriptor_count > POSTER_CHANNEL_DESCRIPTORS) return EINVAL;
    union control control;
    memset(&control, 0, sizeof control);
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    // Messages of this length are sent entirely or not at all. No room means that the other end does not read.
    for (int attempt = 0; sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0; attempt += 1) {
        if (errno == EINTR) continue;
        // The user's processes have too many descriptors in flight that were not received yet.
        if (errno != ETOOMANYREFS || attempt >= DESCRIPTOR_ATTEMPTS) return errno;
        poll(NULL, 0, 1);
    }
    return 0;
}

int32_t poster_channel_receive(
    int32_t socket, void *bytes, size_t capacity, size_t *received, int32_t *descriptors, size_t *descriptor_count) {
    union control control;
    struct iovec vector = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *received = 0;
    *descriptor_count = 0;
    ssize_t count;
    while ((count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0) {
        if (errno != EINTR) return errno;
    }
    size_t found = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t held = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < held; index += 1) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (found < POSTER_CHANNEL_DESCRIPTORS) {
                descriptors[found] = descriptor;
                found += 1;
            } else {
                close(descriptor);
            }
        }
    }
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        for (size_t index = 0; index < found; index += 1) close(descriptors[index]);
        // There was room for these, so the kernel could not open them.
        int has_room = !(message.msg_flags & MSG_TRUNC) && found < POSTER_CHANNEL_DESCRIPTORS;
        return has_room ? EMFILE : EMSGSIZE;
    }
    *received = (size_t)count;
    *descriptor_count = found;
    return 0;
}

int32_t poster_channel_wait(int32_t socket, int32_t milliseconds) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    int result = poll(&wait, 1, milliseconds);
    // The caller checks its clock and waits again.
    if (result < 0) return errno == EINTR ? 0 : -1;
    return result;
}
