import Glibc
import NIOCore
import NIOSSL

/// Stands between a connection of HTTP/1.1 and its socket, or its TLS, and accounts for what clients have not taken.
///
/// TLS copies what it encrypts: a long body goes there in pieces, each when the one before has left, so that a slow
/// reader keeps a reference to a body that others read too, and no copy of it. Belongs to the connection's event loop.
final class SendQueue: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Of a body that TLS encrypts at once, in bytes.
    private static let pieceLength = 128 << 10
    /// Writes up to this many bytes are not accounted for one by one.
    private static let smallLength = 32 << 10
    /// What a channel may keep and be writable, in bytes: NIO's high watermark.
    private static let watermark = 64 << 10

    /// A body of which TLS has not got all.
    private struct Waiting {
        var bytes: ByteBuffer
        let number: Int
        let sent: EventLoopPromise<Void>?
    }

    private let unsent: UnsentBodies
    private let isEncrypted: Bool
    /// In the clear, the last bodies that were written without a promise. Most are sent by the flush that follows; a
    /// promise for each costs a hit several per cent, so one for all of them is made when some are found to wait.
    private var recent: [ByteBuffer] = []
    private var context: ChannelHandlerContext?
    private var waiting = CircularBuffer<Waiting>()
    /// What was not passed on yet, in bytes.
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

    /// - Parameter context: Of the handler that writes.
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

    /// To be called before a write in the clear.
    func noteClear(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
        guard bytes.readableBytes > Self.smallLength else { return }
        if let promise {
            self.unsent.add(bytes, sent: promise.futureResult)
        } else {
            self.recent.append(bytes)
        }
    }

    private func writeToTLS(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        // What TLS has encrypted is a copy, and counts when it could not be sent.
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

    /// To be called after a flush.
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

    /// To be called every now and then: also what has not filled the socket's buffer is kept in memory.
    func look() {
        guard let context = self.context else { return }
        if !self.recent.isEmpty {
            if self.bufferedByteCount(context) > 0 { self.holdRecent(context) } else { self.recent = [] }
        }
        self.noteBuffered(context)
    }

    /// Keeps as many of the last bodies as a channel that is writable may not have sent.
    private func settleRecent(_ context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return self.holdRecent(context) }
        var kept = 0
        let first = self.recent.lastIndex { bytes in
            kept += bytes.readableBytes
            return kept >= Self.watermark
        }
        if let first, first > 0 { self.recent.removeFirst(first) }
    }

    /// Accounts for the last bodies until all that was written is sent.
    private func holdRecent(_ context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        for bytes in self.recent { self.unsent.add(bytes, sent: sent.futureResult) }
        self.recent = []
        context.writeAndFlush(self.wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
        self.unsent.holdWhatIsLeft()
    }

    /// As long as the socket takes more.
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
        // In the clear what is buffered is the bodies themselves, if there are any.
        let isBeside = self.isEncrypted || self.unsent.isEmpty
        let count = isBeside ? self.bufferedByteCount(context) : 0
        self.unsent.note(buffered: count)
        self.isBuffered = count > 0
    }

    private func bufferedByteCount(_ context: ChannelHandlerContext) -> Int {
        // Fails for a channel that was just closed.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// The channel has ended.
    func end() {
        self.unsent.close()
        self.recent = []
        while let waiting = self.waiting.popFirst() { waiting.sent?.fail(ChannelError.ioOnClosedChannel) }
        self.waitingByteCount = 0
        self.context = nil
    }

    /// With a reset, and without TLS's farewell: neither would be read.
    func reset(_ context: ChannelHandlerContext) {
        let pipeline = context.channel.pipeline.syncOperations
        // There is none in the clear.
        ((try? pipeline.context(handlerType: NIOSSLServerHandler.self)) ?? context).reset()
    }
}

extension ChannelHandlerContext {
    /// Closes the connection with a reset, so that the kernel does not go on retransmitting what is not read.
    func reset() {
        guard let socket = self.channel as? any SocketOptionProvider else { return self.close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            self.close(promise: nil)
        }
    }
}
