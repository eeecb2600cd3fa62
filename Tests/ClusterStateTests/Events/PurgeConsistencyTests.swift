import Flights
import Glibc
import PictureTesting
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import ClusterState

/// Checks the responses of three nodes while posters are purged: a checker records the version and time of each one.
@Suite(.enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)), .timeLimit(.hang))
struct PurgeConsistencyTests {
    private static let posters = ["heat", "ronin", "alien"]
    private static let widths = [60, 92]
    private static let versionCount = 8
    private static let pictures = (0..<Self.versionCount).map {
        TestPicture.jpeg(width: 120, height: 180, seed: UInt64($0) + 1)
    }
    private static let versions = Dictionary(
        uniqueKeysWithValues: Self.pictures.enumerated().map { index, bytes in
            (bytes.withUnsafeBytes { Digest(of: $0) }, index)
        })

    private struct Purge: Sendable {
        let version: Int
        let end: UInt64
    }

    /// The origin, the nodes' folders, and the recorded responses.
    private final class Scene: Sendable {
        let source = ScriptedOriginalSource()
        let folder = TemporaryFolder()
        let log = LogRecorder()
        let redis: RedisServer
        let relay: TCPRelay
        let lagLimit: Duration?
        private let seen = Mutex<(responses: [PosterNode.Seen], refusals: Int)>(([], 0))
        private let purges = Mutex<[Purge]>([])

        init(lagLimit: Duration?) async throws {
            self.lagLimit = lagLimit
            self.redis = try await RedisServer()
            self.relay = try await TCPRelay(to: self.redis.port)
            self.publish(0)
        }

        /// Makes the origin send this version.
        func publish(_ version: Int) {
            for poster in PurgeConsistencyTests.posters {
                self.source.set(
                    PurgeConsistencyTests.pictures[version], for: poster, etag: "\"\(version)\"",
                    caching: CachingFields(cacheControl: "max-age=86400"))
            }
        }

        /// Replaces all posters at the origin and purges them on a node.
        func purge(_ version: Int, on node: PosterNode) async throws -> [Publication?] {
            self.publish(version)
            var publications: [Publication?] = []
            for poster in PurgeConsistencyTests.posters {
                publications.append(try await node.pipeline.purgeEverywhere(try PosterID(key: poster)).publication)
            }
            self.purges.withLock { $0.append(Purge(version: version, end: Uptime.nanoseconds())) }
            return publications
        }

        /// Creates a node. The connection of node `c` to Redis can be cut.
        func node(_ name: String) throws -> PosterNode {
            try PosterNode(
                name, port: name == "c" ? self.relay.port : self.redis.port, folder: self.folder, source: self.source,
                lagLimit: self.lagLimit, log: self.log)
        }

        /// Requests all posters of a node in turn until it is cancelled.
        func clients(of node: PosterNode) async throws {
            while !Task.isCancelled {
                for (poster, width) in PurgeConsistencyTests.requests {
                    do {
                        let seen = try await node.request(
                            poster, width: width, versions: PurgeConsistencyTests.versions)
                        self.seen.withLock { $0.responses.append(seen) }
                    } catch PosterError.cutOff {
                        self.seen.withLock { $0.refusals += 1 }
                        try await Task.sleep(for: .milliseconds(2))
                    }
                }
                // Lets other tasks run.
                try await Task.sleep(for: .milliseconds(1))
            }
        }

        var responses: [PosterNode.Seen] { self.seen.withLock { $0.responses } }
        var refusalCount: Int { self.seen.withLock { $0.refusals } }

        /// Returns once a node answers all requests with a version.
        func served(_ version: Int, by node: String) async throws {
            let begin = Uptime.nanoseconds()
            try await eventually {
                let latest = self.responses.filter { $0.node == node && $0.begin > begin }
                return PurgeConsistencyTests.posters.allSatisfy { poster in
                    latest.last { $0.poster == poster }?.version == version
                }
            }
        }

        /// Checks that no poster's version decreases on a node.
        func checkOrder() {
            var latest: [String: (version: Int, end: UInt64)] = [:]
            for seen in self.responses.sorted(by: { $0.end < $1.end }) {
                let key = "\(seen.node) \(seen.poster)"
                if let before = latest[key], before.end < seen.begin {
                    #expect(seen.version >= before.version, "\(key)")
                }
                if latest[key].map({ $0.version < seen.version }) ?? true { latest[key] = (seen.version, seen.end) }
            }
        }

        /// Checks that a node which has all events when a request begins does not respond with a purged version.
        /// - Parameter settled: Time that events may take to connected nodes after a purge, in nanoseconds.
        func checkCurrent(settled: UInt64, of nodes: Set<String>, since moment: UInt64 = 0) {
            let purges = self.purges.withLock { $0 }
            for seen in self.responses where nodes.contains(seen.node) && seen.begin > moment {
                guard seen.phase == .current || seen.phase == .catchingUp else { continue }
                let due = purges.last { $0.end + settled < seen.begin }?.version ?? 0
                #expect(seen.version >= due, "\(seen)")
            }
        }

