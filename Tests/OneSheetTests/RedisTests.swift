import Foundation
import PictureTesting
import PosterTesting
import Testing

/// Several nodes with one Redis server.
@Suite(.timeLimit(.hang), .enabled(if: RedisServer.isAvailable, "\(RedisServer.absence)"))
struct RedisTests {
    private let folder = TemporaryFolder()
    /// Large enough that its variants are stored in Redis.
    private let picture = TestPicture.jpeg(width: 1600, height: 2400)

    /// The part of `/readyz` about Redis.
    private struct Health: Decodable {
        struct Redis: Decodable {
            struct Variants: Decodable {
                let hits: Int
                let misses: Int
                let writes: Int
                let removals: Int
                let waitingRemovals: Int
            }

            let address: String
            let isConnected: Bool
            let reason: String?
            let variants: Variants
        }

        let redis: Redis?
    }

    private func redis(of server: RunningServer) async throws -> Health.Redis {
        let health = try JSONDecoder().decode(Health.self, from: Data(try await server.get("/readyz").body))
        return try #require(health.redis)
    }

    private func node(
        _ number: Int, _ redis: RedisServer, _ origin: OriginServer, _ options: [String] = []
    ) async throws -> RunningServer {
        try await RunningServer(
            dataDirectory: self.folder.path + "/\(number)",
            [
                "--redis", "redis://127.0.0.1:\(redis.port)", "--redis-timeout", "1", "--allow-private-origins",
                // Otherwise a re-encoded variant could replace the rendered one.
                "--reencode", "off", "--origin", "mine=\(origin.baseURL)/{key}.jpg",
            ] + options)
    }

    private func target(_ key: String, width: Int = 900) -> String { "/poster/mine:\(key)?w=\(width)" }

    @Test func aSecondNodeRendersNothingThatTheFirstHasRendered() async throws {
        let redis = try await RedisServer()
        try await withOrigin { origin in
            origin.on("/film.jpg", .image(self.picture))
            let first = try await self.node(1, redis, origin)
            try await eventually { try await self.redis(of: first).isConnected }
            let rendered = try await first.get(self.target("film"))
            #expect(rendered.status == 200)
            try await eventually { try await self.redis(of: first).variants.writes == 1 }
            let second = try await self.node(2, redis, origin)
            try await eventually { try await self.redis(of: second).isConnected }
            let found = try await second.get(self.target("film"))
            #expect(found.body == rendered.body && found.headers["etag"] == rendered.headers["etag"])
            #expect(try await self.redis(of: second).variants.hits == 1)
            #expect(try await second.metric("onesheet_renders_total") == 0)
            #expect(try await second.metric("onesheet_redis_variant_hits_total") == 1)
            for _ in 0..<3 { _ = try await second.get(self.target("film")) }
            #expect(try await self.redis(of: second).variants.misses == 0, "hits in memory ask nothing")
            for node in [first, second] { #expect(await node.stop() == 0) }
        }
    }

    /// A fault of a Redis server, and its end.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let begin: @Sendable (RedisServer) async throws -> Void
        let end: @Sendable (RedisServer) async throws -> Void
        var losesConnection = true
    }

    @Test(arguments: [
        Fault(
            testDescription: "killed", begin: { $0.kill() },
            end: { try await $0.start() }),
        Fault(
            testDescription: "hung", begin: { $0.signal(SIGSTOP) },
            end: { $0.signal(SIGCONT) }),
        Fault(
            testDescription: "another password",
            begin: {
                var settings = RedisServer.Settings()
                settings.password = "changed"
                try await $0.start(settings)
            }, end: { try await $0.start() }),
        Fault(
            testDescription: "full",
            begin: {
                var settings = RedisServer.Settings()
                settings.maxMemory = "1"
                try await $0.start(settings)
            }, end: { try await $0.start() }, losesConnection: false),
    ])
    func postersAreServedWithoutRedisAndItIsUsedAgainWhenItWorks(_ fault: Fault) async throws {
        let redis = try await RedisServer()
        try await withOrigin { origin in
            for key in ["before", "during", "after"] { origin.on("/\(key).jpg", .image(self.picture)) }
            // Renders from planes take too little time to be stored.
            let node = try await self.node(1, redis, origin, ["--planes-budget", "0"])
            try await eventually { try await self.redis(of: node).isConnected }
            #expect(try await node.get(self.target("before")).status == 200)
            try await fault.begin(redis)
            #expect(try await node.get(self.target("during")).status == 200)
            #expect(try await node.get(self.target("before")).status == 200)
            if fault.losesConnection {
                try await eventually { try await !self.redis(of: node).isConnected }
                #expect(try await self.redis(of: node).reason?.isEmpty == false)
            }
            #expect(try await node.get("/readyz").status == 200, "that it fails is no reason")
            try await fault.end(redis)
            try await eventually { try await self.redis(of: node).isConnected }
            let writes = try await self.redis(of: node).variants.writes
            // A write that times out is not repeated, so that each check renders another variant, always a large one.
            var number = 0
            try await eventually {
                number += 1
                let target = "\(self.target("after", width: 900 - number % 100))&q=\(50 + number / 100 % 50)"
                #expect(try await node.get(target).status == 200)
                return try await self.redis(of: node).variants.writes > writes
            }
            #expect(await node.stop() == 0)
        }
    }

    @Test func aPasswordIsInNoOutput() throws {
        let reason = try #require(try ServeArguments.refusal(["--redis", "redis://user:se-cret@h:x"]))
        #expect(reason.contains("--redis") && !reason.contains("se-cret"), "\(reason)")
    }
}
