import Glibc
import NIOCore
import NIOSSL

/// Accounts for bytes that clients have not taken. Placed between an HTTP/1.1 connection and its socket, or its TLS.
///
/// TLS copies the bytes that it encrypts: a long body is passed on in pieces, each once the previous one has been sent,
/// so that a slow reader holds a reference to a body that others read too, and no copy of it. Confined to the
/// connection's event loop.
final class SendQueue: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Length of the pieces of a body that TLS encrypts, in bytes.
    private static let pieceLength = 128 << 10
    /// Writes up to this length in bytes are not accounted for individually.
    private static let smallLength = 32 << 10
    /// Maximum number of bytes buffered by a writable channel: NIO's high watermark.
    private static let watermark = 64 << 10

    /// A body that has not been passed to TLS completely.
    private struct Waiting {
        var bytes: ByteBuffer
        let number: Int
        let sent: EventLoopPromise<Void>?
    }

    private let unsent: UnsentBodies
    private let isEncrypted: Bool
    /// Without TLS, the last bodies that were written without a promise. Most are sent by the flush that follows; a
    /// promise for each costs a hit several per cent, so one for all of them is made if some are found waiting.
    private var recent: [ByteBuffer] = []
    private var context: ChannelHandlerContext?
    private var waiting = CircularBuffer<Waiting>()
    /// Number of bytes not passed on yet.
    private(set) var waitingByteCount = 0
    private var isPassing = false
    private var isBuffered = false

    init(_ unsent: UnsentBodies, isEncrypted: Bool) {
        self.unsent = unsent
        self.isEncrypted = isEncrypted
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.begin(context)
    }

    func begin(_ context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.end()
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(let bytes) = self.unwrapOutboundIn(data),
            bytes.readableBytes > Self.smallLength || !self.waiting.isEmpty
        else {
            context.write(data, promise: promise)
            return
        }
        if self.isEncrypted {
            self.writeToTLS(bytes, context, promise)
            return
        }
        self.noteClear(bytes, promise)
        context.write(data, promise: promise)
    }

    /// Call it before an unencrypted write.
    func noteClear(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
        guard bytes.readableBytes > Self.smallLength else { return }
        if let promise {
            self.unsent.add(bytes, sent: promise.futureResult)
        } else {
            self.recent.append(bytes)
        }
    }

    private func writeToTLS(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        // Encrypted bytes are a copy, which counts once it could not be sent.
        self.isBuffered = true
        guard bytes.readableBytes > Self.pieceLength || !self.waiting.isEmpty else {
            context.write(self.wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
            return
        }
        self.waiting.append(Waiting(bytes: bytes, number: self.unsent.add(bytes), sent: promise))
        self.waitingByteCount += bytes.readableBytes
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        self.flushed(context)
    }

    func flushed(_ context: ChannelHandlerContext) {
        if !self.recent.isEmpty { self.settleRecent(context) }
        if !self.waiting.isEmpty { self.pass(context) }
        if !self.unsent.isEmpty { self.unsent.holdWhatIsLeft() }
        if self.isBuffered || !context.channel.isWritable { self.noteBuffered(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.writabilityChanged(context)
        context.fireChannelWritabilityChanged()
    }

    func writabilityChanged(_ context: ChannelHandlerContext) {
        if !self.waiting.isEmpty { self.pass(context) }
        if self.isBuffered || !context.channel.isWritable { self.noteBuffered(context) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is SendAccount.End else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        self.reset(context)
        promise?.succeed()
    }

    /// Call it periodically: unsent bytes use memory even while the socket's buffer has room.
    func look() {
        guard let context = self.context else { return }
        if !self.recent.isEmpty {
            if self.bufferedByteCount(context) > 0 { self.holdRecent(context) } else { self.recent = [] }
        }
        self.noteBuffered(context)
    }

    /// Keeps as many of the last bodies as a writable channel may not have sent.
    private func settleRecent(_ context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return self.holdRecent(context) }
        var kept = 0
        let first = self.recent.lastIndex { bytes in
            kept += bytes.readableBytes
            return kept >= Self.watermark
        }
        if let first, first > 0 { self.recent.removeFirst(first) }
    }

    /// Accounts for the last bodies until everything written has been sent.
    private func holdRecent(_ context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        for bytes in self.recent { self.unsent.add(bytes, sent: sent.futureResult) }
        self.recent = []
        context.writeAndFlush(self.wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
        self.unsent.holdWhatIsLeft()
    }

    /// Passes pieces on as long as the socket takes more.
    private func pass(_ context: ChannelHandlerContext) {
        guard !self.isPassing else { return }
        self.isPassing = true
        defer { self.isPassing = false }
        while context.channel.isWritable, let first = self.waiting.first {
            var bytes = first.bytes
            let piece = bytes.readSlice(length: min(bytes.readableBytes, Self.pieceLength)) ?? ByteBuffer()
            self.waitingByteCount -= piece.readableBytes
            let isLast = bytes.readableBytes == 0
            if isLast {
                self.waiting.removeFirst()
                self.unsent.remove(first.number)
            } else {
                self.waiting[self.waiting.startIndex].bytes = bytes
            }
            context.writeAndFlush(self.wrapOutboundOut(.byteBuffer(piece)), promise: isLast ? first.sent : nil)
        }
    }

    private func noteBuffered(_ context: ChannelHandlerContext) {
        // Without TLS, the buffered bytes are the bodies themselves, if there are any.
        let isBeside = self.isEncrypted || self.unsent.isEmpty
        let count = isBeside ? self.bufferedByteCount(context) : 0
        self.unsent.note(buffered: count)
        self.isBuffered = count > 0
    }

    private func bufferedByteCount(_ context: ChannelHandlerContext) -> Int {
        // Fails if the channel was just closed.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Releases everything when the channel has closed.
    func end() {
        self.unsent.close()
        self.recent = []
        while let waiting = self.waiting.popFirst() { waiting.sent?.fail(ChannelError.ioOnClosedChannel) }
        self.waitingByteCount = 0
        self.context = nil
    }

    /// Resets the connection, without TLS's close_notify: the client would read neither.
    func reset(_ context: ChannelHandlerContext) {
        let pipeline = context.channel.pipeline.syncOperations
        // Without TLS there is no such handler.
        ((try? pipeline.context(handlerType: NIOSSLServerHandler.self)) ?? context).reset()
    }
}

extension ChannelHandlerContext {
    /// Closes the connection with a reset, so that the kernel stops retransmitting bytes that are not read.
    func reset() {
        guard let socket = self.channel as? any SocketOptionProvider else { return self.close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            self.close(promise: nil)
        }
    }
}