        /// The longest time from a purge to the last response of an older version, in nanoseconds.
        func delay(of nodes: Set<String>) -> UInt64 {
            self.purges.withLock { $0 }.flatMap { purge in
                self.responses.filter { nodes.contains($0.node) && $0.version < purge.version && $0.end > purge.end }
                    .map { $0.end - purge.end }
            }.max() ?? 0
        }
    }

    private static let requests = Self.posters.flatMap { poster in Self.widths.map { (poster, $0) } }
    private static let second: UInt64 = 1_000_000_000

    /// Runs clients of a node during `body`.
    private static func serving(
        _ node: PosterNode, _ scene: Scene, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for _ in 0..<2 {
                group.addTask {
                    do { try await scene.clients(of: node) } catch is CancellationError {}
                }
            }
            group.addTask { try await body() }
            try await group.next()
        }
    }

    private static func nodes(
        _ scene: Scene, _ body: @escaping @Sendable (PosterNode, PosterNode) async throws -> Void
    ) async throws {
        try await scene.node("a").run { first in
            try await scene.node("b").run { second in
                try await Self.serving(first, scene) {
                    try await Self.serving(second, scene) { try await body(first, second) }
                }
            }
        }
    }

    @Test func connectedNodesServeNothingThatWasPurged() async throws {
        let scene = try await Scene(lagLimit: nil)
        try await Self.nodes(scene) { first, second in
            for node in ["a", "b"] { try await scene.served(0, by: node) }
            for version in 1..<Self.versionCount {
                let node = version.isMultiple(of: 2) ? first : second
                #expect(try await scene.purge(version, on: node) == [.published, .published, .published])
                for node in ["a", "b"] { try await scene.served(version, by: node) }
            }
        }
        scene.checkOrder()
        scene.checkCurrent(settled: Self.second, of: ["a", "b"])
        print("connected: old bytes for \(Double(scene.delay(of: ["a", "b"])) / 1e6) ms after a purge at most")
    }

    @Test(arguments: [nil, Duration.milliseconds(300)])
    func aNodeThatWasCutOffServesNothingThatWasPurgedOnceItIsBack(_ lagLimit: Duration?) async throws {
        let scene = try await Scene(lagLimit: lagLimit)
        try await Self.nodes(scene) { first, _ in
            try await scene.node("c").run { third in
                try await Self.serving(third, scene) {
                    for node in ["a", "b", "c"] { try await scene.served(0, by: node) }
                    for version in 1..<4 {
                        scene.relay.cut()
                        try await eventually { third.stream.watch.phase == .cutOff }
                        _ = try await scene.purge(version, on: first)
                        for node in ["a", "b"] { try await scene.served(version, by: node) }
                        if lagLimit == nil {
                            // The node serves its old version, because it cannot detect that it is stale.
                            try await scene.served(version - 1, by: "c")
                        } else {
                            let count = scene.refusalCount
                            try await eventually { third.stream.gate.position == .refused }
                            try await eventually { scene.refusalCount > count }
                        }
                        scene.relay.restore()
                        try await scene.served(version, by: "c")
                    }
                }
            }
        }
        scene.checkOrder()
        scene.checkCurrent(settled: Self.second, of: ["a", "b"])
        scene.checkCurrent(settled: 0, of: ["c"])
    }

    @Test(arguments: [nil, Duration.milliseconds(300)])
    func aNodeThatWasStoppedServesNothingThatWasPurgedMeanwhile(_ lagLimit: Duration?) async throws {
        let scene = try await Scene(lagLimit: lagLimit)
        try await Self.nodes(scene) { first, _ in
            for version in 1..<4 {
                try await scene.node("c").run { third in
                    try await Self.serving(third, scene) { try await scene.served(version - 1, by: "c") }
                }
                _ = try await scene.purge(version, on: first)
                let stopped = Uptime.nanoseconds()
                try await scene.node("c").run { third in
                    try await Self.serving(third, scene) { try await scene.served(version, by: "c") }
                }
                let responses = scene.responses.filter { $0.node == "c" && $0.begin > stopped }
                #expect(!responses.isEmpty && responses.allSatisfy { $0.version == version })
            }
        }
        scene.checkOrder()
    }

    @Test(arguments: [nil, Duration.milliseconds(300)])
    func whileRedisHangsAPurgeIsLocalAndReachesTheOthersWhenItGoesOn(_ lagLimit: Duration?) async throws {
        let scene = try await Scene(lagLimit: lagLimit)
        try await Self.nodes(scene) { first, second in
            for node in ["a", "b"] { try await scene.served(0, by: node) }
            scene.redis.signal(SIGSTOP)
            try await eventually { second.stream.watch.phase == .cutOff }
            let publications = try await scene.purge(1, on: first)
            #expect(publications == [.waiting, .waiting, .waiting])
            if lagLimit == nil {
                try await scene.served(1, by: "a")
                try await scene.served(0, by: "b")
            } else {
                try await eventually { second.stream.gate.position == .refused }
            }
            scene.redis.signal(SIGCONT)
            for node in ["a", "b"] { try await scene.served(1, by: node) }
            #expect(first.stream.status.pending == 0)
        }
        scene.checkOrder()
    }
}
