import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct HangingOriginTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        /// The 99th percentile of the latency of hits, in milliseconds.
        private func slowHits(_ client: HTTPConnection) async throws -> Double {
            var times: [Double] = []
            for _ in 0..<300 {
                times.append(
                    try await FaultTests.milliseconds {
                        let answer = try await client.get("/poster/good:hit?w=92")
                        #expect(answer.status == 200)
                        #expect(answer.headers["cache-status"] == "OneSheet; hit")
                    })
            }
            return times.sorted()[times.count * 99 / 100]
        }

        @Test func anOriginThatHangsDelaysNoRequestsToOthers() async throws {
            let count = 100
            try await withOrigin { good in
                try await withOrigin { hanging in
                    for number in 0..<count { hanging.on("/film\(number).jpg", .hangBeforeHeaders) }
                    good.on("/hit.jpg", .image(TestPicture.jpeg(width: 120, height: 180)))
                    let server = try await RunningServer(
                        dataDirectory: self.data,
                        FaultTests.patience + FaultTests.mapping(good, name: "good")
                            + FaultTests.mapping(hanging, name: "hanging"))
                    let client = try server.connect()
                    #expect(try await client.get("/poster/good:hit?w=92").status == 200)
                    let before = try await self.slowHits(client)

                    let waiting = try (0..<count).map { number in
                        let waiting = try server.connect()
                        try waiting.send("GET", "/poster/hanging:film\(number)?w=92")
                        return waiting
                    }
                    try await eventually { try await server.health().fetchCount == count }
                    let during = try await self.slowHits(client)
                    for number in 0..<20 {
                        let picture = TestPicture.jpeg(width: 120, height: 180, seed: UInt64(number + 2))
                        good.on("/other\(number).jpg", .image(picture))
                        #expect(try await client.get("/poster/good:other\(number)").body == picture)
                        #expect(try await client.get("/poster/good:other\(number)?w=46").status == 200)
                    }
                    #expect(try await client.get("/poster/nosferatu-1922?w=92").status == 200)

                    let health = try await server.health()
                    #expect(health.status == "ready")
                    #expect(health.fetchCount == count, "they hang still")
                    #expect(waiting.allSatisfy { !$0.hasNews })
                    print("a hanging origin: p99 of hits \(before) ms before, \(during) ms during")
                    for client in waiting { client.close() }
                    try await eventually { try await server.health().isIdle }
                    #expect(await server.stop() == 0)
                }
            }
        }
    }
}
