#ifndef POSTER_CHANNEL_H
#define POSTER_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The most descriptors of a message.
enum { POSTER_CHANNEL_DESCRIPTORS = 4 };

/// A pair of connected sockets that keep the bounds of messages.
/// - Returns: 0, or an error number.
int32_t poster_channel_open(int32_t *first, int32_t *second);

/// Sends a message.
/// - Returns: 0, or an error number.
int32_t poster_channel_send(
    int32_t socket, const void *bytes, size_t count, const int32_t *_Nullable descriptors, size_t descriptor_count);

/// Receives a message, which is there.
///
/// - Parameters:
///   - descriptors: Room for `POSTER_CHANNEL_DESCRIPTORS`; those that are received belong to the caller.
///   - received: The message's length; 0 at the end.
/// - Returns: 0, or an error number: `EMSGSIZE` for a message or descriptors beyond the room, none of which stays open.
int32_t poster_channel_receive(
    int32_t socket, void *bytes, size_t capacity, size_t *received, int32_t *descriptors, size_t *descriptor_count);

/// Waits for a message, or the end.
/// - Parameter milliseconds: -1 for ever.
/// - Returns: 1 when there is one, 0 when the time has passed, -1 on an error.
int32_t poster_channel_wait(int32_t socket, int32_t milliseconds);

#pragma clang assume_nonnull end

#endif
