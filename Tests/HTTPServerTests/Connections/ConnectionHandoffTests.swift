import NIOCore
import NIOEmbedded
import PosterTesting
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.hang))
struct ConnectionHandoffTests {
    @Test func whatIsTakenBelongsToTheFirst() {
        let ended = Counter()
        do {
            let taken = ConnectionHandoff(7) { _ in ended.increment() }
            #expect(taken.take() == 7)
            #expect(taken.take() == nil)
        }
        #expect(ended.value == 0)
        do { _ = ConnectionHandoff(7) { _ in ended.increment() } }
        #expect(ended.value == 1)
    }

    @Test func anExchangeThatIsNotTakenIsClosed() async throws {
        let channel = NIOAsyncTestingChannel()
        var handover: ConnectionHandoff? = try await channel.testingEventLoop.executeInContext {
            ConnectionHandoff(try ConnectionServer.Exchange(wrappingChannelSynchronously: channel))
        }
        // Afterwards the exchange is the only owner of its writer.
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/client"))
        withExtendedLifetime(handover) {}
        handover = nil
        try await channel.closeFuture.get()
    }
}
