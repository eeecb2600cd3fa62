import Glibc
import NIOCore
import NIOEmbedded
import PosterTesting
import Testing

@testable import PosterHTTP

@Suite(.timeLimit(.minutes(1)))
struct ListeningTests {
    private let folder = TemporaryFolder()
    private var path: String { self.folder.path + "/socket" }

    // MARK: Unix sockets

    @Test func aSocketOfADeadProcessIsReplacedAndALivingOnesIsNot() throws {
        let first = try UnixSocketFile(path: self.path, mode: 0o640, backlog: 16)
        var facts = stat()
        #expect(stat(self.path, &facts) == 0 && facts.st_mode & 0o777 == 0o640)
        let living = #expect(throws: ListeningFailure.self) {
            try UnixSocketFile(path: self.path, mode: 0o600, backlog: 16)
        }
        #expect(living?.code == EADDRINUSE)

        close(first.descriptor)
        let second = try UnixSocketFile(path: self.path, mode: 0o600, backlog: 16)
        first.remove()
        #expect(access(self.path, F_OK) == 0, "another's file is left alone")
        close(second.descriptor)
        second.remove()
        #expect(access(self.path, F_OK) != 0)
    }

    @Test func aFileThatIsNoSocketIsLeftAlone() throws {
        let file = try #require(fopen(self.path, "w"))
        fclose(file)
        let failure = #expect(throws: ListeningFailure.self) {
            try UnixSocketFile(path: self.path, mode: 0o600, backlog: 16)
        }
        #expect(failure?.description.contains("no socket") == true)
        #expect(throws: ListeningFailure.self) {
            try UnixSocketFile(path: String(repeating: "a", count: 108), mode: 0o600, backlog: 16)
        }
    }

    // MARK: Inherited sockets

    @Test func inheritedSocketsHaveNumbersAndNames() throws {
        let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "http:tls"]
        let sockets = try InheritedSockets(environment: environment, processID: 7)
        #expect(sockets.entries.map(\.descriptor) == [3, 4, 5])
        #expect(sockets.entries.map(\.name) == ["http", "tls", "unknown"])
        #expect(try InheritedSockets(environment: environment, processID: 8).entries.isEmpty, "they are another's")
        #expect(try InheritedSockets(environment: [:], processID: 7).entries.isEmpty)
        for count in ["-1", "65", "x", ""] {
            #expect(throws: ListeningFailure.self, "\(count)") {
                try InheritedSockets(environment: ["LISTEN_PID": "7", "LISTEN_FDS": count], processID: 7)
            }
        }
    }

    // MARK: Connections

    @Test func placesShareOneLimit() {
        let limit = ConnectionLimit(2)
        let resumed = Counter()
        limit.opened()
        #expect(limit.hasRoom { resumed.increment() })
        limit.opened()
        #expect(!limit.hasRoom { resumed.increment() })
        #expect(!limit.hasRoom { resumed.increment() })
        limit.opened()  // one more than allowed: it was accepted together with another
        limit.closed()
        #expect(resumed.value == 0)
        limit.closed()
        #expect(resumed.value == 2, "all that wait ask again")
        #expect(limit.count == 1)
    }

    @Test func thoseThatHaveRestedLongestAreEndedForOthers() throws {
        let limit = ConnectionLimit(24, leastRest: .seconds(1))
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        // They come a second after the other, the last first.
        let channels = try (0..<6).map { number in
            let channel = EmbeddedChannel()
            try limit.watch(channel, now: start + .seconds(Int64(6 - number)))
            return channel
        }
        func order(at seconds: Int64) -> [Int64] {
            limit.longestResting(now: start + .seconds(seconds)).map { ($0.since - start).nanoseconds / 1_000_000_000 }
        }
        #expect(order(at: 1).isEmpty, "nobody has rested for long enough")
        #expect(order(at: 3) == [1, 2])
        #expect(order(at: 100) == [1, 2, 3], "an eighth at a time")

        let busy = try #require(ConnectionRest.of(channels[5]))
        busy.requestBegan()
        #expect(order(at: 100) == [2, 3, 4])
        busy.interrupt(now: start + .seconds(9))
        busy.requestEnded()
        #expect(order(at: 100) == [2, 3, 4])
        _ = try channels[4].finish()
        #expect(order(at: 100) == [3, 4, 5])

        let (rest, since) = try #require(limit.longestResting(now: start + .seconds(100)).first)
        rest.interrupt(now: start + .seconds(50))
        rest.end(since)
        channels[3].embeddedEventLoop.run()
        #expect(rest.since != nil, "something has come meanwhile")
        rest.end(start + .seconds(50))
        channels[3].embeddedEventLoop.run()
        #expect(rest.since == nil, "it is asked once")
        for channel in channels { _ = try channel.finish(acceptAlreadyClosed: true) }
    }

    @Test func idleConnectionsKeepNobodyOut() async throws {
        try await EdgeServer.run(connectionLimit: 4, leastRest: .nanoseconds(0)) { server in
            // Its answer does not end while nobody takes it.
            let busy = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            try busy.send("GET", "/original")
            try await busy.take(atMost: 1)
            var idle: [HTTPConnection] = []
            for _ in 0..<4 {
                idle.append(try server.connect())
                let answer = try await idle.last!.get("/")
                #expect(answer.text == "here")
            }
            for connection in idle.prefix(2) { try await connection.closedByServer() }
            #expect(!idle[2].hasNews && !idle[3].hasNews, "they have rested less")
            let whole = try await busy.answer()
            #expect(whole.body.count == EdgeServer.largeLength)
        }
    }

    @Test func whoIsOneTooManyIsServedWhenAnotherHasLeft() async throws {
        try await EdgeServer.run(connectionLimit: 1) { server in
            let first = try server.connect()
            let answer = try await first.get("/")
            #expect(answer.text == "here")
            let second = try server.connect()
            try second.send("GET", "/")
            #expect(!second.hasNews)
            first.close()
            let late = try await second.answer()
            #expect(late.text == "here")
        }
    }
}
