import ObjectStorage
import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

/// The disk's store with real S3 servers behind it.
@Suite(.timeLimit(.hang))
struct SharedStoreServerTests {
    private let picture = TestPicture.jpeg(width: 200, height: 300)

    @Test(.enabled(if: S3Server.Kind.rclone.program != nil, "\(S3Server.Kind.rclone.absence)"))
    func rclone() async throws {
        try await self.check(.rclone)
    }

    @Test(.enabled(if: S3Server.Kind.moto.program != nil, "\(S3Server.Kind.moto.absence)"))
    func moto() async throws {
        try await self.check(.moto)
    }

    private func check(_ kind: S3Server.Kind) async throws {
        let server = try await S3Server(kind)
        let broken = try await SharedStoreFixture(server.endpoint).withStore { store in
            let broken = try await checkContract(of: store)
            try await store.settle()
            return broken
        }
        #expect(broken == [])

        let one = SharedStoreFixture(server.endpoint)
        try await one.withStore { store in
            try await store.put(self.picture)
            #expect(store.status.counters.uploaded == 1 && store.status.counters.failures == 0)
        }
        let other = SharedStoreFixture(server.endpoint)
        other.disk.advance(by: 100)
        try await other.withStore { store in
            let read = try #require(try await store.get())
            #expect(try read.array == self.picture)
            #expect(read.freshness == DiskFixture.freshness && read.validators.etag == "\"v1\"")
            #expect(read.validators.lastModified == "Sat, 04 Mar 1922 20:00:00 GMT")
            #expect(read.storedAt == 1_700_000_000)
            #expect(try await store.get("none") == nil)
            let report = try await store.verify()
            #expect(report.checked == 1 && report.sound == 1)

            #expect(try await store.purge(try DiskFixture.id("heat")))
            try await store.settle()
            #expect(try await store.get() == nil)
            #expect(try await store.verify().checked == 0)
            #expect(store.client.health.isAvailable)
        }
    }
}
