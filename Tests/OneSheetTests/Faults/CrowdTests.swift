import Flights
import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct CrowdTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        @Test func twoThousandClientsOfOneColdPosterCostOneFetchAndOneDecode() async throws {
            let (count, widths) = (2000, [40, 80, 120, 160, 200, 240])
            FaultTests.raiseDescriptorLimit(to: 8192)
            try await withOrigin { origin in
                let gate = Gate()
                let picture = OriginScript.image(TestPicture.jpeg(width: 300, height: 450))
                origin.on("/a.jpg", OriginScript([.wait(gate)] + picture.steps))
                // A re-encoded variant would have other bytes.
                let server = try await RunningServer(
                    dataDirectory: self.data,
                    FaultTests.patience + FaultTests.mapping(origin) + ["--reencode", "off"])
                let clients = try await onOwnThread {
                    try (0..<count).map { number in
                        let client = try server.connect()
                        try client.send("GET", "/poster/mine:a?w=\(widths[number % widths.count])")
                        return client
                    }
                }
                try await origin.requestsArrived(at: "/a.jpg")
                try await eventually { try server.descriptorCount > count }
                gate.open()

                var bodies: [Int: [UInt8]] = [:]
                let time = try await FaultTests.milliseconds {
                    for (number, client) in clients.enumerated() {
                        let answer = try await client.answer()
                        #expect(answer.status == 200)
                        let width = widths[number % widths.count]
                        let isSame = bodies[width, default: answer.body] == answer.body
                        #expect(
                            isSame,
                            "client \(number): \(answer.body.count) bytes, others \(bodies[width]?.count ?? 0)")
                        bodies[width] = answer.body
                    }
                }
                #expect(bodies.count == widths.count)
                #expect(Set(bodies.values).count == widths.count)
                #expect(origin.requestCount(to: "/a.jpg") == 1)
                let renders = try await server.metric("onesheet_renders_total")
                #expect(renders == widths.count)
                let decodes = try await server.metric("onesheet_decodes_total")
                #expect(decodes == 1)
                print("crowd: \(count) answers in \(time) ms, \(try server.residentBytes >> 20) MiB resident")
                #expect(await server.stop() == 0)
            }
        }

        @Test func fiveHundredClientsThatLeaveTakeTheirFetchesWithThem() async throws {
            let count = 500
            FaultTests.raiseDescriptorLimit(to: 8192)
            try await withOrigin { origin in
                for number in 0..<count { origin.on("/film\(number).jpg", .hangBeforeHeaders) }
                let server = try await RunningServer(
                    dataDirectory: self.data,
                    FaultTests.patience + FaultTests.mapping(origin) + ["--origin-queue", "1000"])
                let before = try server.residentBytes
                let clients = try await onOwnThread {
                    try (0..<count).map { number in
                        let client = try server.connect()
                        try client.send("GET", "/poster/mine:film\(number)?w=92")
                        return client
                    }
                }
                try await eventually { try await server.health().fetchCount == count }
                #expect(origin.openConnectionCount == 6, "the default limit of one origin")
                let (meanwhile, descriptors) = (try server.residentBytes, try server.descriptorCount)

                for client in clients { client.close() }
                // Queued fetches that start before their client is detected as closed connect, too: wait for all
                // connections to close, not only the first.
                let time = try await FaultTests.milliseconds {
                    try await eventually { try await server.health().isIdle }
                    try await origin.allConnectionsClosed()
                }
                #expect(FaultTests.files(in: self.data + "/originals/incoming") == [])
                let renders = try await server.metric("onesheet_renders_total")
                #expect(renders == 0)
                #expect(origin.openConnectionCount == 0)

                let picture = TestPicture.jpeg(width: 120, height: 180)
                origin.on("/film0.jpg", .image(picture))
                let next = try await server.get("/poster/mine:film0")
                #expect(next.status == 200 && next.body == picture)
                let after = try server.residentBytes
                let sizes = [before, meanwhile, after].map { "\($0 >> 10) KiB" }.joined(separator: ", ")
                print(
                    "leaving: all closed after \(time) ms; resident before, meanwhile, after: \(sizes); \(descriptors) open"
                )
                #expect(await server.stop() == 0)
            }
        }
    }
}
