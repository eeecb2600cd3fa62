import Flights
import Foundation
import ObjectStorage
import PictureTesting
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import PosterOrigins

/// A node's disk with a scripted bucket behind it.
@Suite(.timeLimit(.hang))
struct SharedOriginalStoreTests {
    private let picture = TestPicture.jpeg(width: 200, height: 300)
    private static let key = OriginalObject.key(of: Digest(of: "mine:heat"))
    private static let path = "originals/" + Self.key

    private func withBucket(
        conditions: ScriptedBucket.Conditions = .honoured,
        _ body: (ScriptedBucket, OriginServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            try await body(ScriptedBucket(S3Server.bucket, on: origin, conditions: conditions, pageLength: 2), origin)
        }
    }

    @Test func keepsTheStoresPromises() async throws {
        try await self.withBucket { _, origin in
            let broken = try await SharedStoreFixture(origin.baseURL).withStore { try await checkContract(of: $0) }
            #expect(broken == [])
        }
    }

    @Test func keepsThemAlsoWhenTheStoreFails() async throws {
        try await self.withBucket { bucket, origin in
            bucket.fail(.error(status: 500, code: "InternalError"))
            let broken = try await SharedStoreFixture(origin.baseURL).withStore { try await checkContract(of: $0) }
            #expect(broken == [])
        }
    }

