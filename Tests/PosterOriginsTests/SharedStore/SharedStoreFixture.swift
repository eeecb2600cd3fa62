import Flights
import HTTPFetch
import HTTPSemantics
import ObjectStorage
import PosterPipeline
import PosterTesting
import Synchronization

@testable import PosterOrigins

/// A node: a disk with a bucket behind it, which can be closed and opened again.
final class SharedStoreFixture: Sendable {
    let disk = DiskFixture()
    let clock = ManualClock()
    /// The uploader's rounds.
    let rounds = Counter()
    private let endpoint: String
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: Waits for deadlines; by default, none passes.
    init(
        _ endpoint: String,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Gate().wait() }
    ) {
        self.endpoint = endpoint
        self.sleep = sleep
    }

    /// Opens the node during `body`.
    ///
    /// - Parameter isWorking: Whether queued operations are carried out.
    func withStore<Value: Sendable>(
        _ configuration: DiskOriginalStore.Configuration = .init(), limits: UploadQueue.Limits = .init(),
        isWorking: Bool = true, _ body: (SharedOriginalStore) async throws -> Value
    ) async throws -> Value {
        let opened = try self.disk.open(configuration)
        let address = try BucketAddress(
            "s3://\(S3Server.bucket)/originals", endpoint: RemoteURL(self.endpoint), region: "us-east-1",
            usesPathStyle: true)
        let client = try S3Client(
            S3Client.Configuration(address: address, region: "us-east-1"),
            credentials: S3Credentials(
                accessKeyID: S3Server.accessKeyID, secretAccessKey: S3Server.secretAccessKey),
            now: self.clock.now, sleep: self.sleep)
        let ticks = RoundTicks(self.rounds)
        let store = try SharedOriginalStore(
            disk: opened.store, in: opened.data, client: client, limits: limits, logger: self.disk.log.logger(),
            secondsSince1970: { 1_700_000_000 }, untilNextRound: { try await ticks.next() })
        let work = isWorking ? Task { try await store.run() } : nil
        func close() async {
            work?.cancel()
            _ = await work?.result
            store.close()
            await opened.store.close()
        }
        do {
            let value = try await body(store)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}

/// Starts one round per increment of a counter.
private final class RoundTicks: Sendable {
    private let ticks: Counter
    private let last: Mutex<Int>

    init(_ ticks: Counter) {
        self.ticks = ticks
        self.last = Mutex(ticks.value)
    }

    func next() async throws {
        let number = self.last.withLock { last in
            last += 1
            return last
        }
        try await self.ticks.reached(number)
    }
}

extension SharedOriginalStore {
    @discardableResult
    func commit(_ bytes: [UInt8], as key: String = "heat") async throws -> StoredOriginal {
        let draft = try await self.makeDraft(for: try DiskFixture.id(key), from: DiskFixture.location)
        _ = bytes.withUnsafeBytes { draft.append($0) }
        return try await draft.commit(
            validators: Validators(etag: "\"v1\"", lastModified: "Sat, 04 Mar 1922 20:00:00 GMT"),
            freshness: DiskFixture.freshness, declaredLength: nil)
    }

    func get(_ key: String = "heat") async throws -> StoredOriginal? {
        try await self.original(try DiskFixture.id(key), from: DiskFixture.location)
    }

    /// Looks the original up as a fetch does, stores a picture, and uploads it.
    func put(_ bytes: [UInt8], as key: String = "heat") async throws {
        _ = try await self.get(key)
        try await self.commit(bytes, as: key)
        try await self.settle()
    }
}
