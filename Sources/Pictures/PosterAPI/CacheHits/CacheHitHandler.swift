package import HTTPServer
package import NIOCore
import NIOHTTP1
package import PosterPipeline
import Synchronization

/// The fast path: answers requests for variants in memory synchronously on the connection's event loop, without a task.
/// Every other request is passed on unchanged to the decoder and to Hummingbird, the slow path.
///
/// One per server, with one ``CacheHitResponder`` per event loop; its caches are bounded.
package final class CacheHitHandler: Sendable {
    private let makeResponder: @Sendable () -> CacheHitResponder
    private let responders = Mutex<[ObjectIdentifier: NIOLoopBound<CacheHitResponder>]>([:])
    private let slowPathPeriod: TimeAmount
    private let recorder: RequestRecorder?
    private let targets: ParsedTargetCache

    /// ``PosterRouter`` must have the same settings, so that both paths give the same responses.
    ///
    /// - Parameters:
    ///   - caching: The lifetimes in `Cache-Control`.
    ///   - clients: Trusted proxies and rate limits.
    ///   - serverName: The value of `Server`, the same as Hummingbird's; `nil` omits it.
    ///   - idleTimeout: Hummingbird's idle timeout. Hummingbird does not see hits: one request in a quarter of that
    ///     time takes the slow path, so that a connection in use is not closed as idle.
    ///   - recorder: Records the requests answered here; the routes record the others.
    package init(
        pipeline: PosterPipeline, caching: ClientCaching = ClientCaching(),
        policies: ReloadablePicturePolicy = ReloadablePicturePolicy(), resolver: PictureResolver = PictureResolver(),
        clients: ClientPolicy = ClientPolicy(), serverName: String?, idleTimeout: TimeAmount?,
        recorder: RequestRecorder? = nil
    ) {
        let cacheControl = CacheControl(caching)
        let targets = ParsedTargetCache(policies: policies, variantBudget: pipeline.status.variantByteBudget)
        self.targets = targets
        self.makeResponder = {
            CacheHitResponder(
                pipeline: pipeline, cacheControl: cacheControl, targets: targets, resolver: resolver, clients: clients,
                serverName: serverName, wantsNames: recorder?.wantsNames == true)
        }
        self.slowPathPeriod = idleTimeout.map { .nanoseconds($0.nanoseconds / 4) } ?? .nanoseconds(.max)
        self.recorder = recorder
    }

    /// The number of cached parsed targets, and their estimated cost in bytes.
    package var usage: (count: Int, cost: Int) { self.targets.usage }

    /// Returns the responder of this event loop; called on that loop.
    fileprivate func responder(on eventLoop: any EventLoop) -> CacheHitResponder {
        let id = ObjectIdentifier(eventLoop)
        if let responder = self.responders.withLock({ $0[id] }) { return responder.value }
        let responder = NIOLoopBound(self.makeResponder(), eventLoop: eventLoop)
        self.responders.withLock { $0[id] = responder }
        return responder.value
    }

    /// Installs the fast path on a connection: it is placed behind the decoder, and adds the working handler in front
    /// of it.
    package final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = NIOAny
        private let hits: CacheHitHandler

        package init(_ hits: CacheHitHandler) {
            self.hits = hits
        }

        package func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
                // Absent if the server has no deadlines.
                let deadlines = try? pipeline.handler(type: ConnectionDeadlines.SocketHandler.self)
                let isSecure = ClientConnectionState.of(context.channel)?.isSecure == true
                let socketHandler = SocketHandler(
                    responder: self.hits.responder(on: context.eventLoop), deadlines: deadlines,
                    rest: IdleTracker.of(context.channel), slowPathPeriod: self.hits.slowPathPeriod,
                    socket: isSecure ? nil : DirectSocket(context.channel), eventLoop: context.eventLoop,
                    recorder: self.hits.recorder)
                try pipeline.handler(type: RequestBoundaryHandler.self).add(socketHandler)
                try pipeline.addHandler(socketHandler, position: .before(encoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }
}
