import HTTPSemantics
import HTTPTesting
import HTTPTypes
import Hummingbird
import NIOCore
import PosterTesting
import Testing

@testable import HTTPServer

/// HTML pages as responses.
struct EncodedPageTests {
    private func page(
        _ html: String, caching: EncodedResponse.CachePolicy = .shared(seconds: 60), extra: HTTPFields = [:]
    ) -> EncodedResponse {
        .page(html, caching: caching, extra: extra)
    }

    private func request(_ fields: HTTPFields = [:], _ method: HTTPRequest.Method = .get) -> Request {
        let head = HTTPRequest(method: method, scheme: nil, authority: nil, path: "/", headerFields: fields)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    private func text(_ response: EncodedResponse) -> String { String(buffer: response.bytes) }

    @Test func slotsOfAPageAreFilledWithMarkup() {
        let page = self.page("<p>\(EncodedResponse.pageSlot("mark.a:1"))</p>\(EncodedResponse.pageSlot("account"))")
        #expect(page.slots.map(\.name) == ["mark.a:1", "account"])
        let filled = page.filled { "<b title=\"\($0)\">" }
        #expect(self.text(filled) == "<p><b title=\"mark.a:1\"></p><b title=\"account\">")
    }

    @Test func aSlotThatDoesNotEndIsText() {
        let cut = String(EncodedResponse.pageSlot("a").dropLast())
        #expect(self.page("x" + cut).slots.isEmpty && self.page("\u{1}slot:0:a\u{1}").slots.isEmpty)
    }

    @Test func whatAllClientsGetKeepsItsCachingAndHasATag() throws {
        let page = self.page("a" + EncodedResponse.pageSlot("account"))
        let filled = page.filled(forAll: true) { _ in "<a href=/sign-in>" }
        let response = try filled.response(to: self.request())
        #expect(response.headers[.cacheControl] == "public, max-age=60, stale-while-revalidate=600")
        #expect(response.headers[.vary] == "Cookie", "others get something else")
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.accessControlAllowOrigin] == nil)
        let tag = try #require(response.headers[.eTag])
        #expect(try filled.response(to: self.request([.ifNoneMatch: tag])).status == .notModified)
        #expect(page.filled(forAll: true) { _ in "other" }.tag != filled.tag)
    }

    @Test func aPersonalPageIsPrivateAndHasNoTag() throws {
        let filled = self.page("a" + EncodedResponse.pageSlot("account")).filled { _ in "Kim" }
        let response = try filled.response(to: self.request([.ifNoneMatch: "*"]))
        #expect(response.status == .ok && response.headers[.eTag] == nil)
        #expect(response.headers[.cacheControl] == "private, no-cache")
        #expect(response.headers[.vary] == "Cookie")
    }

    @Test func furtherFieldsAreThoseOfA304AsWell() throws {
        let page = self.page("a", extra: [.contentSecurityPolicy: "default-src 'self'"])
        let first = try page.response(to: self.request())
        let second = try page.response(to: self.request([.ifNoneMatch: try #require(first.headers[.eTag])]))
        #expect(second.status == .notModified)
        for response in [first, second] { #expect(response.headers[.contentSecurityPolicy] == "default-src 'self'") }
    }

    @Test func conditionsDoNotConcernWhatIsNoSuccess() throws {
        let page = self.page("a", caching: .none)
        #expect(try page.response(to: self.request([.ifNoneMatch: "*"]), status: .notFound).status == .notFound)
    }

    @Test func aPersonalPageIsCompressedInTheCodingOfTheClient() async throws {
        let html = String(repeating: "<li>Nosferatu</li>", count: 200) + EncodedResponse.pageSlot("account")
        let filled = self.page(html).filled { _ in "Kim" }
        for coding in ["br", "gzip"] {
            let request = self.request([.acceptEncoding: coding])
            let response = try filled.compressed(for: request).response(to: request)
            #expect(response.headers[.contentEncoding] == coding)
            #expect(response.headers[.vary] == "Cookie, Accept-Encoding")
            let bytes = Array((try await response.body.collected()).readableBytesView)
            #expect(bytes.count < 400)
            let decoded = HTTPConnection.Answer.decoded(bytes, coding: coding)
            #expect(String(decoding: decoded, as: UTF8.self) == self.text(filled))
        }
        let plain = filled.compressed(for: self.request())
        #expect(plain.bytes == filled.bytes && plain.coding == nil)
    }

    @Test func aCompressedFormHasItsOwnTag() throws {
        let page = self.page(String(repeating: "<li>Nosferatu</li>", count: 200), caching: .own)
        let tag = try #require(try page.response(to: self.request()).headers[.eTag])
        let request = self.request([.acceptEncoding: "br"])
        let response = try page.compressed(for: request).response(to: request)
        #expect(response.headers[.eTag] == "\(tag.dropLast())-br\"")
    }
}
