import CodecTesting
import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct SlowClientTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        /// A JPEG of about `megabytes` MiB, mostly comments.
        private static func large(megabytes: Int) -> [UInt8] {
            let picture = TestPicture.jpeg(width: 120, height: 180)
            let comment = JPEGSegment(0xFE, [UInt8](repeating: 7, count: 65_533)).bytes
            // The comments precede the end marker: only a limited prefix is read to find the header.
            return picture.dropLast(2) + (0..<megabytes * 16).flatMap { _ in comment } + picture.suffix(2)
        }

        @Test func aSlowReaderOfALargeOriginalDelaysNoOthersAndGetsItWhole() async throws {
            let large = Self.large(megabytes: 16)
            try await withOrigin { origin in
                origin.on("/large.jpg", .image(large))
                origin.on("/small.jpg", .image(TestPicture.jpeg(width: 120, height: 180)))
                let server = try await RunningServer(
                    dataDirectory: self.data, FaultTests.patience + FaultTests.mapping(origin))
                let slow = try HTTPConnection(port: server.port, receiveBuffer: 4096)
                try slow.send("GET", "/poster/mine:large")
                let other = try server.connect()
                for width in 40..<72 {
                    try await slow.take(atMost: 1024)
                    #expect(try await other.get("/poster/mine:small?w=\(width)").status == 200)
                }
                let resident = try server.residentBytes
                #expect(try await slow.answer().body == large)
                print("a slow reader of \(large.count >> 20) MiB: \(resident >> 20) MiB resident meanwhile")
                #expect(await server.stop() == 0)
            }
        }

        @Test func connectionsThatAskForNothingAreClosedWhileOthersAreServed() async throws {
            let count = 1000
            FaultTests.raiseDescriptorLimit(to: 8192)
            let server = try await RunningServer(
                dataDirectory: self.data, ["--header-timeout", "1", "--connections-per-address", "0"])
            let clients = try await onOwnThread {
                try (0..<count).map { number in
                    let client = try server.connect()
                    if number % 2 == 0 { try client.send(raw: "GET /poster/nosferatu-1922 HTTP/1.1\r\nHost: loc") }
                    return client
                }
            }
            #expect(try await server.get("/poster/nosferatu-1922?w=92").status == 200)
            for (number, client) in clients.enumerated() {
                // With unread bytes, the close of a busy server is a reset.
                try await client.closedByServer(orReset: true)
                if number % 100 == 0 { #expect(try await server.get("/poster/nosferatu-1922?w=92").status == 200) }
            }
            try await eventually { try server.descriptorCount < count / 2 }
            #expect(await server.stop() == 0)
        }
    }
}
