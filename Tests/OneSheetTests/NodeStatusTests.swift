import ClusterState
import Foundation
import OneSheetServer
import PictureTesting
import PosterTesting
import Testing

@testable import onesheet

/// `onesheet status`, and purges across nodes.
@Suite(.timeLimit(.hang))
struct NodeStatusTests {
    private let folder = TemporaryFolder()
    private let picture = TestPicture.jpeg(width: 120, height: 180)
    private let newer = TestPicture.jpeg(width: 120, height: 180, seed: 2)

    private func status(_ data: String, _ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(["status", "--data-dir", data] + arguments)
    }

    @Test func aNodeAloneShowsItsState() async throws {
        let data = self.folder.path + "/1"
        let server = try await InProcessServer(dataDirectory: data)
        let text = try await self.status(data)
        #expect(text.status == 0 && text.output.contains("Ready      yes"), "\(text)")
        let json = try await self.status(data, "--json")
        #expect(json.output.contains(#""isReady":true"#) && !json.output.contains(#""nodes""#))
        let all = try await self.status(data, "--all")
        #expect(all.status == 0 && all.output.contains("yes") && all.output.contains("--redis"), "\(all)")
        withExtendedLifetime(server) {}
    }

    @Test func withoutAServerThereIsNothingToShow() async throws {
        let outcome = try await self.status(self.folder.path + "/none")
        #expect(outcome.status == 1 && outcome.errors.contains("no server holds"), "\(outcome)")
    }

    @Test(.enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)))
    func nodesListOneAnotherAndPurgeTogether() async throws {
        let redis = try await RedisServer()
        try await withOrigin { origin in
            origin.on("/film.jpg", .image(self.picture, etag: "\"1\""))
            let options = [
                "--redis", "redis://127.0.0.1:\(redis.port)", "--allow-private-origins", "--origin",
                "mine=\(origin.baseURL)/{key}.jpg",
            ]
            let paths = ["1", "2"].map { self.folder.path + "/" + $0 }
            let first = try await RunningServer(dataDirectory: paths[0], options + ["--node-name", "one"])
            let second = try await RunningServer(dataDirectory: paths[1], options + ["--node-name", "two"])
            for server in [first, second] { #expect(try await server.get("/poster/mine:film").body == self.picture) }
            try await eventually {
                try await self.status(paths[0], "--all", "--json").output.contains(#""name":"two""#)
            }
            let table = try await self.status(paths[1], "--all")
            #expect(table.status == 0 && table.output.contains("one") && table.output.contains("current"), "\(table)")

            origin.on("/film.jpg", .image(self.newer, etag: "\"2\""))
            let purge = try await Program.run(["purge", "--json", "--data-dir", paths[0], "mine:film"])
            #expect(purge.output.contains(#""purged":1"#) && !purge.output.contains("waiting"), "\(purge)")
            try await eventually { try await second.get("/poster/mine:film").body == self.newer }

            redis.kill()
            let waiting = try await Program.run(["purge", "--json", "--data-dir", paths[0], "mine:film"])
            #expect(waiting.output.contains(#""waiting":1"#), "\(waiting)")
        }
    }

    /// A node's record as JSON.
    ///
    /// - Parameter fields: Further members.
    private func record(_ fields: String) -> String {
        """
        {"name":"two","instance":"2","address":"http://10.0.0.2","version":"1","reasons":[],"isReady":true,
        "counters":{"hits":0,"renders":0,"originals":0,"variants":0},\(fields)}
        """
    }

    @Test func faultsOfOtherNodesHaveLinesOfTheirOwnByThoseNodesClocks() throws {
        let text = StatusText(
            try JSONDecoder().decode(
                StatusReport.self,
                from: Data(
                    """
                    {"node":\(self.record(#""startedAt":0,"seenAt":0"#)),"writtenAt":5000000}
                    """.utf8)))
        let node = try JSONDecoder().decode(
            NodeRegistry.Listed.self,
            from: Data(
                """
                {"name":"two","seenAt":4999999,"record":\(self.record(
                    #""startedAt":100,"seenAt":190,"faults":[{"engine":"redis","since":160,"cause":"it\nhangs"},"#
                        + #"{"engine":"library","since":-9223372036854775808,"cause":"full"}],"#
                        + #""events":{"phase":"cut-off","lagSeconds":1e300,"pending":0}"#))}
                """.utf8))
        let lines = text.table(of: [node])
        #expect(lines[1].contains("Redis, Library") && lines[1].contains(" 1 min "), "\(lines)")
        #expect(
            lines.dropFirst(2) == [#"two: Redis fails for 30 s: it\u{a}hangs"#, "two: Library fails for 0 s: full"])
    }

    @Test func theNodeThatWasAskedIsListedAsItIsNow() throws {
        func node(_ name: String, _ instance: String?) throws -> NodeRegistry.Listed {
            NodeRegistry.Listed(
                name: name, seenAt: 1,
                record: instance.map { instance in
                    NodeRecord(
                        name: name, instance: instance, address: "", version: "", startedAt: 0, seenAt: 1,
                        isReady: true, reasons: [], events: nil,
                        counters: NodeRecord.Counters(hits: 0, renders: 0, originals: 0, variants: 0))
                })
        }
        let own = try node("one", "1")
        let record = try #require(own.record)
        let (other, namesake) = (try node("two", "2"), try node("one", "3"))
        #expect(StatusReport.nodes([], with: record) == [own], "Redis was restarted empty")
        var older = own
        older.record?.isReady = false
        #expect(StatusReport.nodes([older, other], with: record) == [own, other])
        #expect(StatusReport.nodes([other, try node("one", nil)], with: record) == [own, other])
        #expect(StatusReport.nodes([namesake], with: record).count == 2)
    }

    @Test func durationsHaveTheirTwoLargestUnits() {
        let texts = [-5, 59, 60, 3599, 3600, 86_399, 90_000].map { StatusText.duration($0) }
        #expect(texts == ["0 s", "59 s", "1 min", "59 min", "1 h 0 min", "23 h 59 min", "1 d 1 h"])
    }
}
