import Glibc
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@Suite(.timeLimit(.hang), .enabled(if: RedisServer.isAvailable, "\(RedisServer.absence)"))
struct RedisClientTests {
    @Test func repliesComeToTheCommandsThatAskedForThem() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let binary = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
            #expect(try await redis.client.send(RedisCommand("SET", "bytes", binary)) == .status("OK"))
            #expect(try await redis.client.send(RedisCommand("GET", "bytes")).bytesValue == binary)
            #expect(try await redis.client.send(RedisCommand("GET", "none")) == .null)
            #expect(try await redis.client.send(RedisCommand("INCRBY", "count", 41)).number == 41)
            let nested = try await redis.client.send(RedisCommand("EVAL", "return {1,{'a',{}},false,'b'}", 0))
            #expect(
                nested
                    == .array([
                        .integer(1), .array([.bytes(Array("a".utf8)), .array([])]), .null, .bytes(Array("b".utf8)),
                    ]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let reply = try await redis.client.send(RedisCommand("ECHO", "message \(index)"))
                        #expect(reply.text == "message \(index)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aMebibyteGoesThereAndBack() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            _ = try await redis.client.send(RedisCommand("SET", "large", bytes), lane: .background)
            #expect(try await redis.client.send(RedisCommand("GET", "large")).bytesValue == bytes)
        }
    }

    @Test func aScriptIsSentWholeOnlyOnce() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let script = RedisScript("return redis.call('INCRBY', KEYS[1], ARGV[1])")
            #expect(try await redis.client.evaluate(script, keys: ["a"], [5]).number == 5)
            #expect(try await redis.client.evaluate(script, keys: ["a"], [5]).number == 10)
            let calls = try await redis.client.send(RedisCommand("INFO", "commandstats")).text ?? ""
            #expect(calls.contains("cmdstat_eval:calls=1,"))
            #expect(calls.contains("cmdstat_evalsha:calls=2,"))
        }
    }

    @Test func anErrorReplyIsARefusalAndTheConnectionGoesOn() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            _ = try await redis.client.send(RedisCommand("SET", "text", "no number"))
            let error = await #expect(throws: RedisFailure.self) {
                try await redis.client.send(RedisCommand("INCR", "text"))
            }
            #expect(error == .refused("ERR value is not an integer or out of range"))
            #expect(try await redis.client.send(RedisCommand("GET", "text")).text == "no number")
            #expect(redis.client.status.connectionCount == 2)
        }
    }

    @Test func aLateReplyIsDroppedAndTheNextCommandHasItsOwn() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            redis.server.signal(SIGSTOP)
            await #expect(throws: RedisFailure.timedOut(.milliseconds(5))) {
                try await redis.client.send(RedisCommand("ECHO", "late"), within: .milliseconds(5))
            }
            let cancelled = Task { try await redis.client.send(RedisCommand("ECHO", "cancelled")) }
            try await eventually { redis.client.status.inFlightCount >= 2 }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            let next = Task { try await redis.client.send(RedisCommand("ECHO", "next")) }
            try await eventually { redis.client.status.inFlightCount >= 3 }
            redis.server.signal(SIGCONT)
            #expect(try await next.value.text == "next")
            try await eventually { redis.client.status.inFlightCount == 0 }
        }
    }

    @Test func noMoreIsUnderWayThanTheLimit() async throws {
        try await RedisFixture.with(configure: { $0.pipeline.count = 4 }) { redis in
            try await redis.connected()
            redis.server.signal(SIGSTOP)
            let held = (0..<4).map { index in
                Task { try await redis.client.send(RedisCommand("ECHO", index)) }
            }
            try await eventually { redis.client.status.inFlightCount >= 4 }
            await #expect(throws: RedisFailure.overloaded) { try await redis.client.send(RedisCommand("PING")) }
            redis.server.signal(SIGCONT)
            // A command may have been displaced by a probe of the connection.
            for task in held { _ = try? await task.value }
            #expect(try await redis.client.send(RedisCommand("PING")).text == "PONG")
        }
    }

    @Test func aServerThatHangsLosesItsConnectionsAndHasNewOnesWhenItGoesOn() async throws {
        try await RedisFixture.with(configure: {
            $0.hangTimeout = .milliseconds(50)
            $0.watchInterval = .milliseconds(20)
            $0.connectTimeout = .milliseconds(200)
        }) { redis in
            try await redis.connected()
            redis.server.signal(SIGSTOP)
            try await eventually { !redis.client.isConnected }
            let error = await #expect(throws: RedisFailure.self) { try await redis.client.send(RedisCommand("PING")) }
            #expect(error?.label == "unavailable")
            redis.server.signal(SIGCONT)
            try await redis.connected()
            try await eventually { (try? await redis.client.send(RedisCommand("PING")))?.text == "PONG" }
            #expect(redis.log.warnings().count == 2, "its absence and its return")
        }
    }

    @Test func aKilledServerIsFoundAgain() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            _ = try await redis.client.send(RedisCommand("SET", "a", "b"))
            redis.server.kill()
            try await eventually { !redis.client.isConnected }
            try await redis.server.start()
            try await redis.connected()
            #expect(try await redis.client.send(RedisCommand("GET", "a")) == .null, "it is empty")
            #expect(
                redis.log.warnings() == [
                    "Redis is not available; this node continues without it", "Redis is available again",
                ])
        }
    }

    @Test func theRightPasswordIsNeeded() async throws {
        var settings = RedisServer.Settings()
        settings.password = "open sesame"
        let folder = TemporaryFolder()
        let file = "\(folder.path)/password"
        try write("wrong", to: file)
        try await RedisFixture.with(settings, configure: { $0.passwordFile = file }) { redis in
            try await eventually {
                if case .unavailable(let reason) = redis.client.status.failure { return reason.contains("WRONGPASS") }
                return false
            }
            #expect(!redis.client.isConnected)
            try write("open sesame\n", to: file)
            try await redis.connected()
            #expect(try await redis.client.send(RedisCommand("PING")).text == "PONG")
        }
    }

    @Test func aReplicaIsNotUsed() async throws {
        var settings = RedisServer.Settings()
        settings.arguments = ["--replicaof", "127.0.0.1", "1"]
        try await RedisFixture.with(settings) { redis in
            try await eventually { "\(redis.client.status.failure, default: "")".contains("replica") }
            try await redis.server.start()
            try await redis.connected()
        }
    }

    @Test func aFullServerRefusesAndIsNotLeft() async throws {
        var settings = RedisServer.Settings()
        settings.maxMemory = "1mb"
        try await RedisFixture.with(settings) { redis in
            try await redis.connected()
            let error = await #expect(throws: RedisFailure.self) {
                for index in 0..<64 {
                    _ = try await redis.client.send(
                        RedisCommand("SET", "key \(index)", [UInt8](repeating: 1, count: 100_000)))
                }
            }
            #expect("\(error, default: "")".contains("OOM"))
            #expect("\(error, default: "")".contains("maxmemory"))
            #expect(try await redis.client.send(RedisCommand("PING")).text == "PONG")
        }
    }

    @Test func aConnectionOfItsOwnMayBlockWithoutDelayingOthers() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let blocked = Task {
                try await redis.client.withConnection { connection in
                    try await connection.send(RedisCommand("BLPOP", "list", 0), within: .seconds(3600))
                }
            }
            try await eventually {
                try await redis.client.send(RedisCommand("INFO", "clients")).text?.contains("blocked_clients:1") == true
            }
            _ = try await redis.client.send(RedisCommand("RPUSH", "list", "value"))
            #expect(try await blocked.value.elements?.last?.text == "value")
        }
    }

    @Test func cancellingABlockedCommandClosesItsConnection() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let blocked = Task {
                try await redis.client.withConnection { connection in
                    try await connection.send(RedisCommand("BLPOP", "list", 0), within: .seconds(3600))
                }
            }
            let isBlocked: @Sendable () async throws -> Bool = {
                try await redis.client.send(RedisCommand("INFO", "clients")).text?.contains("blocked_clients:1") == true
            }
            try await eventually { try await isBlocked() }
            blocked.cancel()
            await #expect(throws: CancellationError.self) { try await blocked.value }
            try await eventually { try await !isBlocked() }
        }
    }

    @Test(.enabled(if: TestCertificate.isAvailable))
    func certificatesAreVerified() async throws {
        let folder = TemporaryFolder()
        var settings = RedisServer.Settings()
        let certificate = try TestCertificate(in: folder.path)
        settings.certificate = certificate
        try await RedisFixture.with(
            settings, url: "rediss://127.0.0.1", configure: { $0.authorityFile = certificate.certificatePath }
        ) { redis in
            try await redis.connected()
            #expect(try await redis.client.send(RedisCommand("PING")).text == "PONG")
        }
        try await RedisFixture.with(settings, url: "rediss://127.0.0.1") { redis in
            try await eventually { "\(redis.client.status.failure, default: "")".contains("CERTIFICATE_VERIFY_FAILED") }
            #expect(!redis.client.isConnected)
        }
    }

    @Test func aNamedDatabaseIsUsed() async throws {
        try await RedisFixture.with(configure: { configuration in
            configuration.address = try! RedisAddress("redis://127.0.0.1:\(configuration.address.port)/3")
        }) { redis in
            try await redis.connected()
            _ = try await redis.client.send(RedisCommand("SET", "a", "b"))
            #expect(try await redis.client.send(RedisCommand("INFO", "keyspace")).text?.contains("db3:keys=1") == true)
        }
    }

    private func write(_ text: String, to path: String) throws {
        let file = fopen(path, "w")
        defer { fclose(file) }
        fputs(text, file)
    }
}
