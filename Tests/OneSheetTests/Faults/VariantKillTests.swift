import CodecTesting
import Foundation
import PictureTesting
import PosterTesting
import Synchronization
import Testing

/// Kills of a server that writes variants to disk: 5 by default, or `ONESHEET_KILLS` (`make test-kills`).
@Suite(.timeLimit(.minutes(60)))
struct VariantKillTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }
    private var variants: String { self.data + "/variants" }

    private static let killCount =
        ProcessInfo.processInfo.environment["ONESHEET_KILLS"].flatMap { Int($0) } ?? 5
    /// The number of kills above which some certainly interrupt a write, which takes a fraction of a millisecond.
    private static let manyKills = 50
    /// The number of posters, the same in all lives of the server.
    private static let posterCount = 6
    private static let clientCount = 4

    /// The responses seen by clients over all lives of the server.
    private final class Sightings: Sendable {
        /// Hashes of bodies, by target and entity tag.
        private let bodies = Mutex<[String: Int]>([:])
        let count = Counter()

        var all: [String: Int] { self.bodies.withLock { $0 } }

        /// Adds a response; earlier responses with the same target and entity tag must have had the same body.
        func add(_ target: String, _ answer: HTTPConnection.Answer) {
            #expect(answer.status == 200, "\(target): \(answer.text)")
            let key = "\(target) \(answer.headers["etag"] ?? "")"
            let body = answer.body.hashValue
            let isSame = self.bodies.withLock { bodies in
                let isSame = bodies[key, default: body] == body
                bodies[key] = body
                return isSame
            }
            #expect(isSame, "\(key)")
            self.count.increment()
        }
    }

    /// Requests one large variant after the other until the server dies; each is written to disk.
    private static func browse(_ port: Int, seed: UInt64, _ sightings: Sightings) async {
        var random = SeededRandom(seed: seed)
        do {
            let client = try HTTPConnection(port: port)
            while true {
                let poster = Int.random(in: 0..<Self.posterCount, using: &random)
                let width = Int.random(in: 400...500, using: &random)
                // Half a megabyte, for a write of measurable duration.
                let target = "/poster/mine:film\(poster)?w=\(width)&format=png"
                sightings.add(target, try await client.get(target))
            }
        } catch {
            // The killed server closed the connection.
        }
    }

    /// Kills the server after some responses, or as soon as it then writes a file.
    private func life(_ number: Int, _ options: [String], _ sightings: Sightings) async throws {
        var random = SeededRandom(seed: UInt64(number) + 100)
        let server = try await RunningServer(dataDirectory: self.data, options)
        let enough = sightings.count.value + Int.random(in: 1..<8, using: &random)
        let isCut = Bool.random(using: &random)
        let incoming = self.variants + "/incoming"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clientCount {
                let seed = UInt64(number * Self.clientCount + client)
                group.addTask { await Self.browse(server.port, seed: seed, sightings) }
            }
            try await sightings.count.reached(enough)
            if isCut {
                let wasWriting = try await onOwnThread {
                    try Self.waitForAFile(in: incoming) { server.signal(SIGKILL) }
                }
                #expect(wasWriting, "no variant was written within a minute")
            }
            await server.kill()
            try await group.waitForAll()
        }
    }

    /// Blocks until a file is created in a folder, then calls `body` at once. Returns `false` after a minute.
    private static func waitForAFile(in folder: String, _ body: () -> Void) throws -> Bool {
        let descriptor = inotify_init()
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        defer { close(descriptor) }
        guard inotify_add_watch(descriptor, folder, UInt32(IN_CREATE)) >= 0 else { throw POSIXError(.ENOENT) }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 60_000) == 1 else { return false }
        body()
        return true
    }

    /// Disk space of all files, partly written ones included, in whole 4 KiB blocks.
    private var space: Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: self.variants)) ?? []
        return names.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: self.variants + "/" + name)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + ((attributes?[.size] as? Int ?? 0) + 4095) / 4096 * 4096
        }
    }

    @Test func noKillTearsAVariant() async throws {
        try await withOrigin { origin in
            for number in 0..<Self.posterCount {
                origin.on(
                    "/film\(number).jpg",
                    .image(TestPicture.jpeg(width: 600, height: 900, seed: UInt64(number + 1))))
            }
            // Room for about a hundred variants, so that some are evicted.
            let options =
                FaultTests.patience + FaultTests.mapping(origin)
                + ["--variant-disk-budget", "32MiB", "--memory-budget", "4MiB", "--planes-budget", "0"]
            let sightings = Sightings()
            var cutCount = 0
            for number in 0..<Self.killCount {
                try await self.life(number, options, sightings)
                cutCount += FaultTests.files(in: self.variants + "/incoming").isEmpty ? 0 : 1
                #expect(self.space <= 32 << 20)
            }
            if Self.killCount >= Self.manyKills { #expect(cutCount > 0, "no kill was in a write") }
            let server = try await RunningServer(dataDirectory: self.data, options)
            try await eventually { FaultTests.files(in: self.variants + "/incoming").isEmpty }
            let check = try await Program.run(["verify", "--no-repair", "--json", "--data-dir", self.data])
            #expect(check.status == 0, "\(check.errors)")
            let report = try JSONDecoder().decode([String: Int].self, from: Data(check.output.utf8))
            #expect(report["variantsDamaged"] == 0 && report["variantsOutdated"] == 0, "\(report)")
            #expect(report["variantLeftovers"] == 0 && report["variantsUnusable"] == 0, "\(report)")
            #expect(try #require(report["variantsSound"]) > 0 && report["variantsSound"] == report["variants"])
            for target in Set(sightings.all.keys.compactMap { $0.split(separator: " ").first.map(String.init) }) {
                sightings.add(target, try await server.get(target))
            }
            let hits = try await server.metric("onesheet_variant_disk_hits_total")
            #expect(hits > 0)
            #expect(try await server.metric("onesheet_variant_disk_damaged_total") == 0)
            print(
                "\(Self.killCount) kills, \(cutCount) in a write: \(sightings.count.value) answers, "
                    + "\(hits) of the last life from disk; \(check.output)")
            #expect(await server.stop() == 0)
        }
    }
}
