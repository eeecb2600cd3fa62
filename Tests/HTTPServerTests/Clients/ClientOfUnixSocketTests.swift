import HTTPServer
import NIOCore
import NIOPosix
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ClientOfUnixSocketTests {
    @Test func clientsOfAUnixSocketAreRecognised() async throws {
        let folder = TemporaryFolder()
        let group = MultiThreadedEventLoopGroup.singleton
        let (clients, found) = AsyncStream.makeStream(of: ClientAddress.self)
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { $0.pipeline.addHandler(Finder(found)) }
            .bind(unixDomainSocketPath: folder.path + "/socket").get()
        let client = try await ClientBootstrap(group: group)
            .connect(unixDomainSocketPath: folder.path + "/socket").get()
        #expect(await clients.first { _ in true } == .unixSocket)
        try await client.close()
        try await server.close()
    }

    private final class Finder: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let found: AsyncStream<ClientAddress>.Continuation

        init(_ found: AsyncStream<ClientAddress>.Continuation) {
            self.found = found
        }

        func channelActive(context: ChannelHandlerContext) {
            self.found.yield(ClientAddress(context.remoteAddress))
            context.fireChannelActive()
        }
    }
}
