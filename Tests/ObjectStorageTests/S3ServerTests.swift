import PosterTesting
import Testing

@testable import ObjectStorage

/// The client with real servers.
@Suite(.timeLimit(.hang))
struct S3ServerTests {
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test(.enabled(if: S3Server.Kind.rclone.program != nil, "\(S3Server.Kind.rclone.absence)"))
    func rcloneTakesWhatIsSigned() async throws {
        try await self.check(.rclone)
    }

    @Test(.enabled(if: S3Server.Kind.moto.program != nil, "\(S3Server.Kind.moto.absence)"))
    func motoTakesWhatIsSigned() async throws {
        try await self.check(.moto)
    }

    private func check(_ kind: S3Server.Kind) async throws {
        let server = try await S3Server(kind)
        let client = try ClientFixture.client(server.endpoint, bucket: "s3://\(S3Server.bucket)/a b/ö")
        #expect(try await client.bytes("ab/x.original") == nil)
        #expect(try await client.put(Self.bytes, as: "ab/x.original", onlyIfAbsent: true) == .stored)
        let second = try await client.put([1, 2, 3], as: "ab/x.original", onlyIfAbsent: true)
        #expect(second == (kind == .moto ? .exists : .stored), "rclone does not know the condition")
        #expect(try await client.put(Self.bytes, as: "ab/x.original") == .stored)
        let read = try #require(try await client.bytes("ab/x.original"))
        #expect(read.bytes == Self.bytes)
        #expect(read.fields["x-amz-meta-version"] == "1" && read.fields["x-amz-meta-etag"] == "\"a%20b\"")

        for number in 0..<3 { try await client.put([UInt8(number)], as: "cd/\(number)") }
        #expect(try await client.keys().keys == ["ab/x.original", "cd/0", "cd/1", "cd/2"])
        try await client.delete("cd/1")
        try await client.delete("cd/1")
        #expect(try await client.bytes("cd/1") == nil)
        #expect(try await client.keys().keys == ["ab/x.original", "cd/0", "cd/2"])
        #expect(client.health.isAvailable)

        let other = try ClientFixture.client(server.endpoint, bucket: "s3://nothing")
        await #expect(throws: StoreFailure.refused(status: 404, code: "NoSuchBucket")) {
            _ = try await other.bytes("x")
        }
    }

    @Test(.enabled(if: S3Server.Kind.rclone.program != nil, "\(S3Server.Kind.rclone.absence)"))
    func rcloneRefusesAnotherKey() async throws {
        let server = try await S3Server(.rclone)
        let client = try ClientFixture.client(server.endpoint)
        client.replaceCredentials(
            try S3Credentials(accessKeyID: S3Server.accessKeyID, secretAccessKey: "another-secret"))
        await #expect(throws: StoreFailure.refused(status: 403, code: "SignatureDoesNotMatch")) {
            try await client.put([1], as: "x")
        }
    }
}
