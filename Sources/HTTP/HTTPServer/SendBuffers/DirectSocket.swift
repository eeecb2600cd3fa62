import Glibc
package import NIOCore
import PageArena

/// A direct path to the socket of an unencrypted connection, past the pipeline and the channel's queue, which are not
/// needed for bytes that the kernel takes immediately. Confined to the connection's event loop; ends with its channel.
package struct DirectSocket {
    /// A response of up to three parts.
    package struct Parts {
        package var head: ByteBuffer
        package var headEnd: ByteBuffer
        package var body: ByteBuffer?

        package init(head: ByteBuffer, headEnd: ByteBuffer, body: ByteBuffer?) {
            self.head = head
            self.headEnd = headEnd
            self.body = body
        }

        package mutating func removeFirst(_ count: Int) {
            var count = count
            Self.skip(&count, of: &self.head)
            Self.skip(&count, of: &self.headEnd)
            if count > 0 { self.body?.moveReaderIndex(forwardBy: count) }
        }

        private static func skip(_ count: inout Int, of buffer: inout ByteBuffer) {
            let skipped = min(count, buffer.readableBytes)
            buffer.moveReaderIndex(forwardBy: skipped)
            count -= skipped
        }
    }

    /// Maximum length in bytes of bodies that fit into half of the window that a client announces at first.
    private static let longLength = 32 << 10
    /// Minimum length in bytes of bodies that `sendfile` sends. Below, their copy costs less than a second system call
    /// on one busy connection, and no more on many (`Benchmarks/README.md`, Hits).
    static let leastFileLength = 32 << 10

    private let descriptor: CInt
    /// Number of responses with long bodies sent so far, counted up to 2: the head of the second is sent separately
    /// (``send(_:)``).
    private var longCount = 0

    /// - Returns: `nil` if the channel has no socket.
    package init?(_ channel: any Channel) {
        // Fails if the channel has closed.
        guard
            let descriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self, { $0 })
        else { return nil }
        self.descriptor = descriptor
    }

    /// Sends a response. Call it while the channel is active and has nothing to send.
    ///
    /// The kernel sends at most half of the largest window that a client has announced in one segment, and Linux raises
    /// that window by the free part of the buffer when something arrives, which a long segment has just filled. So a
    /// short segment precedes the second long body: from then on a client on the same machine gets up to 60 KB in one
    /// segment instead of two.
    ///
    /// - Returns: Number of bytes that the kernel took; 0 also after an error, which the channel encounters when it
    ///   writes the rest.
    package mutating func send(_ parts: Parts) -> Int {
        let isHeadAlone = self.isHeadAlone(before: parts.body)
        return parts.head.withUnsafeReadableBytes { head in
            parts.headEnd.withUnsafeReadableBytes { headEnd in
                guard let body = parts.body else { return self.send(head, headEnd, nil) }
                let extent = Self.extent(of: body)
                guard isHeadAlone || extent != nil else {
                    return body.withUnsafeReadableBytes { self.send(head, headEnd, $0) }
                }
                let sent = self.send(head, headEnd, isContinued: !isHeadAlone)
                guard sent == head.count + headEnd.count else { return sent }
                if let extent { return sent + self.send(extent) }
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                return sent + body.withUnsafeReadableBytes { self.send(none, none, $0) }
            }
        }
    }

    private mutating func isHeadAlone(before body: ByteBuffer?) -> Bool {
        guard self.longCount < 2, let body, body.readableBytes > Self.longLength else { return false }
        self.longCount += 1
        return self.longCount == 2
    }

    private func send(
        _ head: UnsafeRawBufferPointer, _ headEnd: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer?
    ) -> Int {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { vectors in
            vectors[0] = iovec(head)
            vectors[1] = iovec(headEnd)
            vectors[2] = iovec(body ?? UnsafeRawBufferPointer(start: nil, count: 0))
            // The descriptor does not block, and NIO ignores SIGPIPE.
            return max(0, writev(self.descriptor, vectors.baseAddress!, body == nil ? 2 : 3))
        }
    }

    /// - Parameter isContinued: Whether the kernel waits for the body, which follows, to fill a segment.
    private func send(_ head: UnsafeRawBufferPointer, _ headEnd: UnsafeRawBufferPointer, isContinued: Bool) -> Int {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { vectors in
            vectors[0] = iovec(head)
            vectors[1] = iovec(headEnd)
            var message = msghdr()
            message.msg_iov = vectors.baseAddress
            message.msg_iovlen = 2
            return max(0, sendmsg(self.descriptor, &message, isContinued ? CInt(MSG_MORE) : 0))
        }
    }

    /// Sends a part of the arena's file: the socket refers to its pages, without a copy.
    private func send(_ extent: Range<Int>) -> Int {
        guard let arena = PageArena.shared else { return 0 }
        var offset = off_t(extent.lowerBound)
        return max(0, sendfile(self.descriptor, arena.descriptor, &offset, extent.count))
    }

    /// The place of a body in the arena's file; `nil` for a short body, or one elsewhere.
    private static func extent(of body: ByteBuffer) -> Range<Int>? {
        guard body.readableBytes >= Self.leastFileLength, let offset = body.arenaOffset else { return nil }
        return offset..<offset + body.readableBytes
    }
}

extension iovec {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
