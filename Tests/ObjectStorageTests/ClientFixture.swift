import HTTPFetch
import HTTPSemantics
import PosterTesting
import Synchronization

@testable import ObjectStorage

/// Clients of a bucket on loopback.
enum ClientFixture {
    static func client(
        _ endpoint: String, clock: ManualClock = ManualClock(), bucket: String = "s3://posters/p",
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await ClientFixture.never() },
        changing change: (inout S3Client.Configuration) -> Void = { _ in }
    ) throws -> S3Client {
        let address = try BucketAddress(
            bucket, endpoint: RemoteURL(endpoint), region: "us-east-1", usesPathStyle: true)
        var configuration = S3Client.Configuration(address: address, region: "us-east-1")
        change(&configuration)
        return try S3Client(
            configuration,
            credentials: S3Credentials(
                accessKeyID: S3Server.accessKeyID, secretAccessKey: S3Server.secretAccessKey),
            now: clock.now, sleep: sleep)
    }

    /// A deadline that never passes; ends with the task's cancellation.
    static func never() async throws {
        for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
        throw CancellationError()
    }

    static let fields = [(name: "version", value: "1"), (name: "etag", value: "\"a%20b\"")]
}

extension S3Client {
    /// Reads an object into memory.
    func bytes(_ key: String) async throws -> (bytes: [UInt8], fields: [String: String])? {
        let sink = BoundedBody(limit: 64 << 20)
        return try await self.get(key, into: sink).map { (sink.bytes, $0.keptFields) }
    }

    @discardableResult
    func put(_ bytes: [UInt8], as key: String, onlyIfAbsent: Bool = false) async throws -> PutOutcome {
        try await self.put(
            key, bytes, digest: RequestSignature.digest(of: bytes), contentType: "image/jpeg",
            metadata: ClientFixture.fields, onlyIfAbsent: onlyIfAbsent)
    }

    func keys() async throws -> (keys: [String], pages: Int) {
        var keys: [String] = []
        var (continuation, pages) = (String?.none, 0)
        repeat {
            let page = try await self.list(after: continuation)
            keys += page.entries.map(\.key)
            continuation = page.continuation
            pages += 1
        } while continuation != nil
        return (keys, pages)
    }
}
