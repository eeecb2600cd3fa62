import CoreMetrics
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServer

struct UnsentBodiesTests {
    /// Simulates a connection that closes immediately: pending writes fail.
    private final class Ending: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var unsent: EventLoopPromise<Void>?

        func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
            if event is SendAccount.End { self.unsent?.fail(ChannelError.ioOnClosedChannel) }
            promise?.succeed()
        }
    }

    @Test func aConnectionThatIsEndedForOneOfItsBodiesKeepsNone() {
        let budget = SendBudget(limit: 1 << 20, metrics: NOOPMetricsHandler.instance)
        // They share one body: ending one of them would free nothing.
        let shared = ByteBuffer(repeating: 1, count: 1 << 19)
        let others = (0..<2).map { _ in EmbeddedChannel() }
        let neighbours = others.map { UnsentBodies(budget, of: $0) }
        for neighbour in neighbours {
            _ = neighbour.add(shared)
            neighbour.holdWhatIsLeft()
        }
        let before = budget.heldByteCount
        let ending = Ending()
        let channel = EmbeddedChannel(handler: ending)
        let unsent = channel.eventLoop.makePromise(of: Void.self)
        ending.unsent = unsent
        let bodies = UnsentBodies(budget, of: channel)
        for _ in 0..<3 { bodies.add(ByteBuffer(repeating: 2, count: 1 << 20), sent: unsent.futureResult) }
        bodies.holdWhatIsLeft()
        channel.embeddedEventLoop.run()
        bodies.close()
        #expect(bodies.isEmpty)
        #expect(budget.heldByteCount == before)
        for neighbour in neighbours { neighbour.close() }
        #expect(budget.heldByteCount == 0)
    }
}
