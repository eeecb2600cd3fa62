import Flights
import ObjectStorage
import PictureTesting
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import PosterOrigins

/// Removals and purges of originals with an object in the store.
@Suite(.timeLimit(.hang))
struct SharedStoreRemovalTests {
    private let picture = TestPicture.jpeg(width: 200, height: 300)
    private let newer = TestPicture.jpeg(width: 200, height: 300, seed: 2)
    private static let path = "originals/" + OriginalObject.key(of: Digest(of: "mine:heat"))

    private func withBucket(_ body: (ScriptedBucket, OriginServer) async throws -> Void) async throws {
        try await withOrigin { origin in
            try await body(ScriptedBucket(S3Server.bucket, on: origin, pageLength: 2), origin)
        }
    }

    @Test func aPurgeDeletesTheObject() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                try await store.put(self.picture)
                #expect(try await store.purge(try DiskFixture.id("heat")))
                #expect(try await store.get() == nil)
                try await store.settle()
                #expect(bucket.objects.isEmpty && store.status.counters.removed == 1)
            }
        }
    }

    @Test func aPurgeWhileTheStoreFailsIsDoneLaterAndNothingIsReadMeanwhile() async throws {
        try await self.withBucket { bucket, origin in
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore { try await $0.put(self.picture) }
            bucket.fail(.error(status: 503, code: "SlowDown"))
            let wasThere = try await node.withStore(isWorking: false) { store in
                try await store.purge(try DiskFixture.id("heat"))
            }
            #expect(wasThere)
            bucket.fail(nil)
            let read = try await node.withStore(isWorking: false) { try await $0.get() }
            #expect(read == nil, "also after a restart")
            #expect(bucket.objects.count == 1)
            try await node.withStore { try await $0.settle() }
            #expect(bucket.objects.isEmpty)
        }
    }

    @Test func removalsThatTheStoreRefusesHoldUpNeitherReadsNorUploads() async throws {
        try await self.withBucket { bucket, origin in
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore { store in
                for number in 0..<6 { try await store.put(self.picture, as: "\(number)") }
                bucket.fail(
                    .answers { request in
                        switch request.method {
                        case "DELETE": .answer(status: 403, body: Array("<Error/>".utf8))
                        case "PUT": .status(200)
                        default: .status(404)
                        }
                    })
                for number in 0..<6 { _ = try await store.purge(try DiskFixture.id("\(number)")) }
                try await eventually { store.queue.state.withLock { $0.failed.count } == 6 }
                #expect(store.isAvailable)
                try await store.commit(self.newer)
                try await eventually { store.status.counters.uploaded == 7 }
                #expect(origin.requests.count { $0.method == "DELETE" } == 6, "not again before the next round")
                bucket.fail(nil)
                node.rounds.increment()
                try await store.settle()
                #expect(bucket.objects.isEmpty && store.status.counters.removed == 6)
            }
        }
    }

    @Test func aRemovalLeavesOtherBytes() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                try await store.put(self.picture)
                let digest = try #require(try await store.get()).original.digest
                try await SharedStoreFixture(origin.baseURL).withStore { other in
                    _ = try await other.get()
                    try await other.commit(self.newer)
                    try await other.settle()
                }
                // This node's bytes are withdrawn, but another node has replaced them in the store.
                await store.remove(try DiskFixture.id("heat"), digest: digest)
                try await store.settle()
                #expect(bucket.objects[Self.path]?.bytes == self.newer)
                #expect(try await store.get()?.array == self.newer)
                await store.remove(try DiskFixture.id("heat"), digest: self.newer.withUnsafeBytes { Digest(of: $0) })
                try await store.settle()
                #expect(bucket.objects.isEmpty)
            }
        }
    }

    @Test func anOriginalThatIsRemovedBeforeItsUploadDoesNotBringBackTheOneItReplaced() async throws {
        try await self.withBucket { bucket, origin in
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore { try await $0.put(self.picture) }
            try await node.withStore(isWorking: false) { store in
                let committed = try await store.commit(self.newer)
                try await store.disk.settle()
                await store.remove(try DiskFixture.id("heat"), digest: committed.original.digest)
                #expect(try await store.get() == nil)
            }
            #expect(bucket.objects[Self.path]?.bytes == self.picture, "nothing has been done yet")
            try await node.withStore { store in
                try await store.settle()
                #expect(bucket.objects.isEmpty)
            }
        }
    }
}