    @Test func anotherNodeReadsWhatOneHasStored() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { try await $0.put(self.picture) }
            #expect(bucket.objects[Self.path]?.bytes == self.picture)
            let other = SharedStoreFixture(origin.baseURL)
            other.disk.advance(by: 100)
            try await other.withStore { store in
                let read = try #require(try await store.get())
                #expect(try read.array == self.picture)
                #expect(read.freshness == DiskFixture.freshness && read.validators.etag == "\"v1\"")
                #expect(read.storedAt == 1_700_000_000, "Last-Modified is the same on all nodes")
                try await store.disk.settle()
                let count = origin.requests.count
                #expect(try await store.get()?.original.digest == read.original.digest)
                #expect(origin.requests.count == count, "the disk has it now")
                #expect(store.status.counters.hits == 1 && store.status.waiting == 0)
            }
            let methods = origin.requests.map(\.method)
            #expect(methods == ["GET", "PUT", "GET"], "no HEAD, no list")
        }
    }

    @Test func whenAnOriginalIsUploadedCanBeWaitedFor() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                #expect(try await store.waitForUpload(of: try DiskFixture.id("heat")), "there is nothing to wait for")
                _ = try await store.commit(self.picture)
                #expect(try await store.waitForUpload(of: try DiskFixture.id("heat")))
                #expect(bucket.objects[Self.path]?.bytes == self.picture)
            }
        }
    }

    @Test func theFirstOfTwoNodesStoresAnOriginal() async throws {
        try await self.withBucket { bucket, origin in
            let (one, two) = (SharedStoreFixture(origin.baseURL), SharedStoreFixture(origin.baseURL))
            let later = TestPicture.jpeg(width: 200, height: 300, seed: 2)
            try await one.withStore { first in
                try await two.withStore { second in
                    // Both look it up before either has stored it.
                    #expect(try await first.get() == nil)
                    #expect(try await second.get() == nil)
                    try await first.commit(self.picture)
                    try await first.settle()
                    try await second.commit(later)
                    try await second.settle()
                }
            }
            #expect(bucket.objects[Self.path]?.bytes == self.picture)
        }
    }

    @Test func aNewOriginalReplacesTheOneThatIsThere() async throws {
        try await self.withBucket { bucket, origin in
            let newer = TestPicture.jpeg(width: 200, height: 300, seed: 2)
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                try await store.put(self.picture)
                try await store.put(newer)
            }
            #expect(bucket.objects[Self.path]?.bytes == newer)
        }
    }

    @Test func a304IsWrittenForTheOtherNodesToo() async throws {
        try await self.withBucket { _, origin in
            let later = Freshness(validatedAt: 1_700_000_050, lifetime: 5000)
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                try await store.put(self.picture)
                let digest = try #require(try await store.get()).original.digest
                await store.refresh(
                    try DiskFixture.id("heat"), digest: digest, validators: Validators(etag: "\"v2\""), freshness: later
                )
                try await store.settle()
            }
            let other = SharedStoreFixture(origin.baseURL)
            other.disk.advance(by: 100)
            let read = try await other.withStore { try await $0.get() }
            #expect(read?.freshness == later && read?.validators == Validators(etag: "\"v2\""))
        }
    }

    @Test func anObjectOfAnotherLocationIsNotUsedAndIsReplaced() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { try await $0.put(self.picture) }
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                let elsewhere = OriginalLocation.web(url: "http://b.test/heat.jpg")
                #expect(try await store.original(try DiskFixture.id("heat"), from: elsewhere) == nil)
                let newer = TestPicture.jpeg(width: 200, height: 300, seed: 2)
                let draft = try await store.makeDraft(for: try DiskFixture.id("heat"), from: elsewhere)
                _ = newer.withUnsafeBytes { draft.append($0) }
                _ = try await draft.commit(
                    validators: Validators(), freshness: DiskFixture.freshness, declaredLength: nil)
                try await store.settle()
                #expect(bucket.objects[Self.path]?.bytes == newer)
            }
        }
    }

    @Test("objects that are not what their fields say", arguments: ["bytes", "length", "fields", "picture"])
    func aDamagedObjectIsNotUsedAndIsReplaced(what: String) async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { try await $0.put(self.picture) }
            bucket.change(Self.path) { object in
                switch what {
                case "bytes": object.bytes[500] ^= 1
                case "length": object.bytes.removeLast()
                case "fields": object.fields = [:]
                default:
                    object.bytes = Array("no picture".utf8)
                    object.fields["x-amz-meta-digest"] = Digest(of: "no picture").description
                    object.fields["x-amz-meta-length"] = "10"
                }
            }
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                #expect(try await store.get() == nil)
                #expect(store.status.counters.damaged == (what == "fields" ? 0 : 1))
                #expect(store.client.health.isAvailable)
                _ = try await store.commit(self.picture)
                try await store.settle()
            }
            #expect(bucket.objects[Self.path]?.bytes == self.picture)
            let read = try await SharedStoreFixture(origin.baseURL).withStore { try await $0.get()?.array }
            #expect(read == self.picture)
        }
    }

    @Test func aReadThatBreaksOffIsResumed() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { try await $0.put(self.picture) }
            let object = try #require(bucket.objects[Self.path])
            bucket.fail(
                .answers { request in
                    guard request.headers["range"] == nil else {
                        return .ranged(object.bytes, etag: "\"1\"", for: request)
                    }
                    return .cut(
                        object.bytes, after: 1000,
                        headers: [("ETag", "\"1\"")] + object.fields.map { ($0.key, $0.value) })
                })
            let read = try await SharedStoreFixture(origin.baseURL).withStore { try await $0.get()?.array }
            #expect(read == self.picture)
            #expect(origin.requests.last?.headers["range"] == "bytes=1000-")
        }
    }

    @Test func packagedPostersStayOnTheNode() async throws {
        try await self.withBucket { _, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                let (id, location) = (try PosterID(key: "heat"), OriginalLocation.file(path: "/x", version: "1"))
                #expect(try await store.original(id, from: location) == nil)
                let draft = try await store.makeDraft(for: id, from: location)
                _ = self.picture.withUnsafeBytes { draft.append($0) }
                _ = try await draft.commit(
                    validators: Validators(), freshness: DiskFixture.freshness, declaredLength: nil)
                try await store.settle()
            }
            #expect(origin.requests.isEmpty)
        }
    }

    // MARK: A store that fails

    @Test func aStoreThatHangsIsLeftAloneAndComesBack() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { try await $0.put(self.picture) }
            bucket.fail(.hangs)
            let before = origin.requests.count
            // The deadline of a request passes once it has arrived.
            let arrived = Counter()
            let node = SharedStoreFixture(origin.baseURL) { _ in
                arrived.increment()
                let expected = arrived.value
                try await origin.requestsArrived { $0.count >= before + min(expected, 5) }
            }
            try await node.withStore { (store) async throws -> Void in
                for _ in 0..<5 { #expect(try await store.get("none") == nil) }
                #expect(!store.client.health.isAvailable)
                #expect(try await store.get() == nil, "no request waits any more")
                #expect(origin.requests.count == before + 5)
                #expect(store.status.counters.failures == 6)
                let warnings = node.disk.log.warnings()
                #expect(warnings == ["The shared store of originals cannot be read"])
            }
        }
    }

    @Test func aStoreThatFailsIsFoundAndItsReturnTooWithoutRequests() async throws {
        try await self.withBucket { bucket, origin in
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore { store in
                bucket.fail(.error(status: 500, code: "InternalError"))
                for _ in 0..<SharedStoreUploader.roundsPerCheck { node.rounds.increment() }
                try await eventually { store.status.fault != nil }
                bucket.fail(nil)
                for _ in 0..<SharedStoreUploader.roundsPerCheck { node.rounds.increment() }
                try await eventually { node.disk.log.warnings().count == 2 }
                #expect(store.status.fault == nil)
                #expect(
                    node.disk.log.warnings() == [
                        "The shared store of originals cannot be read",
                        "Resolved: The shared store of originals cannot be read",
                    ])
            }
        }
    }

    @Test func aDamagedFileIsNoFaultOfTheStore() async throws {
        try await self.withBucket { bucket, origin in
            let node = SharedStoreFixture(origin.baseURL)
            let path = try await node.withStore(isWorking: false) { store in
                try await store.commit(self.picture)
                try await store.disk.settle()
                return store.disk.fileStore.layout.path(of: Digest(of: "mine:heat"))
            }
            // The upload reads the same file.
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            let end = try file.seekToEnd()
            try file.seek(toOffset: end - 1)
            let last = try #require(try file.readToEnd()?.first)
            try file.seek(toOffset: end - 1)
            try file.write(contentsOf: [last ^ 0xFF])
            try file.close()
            try await node.withStore { store in
                try await store.settle()
                #expect(bucket.objects.isEmpty && store.status.fault == nil)
                #expect(node.disk.log.warnings() == ["An original is not uploaded to the shared store"])
            }
        }
    }

    @Test func uploadsWaitUntilTheStoreIsBack() async throws {
        try await self.withBucket { bucket, origin in
            bucket.fail(.error(status: 500, code: "InternalError"))
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore { store in
                for number in 0..<6 { #expect(try await store.get("\(number)") == nil) }
                #expect(!store.client.health.isAvailable)
                for number in 0..<6 { try await store.commit(self.picture, as: "\(number)") }
                try await store.disk.settle()
                #expect(store.status.waiting == 6 && store.status.waitingBytes == 6 * (4096 + self.picture.count))
                #expect(try await store.get("0")?.array == self.picture, "the disk has them")

                bucket.fail(nil)
                node.clock.advance(by: .seconds(30))
                node.rounds.increment()
                try await store.settle()
                #expect(bucket.objects.count == 6 && store.status.counters.uploaded == 6)
                #expect(store.client.health.isAvailable)
            }
        }
    }

    @Test func whatWaitsIsUploadedAfterARestart() async throws {
        try await self.withBucket { bucket, origin in
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore(isWorking: false) { store in
                _ = try await store.commit(self.picture)
                try await store.disk.settle()
            }
            #expect(bucket.objects.isEmpty)
            try await node.withStore { try await $0.settle() }
            #expect(bucket.objects[Self.path]?.bytes == self.picture)
        }
    }

    @Test func moreUploadsThanMayWaitAreGivenUp() async throws {
        try await self.withBucket { _, origin in
            var limits = UploadQueue.Limits()
            limits.uploads = 2
            try await SharedStoreFixture(origin.baseURL).withStore(limits: limits, isWorking: false) { store in
                for number in 0..<4 { try await store.commit(self.picture, as: "\(number)") }
                try await store.disk.settle()
                #expect(store.status.waiting == 2 && store.status.counters.dropped == 2)
            }
        }
    }

    @Test func anUploadThatTheStoreRefusesIsGivenUpAtLast() async throws {
        try await self.withBucket { bucket, origin in
            bucket.fail(
                .answers { request in
                    request.method == "PUT" ? .answer(status: 400, body: Array("<Error/>".utf8)) : .status(404)
                })
            let node = SharedStoreFixture(origin.baseURL)
            try await node.withStore { store in
                _ = try await store.commit(self.picture)
                try await store.disk.settle()
                for attempt in 1...8 {
                    try await eventually {
                        store.queue.state.withLock { state in
                            !state.failed.isEmpty && state.jobs.values.first?.refusals == attempt
                        }
                    }
                    // Each refusal doubles the number of rounds until the next attempt.
                    for _ in 0..<(1 << (attempt - 1)) { node.rounds.increment() }
                }
                try await store.settle()
                #expect(store.status.counters.dropped == 1)
                #expect(origin.requests.count { $0.method == "PUT" } == 9)
            }
        }
    }

    // MARK: The check

    @Test func aCheckReadsAllObjectsPageByPage() async throws {
        try await self.withBucket { bucket, origin in
            try await SharedStoreFixture(origin.baseURL).withStore { store in
                for number in 0..<5 {
                    try await store.put(TestPicture.jpeg(width: 60, height: 90, seed: UInt64(number)), as: "\(number)")
                }
                let sound = try await store.verify()
                #expect(sound.checked == 5 && sound.sound == 5 && sound.isFlawless && sound.foreign == 0)

                let keys = bucket.objects.keys.sorted()
                bucket.change(keys[0]) { $0.bytes[100] ^= 1 }
                bucket.change(keys[1]) { $0.fields = [:] }
                bucket.objects["originals/readme"] = .init(bytes: [1], fields: [:])
                bucket.objects["another"] = .init(bytes: [1], fields: [:])
                let found = try await store.verify(repairing: false)
                #expect(found.checked == 5 && found.sound == 3 && found.damaged == 2 && found.foreign == 1)
                #expect(found.reasons.count == 2 && bucket.objects.count == 7)
                #expect(try await store.verify().damaged == 2)
                #expect(bucket.objects[keys[0]] == nil && bucket.objects[keys[1]] == nil && bucket.objects.count == 5)
            }
        }
    }

    @Test func aCheckOfAStoreThatFailsSaysSo() async throws {
        try await self.withBucket { bucket, origin in
            bucket.fail(.error(status: 403, code: "AccessDenied"))
            await #expect(throws: StoreFailure.refused(status: 403, code: "AccessDenied")) {
                try await SharedStoreFixture(origin.baseURL).withStore { _ = try await $0.verify() }
            }
        }
    }
}
