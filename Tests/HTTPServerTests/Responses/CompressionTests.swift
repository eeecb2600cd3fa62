import HTTPTesting
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import PosterTesting
import Synchronization
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

struct CompressionTests {
    struct Resource: Sendable {
        var bytes = Array(String(repeating: "{\"title\":\"Nosferatu\"},", count: 100).utf8)
        var status = HTTPResponse.Status.ok
        var fields: HTTPFields = [.cacheControl: "public, max-age=60", .contentType: "application/json"]
        var isOffered = true

        func response(to request: Request) -> Response {
            var fields = self.fields
            let tag = EntityTag(digestOf: ["test", String(decoding: self.bytes, as: UTF8.self)])
            if fields[.eTag] == nil { fields[.eTag] = tag.description }
            if self.isOffered { fields.offerCompression(length: self.bytes.count) }
            switch Preconditions(request.headers).outcome(tag: tag, modifiedAt: nil) {
            case .met: break
            case .failed: return Response(status: .preconditionFailed)
            case .notModified: return Response(status: .notModified, headers: fields)
            }
            let response = Response(
                status: self.status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: self.bytes)))
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    struct Answer {
        let status: Int
        let fields: HTTPFields
        let bytes: [UInt8]

        var decoded: [UInt8] { HTTPConnection.Answer.decoded(self.bytes, coding: self.fields[.contentEncoding]) }
    }

    private let compressions = Counter()
    private let middleware: CompressionMiddleware

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    init() {
        self.middleware = CompressionMiddleware(
            CompressedBodies { [compressions] bytes, coding in
                compressions.count.add(1, ordering: .relaxed)
                return coding.compressed(bytes)
            })
    }

    private var count: Int { self.compressions.count.load(ordering: .relaxed) }

    private func ask(
        _ accepted: String?, of resource: Resource = Resource(), method: HTTPRequest.Method = .get,
        _ conditions: HTTPFields = [:]
    ) async throws -> Answer {
        var fields = conditions
        fields[.acceptEncoding] = accepted
        let request = Request(
            head: HTTPRequest(method: method, scheme: nil, authority: nil, path: "/a", headerFields: fields),
            body: RequestBody(buffer: ByteBuffer()))
        let context = ServerRequestContext(
            request, channel: EmbeddedChannel(), logger: Logger(label: "test"))
        let response = try await self.middleware.handle(request, context: context) { request, _ in
            resource.response(to: request)
        }
        return Answer(
            status: response.status.code, fields: response.headers,
            bytes: [UInt8](buffer: try await response.body.collected()))
    }

    @Test("each coding is that of the same bytes, and has a tag of its own", arguments: ContentCoding.allCases)
    func codings(coding: ContentCoding) async throws {
        let resource = Resource()
        let plain = try await self.ask(nil, of: resource)
        #expect(plain.bytes == resource.bytes && plain.fields[.contentEncoding] == nil)
        #expect(plain.fields[.vary] == "Accept-Encoding", "another client may accept it")
        let coded = try await self.ask(coding.rawValue, of: resource)
        #expect(coded.fields[.contentEncoding] == coding.rawValue && coded.decoded == resource.bytes)
        #expect(coded.bytes.count < resource.bytes.count / 10)
        #expect(coded.fields[.vary] == "Accept-Encoding")
        let tag = try #require(plain.fields[.eTag])
        #expect(coded.fields[.eTag] == "\(tag.dropLast())-\(coding.rawValue)\"")
        let other = coding == .gzip ? "br" : "gzip"
        #expect(try await self.ask("\(other);q=0.1, \(coding.rawValue)", of: resource).bytes == coded.bytes)
    }

    @Test("a tag gets a 304 only where its form is what the client accepts now", arguments: ContentCoding.allCases)
    func conditions(coding: ContentCoding) async throws {
        let name = coding.rawValue
        let tag = try #require(try await self.ask(name).fields[.eTag])
        for list in [tag, "\"x\", \(tag)", "W/\(tag)", "\"a-gzip\",\"a-br\" , \(tag)"] {
            let same = try await self.ask(name, [.ifNoneMatch: list])
            #expect(same.status == 304 && same.fields[.eTag] == tag, "\(list)")
            #expect(same.fields[.vary] == "Accept-Encoding" && same.fields[.contentEncoding] == nil)
        }
        let other = coding == .gzip ? "br" : "gzip"
        for accepted in [nil, other, "identity"] {
            #expect(try await self.ask(accepted, [.ifNoneMatch: tag]).status == 200)
            #expect(try await self.ask(accepted, [.ifMatch: tag]).status == 412)
        }
        #expect(try await self.ask(name, [.ifMatch: tag]).status == 200)
        #expect(try await self.ask(name, [.ifMatch: "\"x\""]).status == 412)
        // The uncompressed representation is current too, for a client that has stored it.
        let plain = try #require(try await self.ask(nil).fields[.eTag])
        let held = try await self.ask(name, [.ifNoneMatch: plain])
        #expect(held.status == 304 && held.fields[.eTag] == plain && held.fields[.vary] == "Accept-Encoding")
        #expect(try await self.ask(nil, [.ifNoneMatch: plain]).status == 304)
    }

