import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Since when one connection has been without a request. Told on the connection's event loop, asked from any thread.
final class ConnectionRest: Sendable {
    private let channel: any Channel
    private let underWay = Atomic<Int>(0)
    private let lastRead: Atomic<UInt64>
    private let isEnding = Atomic<Bool>(false)

    init(_ channel: any Channel, now: NIODeadline) {
        self.channel = channel
        self.lastRead = Atomic(now.uptimeNanoseconds)
    }

    /// nil while a request is answered, and when the connection is being ended.
    var since: NIODeadline? {
        guard self.underWay.load(ordering: .relaxed) == 0, !self.isEnding.load(ordering: .relaxed) else { return nil }
        return .uptimeNanoseconds(self.lastRead.load(ordering: .relaxed))
    }

    /// Something has come.
    func interrupt(now: NIODeadline) {
        self.lastRead.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    func requestBegan() {
        self.underWay.wrappingAdd(1, ordering: .relaxed)
    }

    func requestEnded() {
        self.underWay.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Ends the connection in order, as a server that stops would, unless something has come meanwhile.
    ///
    /// - Parameter since: As it was asked.
    func end(_ since: NIODeadline) {
        let channel = self.channel
        channel.eventLoop.execute {
            guard self.since == since else { return }
            self.isEnding.store(true, ordering: .relaxed)
            let pipeline = channel.pipeline.syncOperations
            if (try? pipeline.handler(type: HandshakeDeadline.self)) != nil {
                channel.close(promise: nil)  // there is no HTTP yet that could be ended
            } else {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}

extension ConnectionRest {
    /// - Returns: nil where connections are not watched.
    static func of(_ channel: any Channel) -> ConnectionRest? {
        // It throws when there is none.
        (try? channel.pipeline.syncOperations.handler(type: Handler.self))?.rest
    }

    /// Stands next to the socket.
    final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        let rest: ConnectionRest

        init(_ rest: ConnectionRest) {
            self.rest = rest
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.rest.interrupt(now: context.eventLoop.now)
            context.fireChannelRead(data)
        }
    }

    /// Stands where requests of HTTP/1.1 are whole. What is answered before they are is over at once.
    final class RequestEnd: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart
        private var rest: ConnectionRest?
        private var underWay = 0

        func handlerAdded(context: ChannelHandlerContext) {
            self.rest = ConnectionRest.of(context.channel)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = self.unwrapInboundIn(data) {
                self.underWay += 1
                self.rest?.requestBegan()
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // What cannot be read is refused without having begun.
            if case .end = self.unwrapOutboundIn(data), self.underWay > 0 {
                self.underWay -= 1
                self.rest?.interrupt(now: context.eventLoop.now)
                self.rest?.requestEnded()
            }
            context.write(data, promise: promise)
        }
    }
}
