import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import HTTPServer

struct EncodedResponseMarkTests {
    private static let stale = Staleness(seconds: 63, reason: .revalidating)
    private static let status = "OneSheet; hit; ttl=-63; detail=stale-while-revalidate"

    /// The marked response to a GET.
    private func response(
        _ caching: EncodedResponse.CachePolicy, staleness: Staleness? = nil, hasGaps: Bool = false,
        fields: HTTPFields = [:]
    ) throws -> Response {
        let recorder = FreshnessRecorder()
        if let staleness { recorder.record(staleness, age: 3663) }
        if hasGaps { recorder.recordGap() }
        var json = try EncodedResponse.json(["a": 1], caching: caching)
        json.mark(recorder, staleSeconds: 10)
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
        return try json.response(to: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
    }

    @Test(arguments: [EncodedResponse.CachePolicy.shared(seconds: 60), .own, .none])
    func whatIsFreshStaysUnmarked(caching: EncodedResponse.CachePolicy) throws {
        let marked = try self.response(caching)
        let plain = try EncodedResponse.json(["a": 1], caching: caching)
        #expect(marked.headers[.cacheControl] == plain.caching.fieldValue)
        #expect(marked.headers[.age] == nil)
        #expect(marked.headers[.cacheStatus] == nil)
    }

    @Test func aStaleResponseSaysSoAndIsStoredBriefly() throws {
        let response = try self.response(.shared(seconds: 60), staleness: Self.stale)
        #expect(response.headers[.age] == "3663")
        #expect(response.headers[.cacheStatus] == Self.status)
        #expect(response.headers[.cacheControl] == "public, max-age=10")
    }

    @Test func aShorterLifetimeStays() throws {
        let response = try self.response(.shared(seconds: 3, stale: 60), staleness: Self.stale)
        #expect(response.headers[.cacheControl] == "public, max-age=3")
    }

    @Test func aStaleResponseToOneClientStaysItsOwn() throws {
        let response = try self.response(.own, staleness: Self.stale)
        #expect(response.headers[.age] == "3663")
        #expect(response.headers[.cacheControl] == "private, no-cache")
    }

    @Test(arguments: [nil, Self.stale])
    func oneWithGapsIsStoredNowhere(staleness: Staleness?) throws {
        let response = try self.response(.shared(seconds: 60), staleness: staleness, hasGaps: true)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.cacheStatus] == staleness.map { _ in Self.status })
    }

    @Test func a304HasTheMarks() throws {
        let tag = try #require(try self.response(.shared(seconds: 60)).headers[.eTag])
        let response = try self.response(
            .shared(seconds: 60), staleness: Self.stale, fields: [.ifNoneMatch: tag])
        #expect(response.status == .notModified)
        #expect(response.headers[.age] == "3663")
        #expect(response.headers[.cacheStatus] == Self.status)
    }
}