    @Test("HEAD has the fields of GET, also as the first request", arguments: ["br", "gzip", "identity"])
    func head(accepted: String) async throws {
        let head = try await self.ask(accepted, method: .head)
        let whole = try await self.ask(accepted)
        #expect(head.bytes.isEmpty && head.fields == whole.fields)
        #expect(head.fields[.contentLength] == "\(whole.bytes.count)")
        #expect(self.count == (accepted == "identity" ? 0 : 1))
        let tag = try #require(whole.fields[.eTag])
        #expect(try await self.ask(accepted, method: .head, [.ifNoneMatch: tag]).status == 304)
    }

    /// A resource that is never compressed.
    struct Untouched: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let resource: Resource

        init(_ name: String, _ change: (inout Resource) -> Void) {
            var resource = Resource()
            change(&resource)
            self.testDescription = name
            self.resource = resource
        }
    }

    static let exceptions: [Untouched] = [
        Untouched("a private one") { $0.fields[.cacheControl] = "private, no-cache" },
        Untouched("one that sets a cookie") { $0.fields[.setCookie] = "a=b" },
        Untouched("one that must not be transformed") { $0.fields[.cacheControl] = "public, No-Transform" },
        Untouched("a coded one") { $0.fields[.contentEncoding] = "deflate" },
        Untouched("a part") { $0.status = .partialContent },
        Untouched("one that does not offer it, such as a picture") { $0.isOffered = false },
        Untouched("a short one") { $0.bytes = Array(repeating: 65, count: 1023) },
        Untouched("an endless one") { $0.bytes = Array(repeating: 65, count: 4 << 20 | 1) },
    ]

    @Test("what must not be compressed is not", arguments: Self.exceptions)
    func untouched(_ each: Untouched) async throws {
        for method in [HTTPRequest.Method.get, .head] {
            let plain = try await self.ask(nil, of: each.resource, method: method)
            let answer = try await self.ask("br, gzip", of: each.resource, method: method)
            #expect(answer.bytes == plain.bytes && answer.fields == plain.fields)
        }
        #expect(self.count == 0)
    }

    @Test func theResponseToAChangeIsNotCompressed() async throws {
        #expect(try await self.ask("br", method: .post).fields[.contentEncoding] == nil)
    }

    @Test func whatDoesNotGetShorterIsSentAsItIsAndNotTriedAgain() async throws {
        var (resource, state) = (Resource(), UInt64(1))
        resource.bytes = (0..<5000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        for _ in 0..<3 {
            let answer = try await self.ask("br", of: resource)
            #expect(answer.bytes == resource.bytes && answer.fields[.contentEncoding] == nil)
            #expect(answer.fields[.eTag]?.hasSuffix("-br\"") == false && answer.fields[.vary] == "Accept-Encoding")
        }
        #expect(self.count == 1)
    }

    @Test func equalBodiesAreCompressedOnceHoweverManyClientsAsk() async throws {
        let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<1000 { group.addTask { try await self.ask("gzip").bytes } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(answers.count == 1 && self.count == 1)
        _ = try await self.ask("br")
        #expect(self.count == 2)
    }

    @Test func whatHasAWeakTagIsCompressedButNotRemembered() async throws {
        var resource = Resource()
        resource.fields[.eTag] = "W/\"a\""
        for _ in 0..<2 {
            let answer = try await self.ask("br", of: resource)
            #expect(answer.decoded == resource.bytes && answer.fields[.eTag] == "W/\"a\"")
        }
        #expect(self.count == 2)
    }

    @Test func compressedBodiesTakeNoMoreThanTheirLimit() async throws {
        let bodies = CompressedBodies { bytes, _ in bytes }
        for number in 0..<40 {
            let body = ResponseBody(byteBuffer: ByteBuffer(repeating: UInt8(number), count: 1 << 20))
            #expect(try await bodies.body(of: body, tag: "\"\(number)-br\"", .brotli)?.readableBytes == 1 << 20)
            #expect(bodies.byteCount <= CompressedBodies.byteLimit)
        }
        #expect(bodies.byteCount > CompressedBodies.byteLimit / 2)
    }
}
