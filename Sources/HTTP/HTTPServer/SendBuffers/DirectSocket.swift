import Glibc
package import NIOCore

/// The socket of a connection in the clear, written to past the pipeline and the channel's queue: what the kernel takes
/// at once needs neither. Belongs to the connection's event loop, and ends with its channel.
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

        /// Leaves out the first bytes.
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

    private let descriptor: CInt

    /// - Returns: nil for a channel without a socket.
    package init?(_ channel: any Channel) {
        // Fails for a channel that has closed.
        guard
            let descriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self, { $0 })
        else { return nil }
        self.descriptor = descriptor
    }

    /// To be called while the channel is active and has nothing to send.
    ///
    /// - Returns: How many bytes of the response the kernel took; 0 also after an error, which the channel meets when it
    ///   writes what is left.
    package func send(_ parts: Parts) -> Int {
        parts.head.withUnsafeReadableBytes { head in
            parts.headEnd.withUnsafeReadableBytes { headEnd in
                guard let body = parts.body else { return self.send(head, headEnd, nil) }
                return body.withUnsafeReadableBytes { self.send(head, headEnd, $0) }
            }
        }
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
}

extension iovec {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
