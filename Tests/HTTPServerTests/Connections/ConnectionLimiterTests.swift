import InternetAddress
import Logging
import NIOCore
import NIOEmbedded
import PosterTesting
import Synchronization
import Testing

@testable import HTTPServer

/// Tests without sockets and clocks.
struct ConnectionLimiterTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private static func at(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

    private static func limit(
        _ count: Int, _ change: (inout ConnectionLimiter.Bounds) -> Void = { _ in }
    ) -> ConnectionLimiter {
        var bounds = ConnectionLimiter.Bounds(count)
        change(&bounds)
        return ConnectionLimiter(bounds, logger: Logger(label: "test"))
    }

    /// Connections without sockets, which are closed at the end.
    private final class Channels {
        private var all: [EmbeddedChannel] = []

        func make() -> EmbeddedChannel {
            self.all.append(EmbeddedChannel())
            return self.all[self.all.count - 1]
        }

        deinit {
            // Throws for channels that are already closed.
            for channel in self.all { _ = try? channel.finish() }
        }
    }

    private let channels = Channels()

    private static func host(_ text: String) throws -> ClientAddress {
        .host(try #require(IPAddress(text)))
    }

    /// Opens a connection that is watched.
    private func open(_ limit: ConnectionLimiter, at seconds: Int64 = 0) throws -> (EmbeddedChannel, IdleTracker) {
        let channel = self.channels.make()
        let tracker = try #require(limit.admit(channel, from: try Self.host("192.0.2.1"), now: Self.at(seconds)))
        try limit.watch(channel)
        return (channel, tracker)
    }

    // MARK: Places

    @Test("a few are accepted above the limit, and have its places in their order")
    func places() throws {
        let limit = Self.limit(2)
        let connections = try (0..<10).map { _ in try self.open(limit) }
        #expect(connections.map(\.1.permit.isTaken) == [true, true] + Array(repeating: false, count: 8))
        let resumed = Counter()
        #expect(limit.room { resumed.increment() } == 0)
        _ = try connections[5].0.finish()
        #expect(resumed.value == 1 && limit.room {} == 1, "one without a place has left")
        #expect(!connections[2].1.permit.isTaken)
        _ = try connections[1].0.finish()
        #expect(connections[2].1.permit.isTaken && !connections[3].1.permit.isTaken)
        _ = try connections[2].0.finish()
        #expect(connections[3].1.permit.isTaken && limit.count == 7)
        for (index, connection) in connections.enumerated() where ![1, 2, 5].contains(index) {
            _ = try connection.0.finish()
        }
        #expect(limit.count == 0)
    }

    @Test(
        "one address has so many connections and no more",
        arguments: [
            ("192.0.2.1", "192.0.2.2", "192.0.2.1"),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:1:ffff::9"),
        ])
    func perAddress(own: String, other: String, neighbour: String) throws {
        let limit = Self.limit(100) { $0.perAddress = 2 }
        let channels = (0..<3).map { _ in self.channels.make() }
        #expect(limit.admit(channels[0], from: try Self.host(own)) != nil)
        #expect(limit.admit(channels[1], from: try Self.host(neighbour)) != nil)
        for _ in 0..<3 { #expect(limit.admit(self.channels.make(), from: try Self.host(own)) == nil) }
        #expect(limit.admit(channels[2], from: try Self.host(other)) != nil)
        #expect(limit.count == 3)
        _ = try channels[0].finish()
        let next = self.channels.make()
        #expect(limit.admit(next, from: try Self.host(own)) != nil)
        #expect(limit.admit(self.channels.make(), from: try Self.host(own)) == nil)
        for channel in channels.dropFirst() + [next] { _ = try channel.finish() }
        let left = limit.state.withLock { ($0.count, $0.byAddress.count, $0.open.count) }
        #expect(left == (0, 0, 0))
    }

    @Test func proxiesAndUnixSocketsHaveAsManyAsTheyLike() throws {
        let limit = Self.limit(100) {
            $0.perAddress = 1
            $0.proxies.networks = [IPNetwork("10.0.0.0/8")!]
        }
        for address in [try Self.host("10.1.2.3"), .unixSocket, .unknown] {
            for _ in 0..<3 { #expect(limit.admit(self.channels.make(), from: address) != nil) }
        }
        let unlimited = Self.limit(100)
        for _ in 0..<50 { #expect(unlimited.admit(self.channels.make(), from: try Self.host("192.0.2.1")) != nil) }
    }

    @Test func refusalsAreLoggedOnceAMinute() {
        var log = ConnectionLimiter.RefusalLog()
        #expect(log.count(now: Self.at(0)) == 1)
        for second in 1..<60 { #expect(log.count(now: Self.at(Int64(second))) == nil) }
        #expect(log.count(now: Self.at(60)) == 60)
    }

    // MARK: Ending idle connections for new ones

    /// The indexes of the connections that would be ended, in order.
    private static func order(_ limit: ConnectionLimiter, _ all: [IdleTracker], at seconds: Int64) -> [Int?] {
        limit.dispensable(now: Self.at(seconds)).map { found in all.firstIndex { $0 === found.tracker } }
    }

    @Test func nothingIsEndedWhileNothingWaits() throws {
        let limit = Self.limit(2)
        for _ in 0..<2 { _ = try self.open(limit) }
        #expect(limit.dispensable(now: Self.at(1000)).isEmpty)
    }

    @Test("those that are only refused are ended first, then those that rest, then those that take least")
    func order() throws {
        let limit = Self.limit(64)
        let all = try (0..<64).map { try self.open(limit, at: $0 == 4 ? -9 : 0) }
        let rests = all.map(\.1)
        for tracker in rests { tracker.requestBegan() }
        let waiting = try (0..<8).map { _ in try self.open(limit) }
        #expect(Self.order(limit, rests, at: 100).isEmpty, "all are busy")

        // 1 and 2 read slowly and 3 fast; 0 reads nothing, and is observed once.
        for second in Int64(0)...3 {
            for (index, rate) in [(1, 3000), (2, 2000), (3, ConnectionLimiter.leastRate)] {
                rests[index].observe((taken: 9 << 20 + rate * Int(second), isWaiting: true), now: Self.at(second))
            }
        }
        rests[0].observe((taken: 0, isWaiting: true), now: Self.at(3))
        #expect(Self.order(limit, rests, at: 3) == [2, 1], "the slowest first")
        for index in [4, 5] { rests[index].requestEnded() }
        #expect(Self.order(limit, rests, at: 3) == [4, 5, 2, 1], "4 has rested longer")
        rests[6].requestEnded()
        rests[6].interrupt(now: Self.at(3))
        rests[6].answered(isRefusal: true)
        #expect(Self.order(limit, rests, at: 3) == [6, 4, 5, 2, 1], "refused just now")
        rests[6].answered(isRefusal: false)
        #expect(Self.order(limit, rests, at: 3) == [4, 5, 2, 1])

        rests[2].observe((taken: 9 << 20, isWaiting: false), now: Self.at(4))
        #expect(Self.order(limit, rests, at: 4) == [4, 5, 6, 1], "2 has taken all")
        #expect(Self.order(limit, rests, at: 7) == [4, 5, 6], "1 has not been looked at for long")
        _ = try waiting[0].0.finish()
    }

    @Test func notMoreAreEndedThanWaitNorThanAnEighth() throws {
        let limit = Self.limit(24)
        var all = try (0..<24).map { try self.open(limit, at: Int64($0)) }
        let rests = all.map(\.1)
        all.append(try self.open(limit))
        #expect(Self.order(limit, rests, at: 100) == [0])
        for _ in 0..<5 { all.append(try self.open(limit)) }
        #expect(Self.order(limit, rests, at: 100) == [0, 1, 2])
        #expect(Self.order(limit, rests, at: 2) == [0, 1], "the others have not rested for long enough")
    }

    @Test("connections above the limit without a request are ended soon, those that have begun one later")
    func silence() throws {
        let limit = Self.limit(1) { ($0.leastSilence, $0.leastRest) = (.seconds(2), .seconds(20)) }
        let (served, above) = (try self.open(limit), try (0..<3).map { try self.open(limit, at: $0) })
        #expect(served.1.isSilent && limit.silent(now: Self.at(1)).isEmpty)
        #expect(limit.silent(now: Self.at(2)).map { $0.tracker === above[0].1 } == [true])
        above[0].1.interrupt(now: Self.at(0))
        above[1].1.requestBegan()
        #expect(limit.silent(now: Self.at(9)).map { $0.tracker === above[2].1 } == [true])
        #expect(limit.silent(now: Self.at(20)).map { $0.tracker === above[1].1 } == [false, false])
        above[0].1.answered(isRefusal: false)
        #expect(limit.silent(now: Self.at(9)).map { $0.tracker === above[1].1 } == [false, false])
    }

    @Test("a head that drips is no sign of life for long")
    func drippingHead() throws {
        let limit = Self.limit(1)
        let (channel, tracker) = try self.open(limit)
        let loop = channel.embeddedEventLoop
        let start = loop.now
        for _ in 0..<20 {
            try channel.writeInbound(ByteBuffer(string: "G"))
            loop.advanceTime(by: .milliseconds(500))
        }
        #expect(tracker.since == start + .milliseconds(2500))
        tracker.answered(isRefusal: false)
        try channel.writeInbound(ByteBuffer(string: "G"))
        #expect(tracker.since == loop.now, "it is the next request's")
    }

    @Test func aConnectionThatHasComeToLifeIsNotEnded() throws {
        let limit = Self.limit(1)
        let (channel, tracker) = try self.open(limit)
        let since = try #require(tracker.since)
        tracker.interrupt(now: Self.at(50))
        let loop = channel.embeddedEventLoop
        tracker.end(.idle(since: since))
        loop.advanceTime(by: IdleTracker.readingTime)
        #expect(tracker.since != nil && !tracker.isEnding)
        tracker.end(.idle(since: Self.at(50)))
        loop.run()
        #expect(!tracker.isEnding, "what has come by then is read first")
        tracker.interrupt(now: Self.at(60))
        loop.advanceTime(by: IdleTracker.readingTime)
        #expect(tracker.since != nil && !tracker.isEnding)
        tracker.end(.idle(since: Self.at(60)))
        loop.run()
        loop.advanceTime(by: IdleTracker.readingTime)
        #expect(tracker.since == nil && tracker.isEnding, "it is asked once")
    }
    @Test("a connection that has no handlers yet is ended by a later look, not by an event that nothing handles")
    func connectionBeforeItsSetUp() throws {
        let limit = Self.limit(1)
        let channel = self.channels.make()
        let tracker = try #require(limit.admit(channel, from: try Self.host("192.0.2.1"), now: Self.at(0)))
        let end = {
            tracker.end(.idle(since: Self.at(0)))
            channel.embeddedEventLoop.run()
            channel.embeddedEventLoop.advanceTime(by: IdleTracker.readingTime)
        }
        end()
        #expect(!tracker.isEnding)
        try limit.watch(channel)
        end()
        #expect(tracker.isEnding)
    }
}
