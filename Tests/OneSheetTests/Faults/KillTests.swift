import CodecTesting
import Foundation
import PictureTesting
import PosterTesting
import Synchronization
import Testing

extension FaultTests {
    @Suite struct KillTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        private static let killCount = 20
        /// New posters per life of the server; posters of previous lives are requested, too.
        private static let postersPerLife = 6
        private static let widths = [40, 60]

        /// The responses seen by clients over all lives of the server.
        private final class Sightings: Sendable {
            private let bodies = Mutex<[String: [UInt8]]>([:])
            let count = Counter()

            var all: [String: [UInt8]] { self.bodies.withLock { $0 } }

            /// Adds a response; earlier responses with the same target and entity tag must have had the same body.
            func add(_ target: String, _ answer: HTTPConnection.Answer) {
                #expect(answer.status == 200, "\(target): \(answer.text)")
                let key = "\(target) \(answer.headers["etag"] ?? "")"
                let isSame = self.bodies.withLock { bodies in
                    let isSame = bodies[key, default: answer.body] == answer.body
                    bodies[key] = answer.body
                    return isSame
                }
                #expect(isSame, "\(key)")
                self.count.increment()
            }
        }

        private static func picture(_ number: Int) -> [UInt8] {
            TestPicture.jpeg(width: 100, height: 150, seed: UInt64(number + 1))
        }

        /// Requests one poster after the other until the server dies.
        private static func browse(_ port: Int, life: Int, seed: UInt64, _ sightings: Sightings) async {
            var random = SeededRandom(seed: seed)
            do {
                let client = try HTTPConnection(port: port)
                while true {
                    let oldest = Bool.random(using: &random) ? 0 : life * Self.postersPerLife
                    let poster = Int.random(in: oldest..<(life + 1) * Self.postersPerLife, using: &random)
                    let query = Self.widths.randomElement(using: &random).map { "?w=\($0)" } ?? ""
                    let target = "/poster/mine:film\(poster)" + (Bool.random(using: &random) ? query : "")
                    sightings.add(target, try await client.get(target))
                }
            } catch {
                // The killed server closed the connection.
            }
        }

        @Test func noKillTearsAPosterOrLeavesAFile() async throws {
            try await withOrigin { origin in
                for number in 0..<Self.killCount * Self.postersPerLife {
                    let picture = Self.picture(number)
                    origin.on(
                        "/film\(number).jpg",
                        OriginScript([
                            .length(picture.count), .trickle(picture, size: 1024, pause: .milliseconds(2)),
                        ]))
                }
                let options = FaultTests.patience + FaultTests.mapping(origin)
                let sightings = Sightings()
                var random = SeededRandom(seed: 6)
                let incoming = self.data + "/originals/incoming"
                var cutCount = 0
                for life in 0..<Self.killCount {
                    let server = try await RunningServer(dataDirectory: self.data, options)
                    let enough = sightings.count.value + Int.random(in: 0..<12, using: &random)
                    let poster = life * Self.postersPerLife + Int.random(in: 0..<Self.postersPerLife, using: &random)
                    let isCut = Bool.random(using: &random)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for client in 0..<4 {
                            let seed = UInt64(life * 4 + client)
                            group.addTask { await Self.browse(server.port, life: life, seed: seed, sightings) }
                        }
                        // During the first fetch of a poster, or at an arbitrary moment after `enough` responses.
                        if isCut {
                            try await origin.requestsArrived(at: "/film\(poster).jpg")
                        } else {
                            try await sightings.count.reached(enough)
                        }
                        await server.kill()
                        try await group.waitForAll()
                    }
                    cutCount += FaultTests.files(in: incoming).isEmpty ? 0 : 1
                }
                #expect(cutCount > 0, "some kills cut fetches")

                let server = try await RunningServer(dataDirectory: self.data, options)
                try await eventually { FaultTests.files(in: incoming).isEmpty }
                let check = try await Program.run(["verify", "--no-repair", "--json", "--data-dir", self.data])
                #expect(check.status == 0, "\(check.errors)")
                let report = try JSONDecoder().decode([String: Int].self, from: Data(check.output.utf8))
                #expect(report["damaged"] == 0 && report["missing"] == 0 && report["leftovers"] == 0, "\(report)")
                for target in Set(sightings.all.keys.compactMap { $0.split(separator: " ").first.map(String.init) }) {
                    sightings.add(target, try await server.get(target))
                }
                for (key, body) in sightings.all where !key.contains("?") {
                    let number = try #require(Int(key.drop { !$0.isNumber }.prefix { $0.isNumber }))
                    #expect(body == Self.picture(number), "\(key)")
                }
                // One tag for a separate decode, and one per scale of a shared decode or of retained planes.
                let tags = Dictionary(grouping: sightings.all.keys) { $0.prefix { $0 != " " } }
                #expect(tags.values.allSatisfy { $0.count <= 5 }, "a tag for each bytes, whatever happened in between")
                let originals = tags.filter { !$0.key.contains("?") }
                #expect(originals.values.allSatisfy { $0.count == 1 })
                print(
                    "\(Self.killCount) kills, \(cutCount) in a fetch: \(sightings.count.value) answers; \(check.output)"
                )
                #expect(await server.stop() == 0)
            }
        }
    }
}
