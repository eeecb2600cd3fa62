#ifndef POSTER_CHANNEL_H
#define POSTER_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The maximum number of descriptors in a message.
enum { POSTER_CHANNEL_DESCRIPTORS = 4 };

/// Opens a pair of connected sockets that preserve message boundaries.
/// - Returns: 0, or an error number.
int32_t poster_channel_open(int32_t *first, int32_t *second);

/// Sends a message.
/// - Returns: 0, or an error number.
int32_t poster_channel_send(
    int32_t socket, const void *bytes, size_t count, const int32_t *_Nullable descriptors, size_t descriptor_count);

/// Receives a message that has arrived.
///
/// - Parameters:
///   - descriptors: Room for `POSTER_CHANNEL_DESCRIPTORS`; the caller owns received descriptors.
///   - received: The message's length; 0 at the end.
/// - Returns: 0, or an error number. It is `EMSGSIZE` for a message or descriptors beyond the room, and `EMFILE` if the
///   process cannot have more descriptors; then none stays open.
int32_t poster_channel_receive(
    int32_t socket, void *bytes, size_t capacity, size_t *received, int32_t *descriptors, size_t *descriptor_count);

/// Waits for a message or the end.
/// - Parameter milliseconds: The time limit; -1 without a limit.
/// - Returns: 1 if there is a message or the end, 0 after the time limit or a signal, -1 on an error.
int32_t poster_channel_wait(int32_t socket, int32_t milliseconds);

#pragma clang assume_nonnull end

#endif
