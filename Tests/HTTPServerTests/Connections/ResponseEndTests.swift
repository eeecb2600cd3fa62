import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPServer

struct ResponseEndTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try self.channel.pipeline.syncOperations.addHandler(ConnectionPersistence.LastResponseHandler(drain: 10))
    }

    private func request(_ fields: HTTPFields = [:], isWhole: Bool = true) throws {
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/", headerFields: fields)
        try self.channel.writeInbound(HTTPRequestPart.head(head))
        if isWhole { try self.channel.writeInbound(HTTPRequestPart.end(nil)) }
    }

    /// - Returns: The response's Connection field.
    private func respond(_ fields: HTTPFields = [:]) throws -> String? {
        try self.channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
        try self.channel.writeOutbound(HTTPResponsePart.end(nil))
        guard case .head(let head)? = try self.channel.readOutbound(as: HTTPResponsePart.self) else { return "no head" }
        _ = try self.channel.readOutbound(as: HTTPResponsePart.self)
        return head.headerFields[.connection]
    }

    @Test func theResponseUnderWayIsTheLastWhenTheServerStops() throws {
        try self.request()
        #expect(try self.respond() == nil)
        try self.request()
        try self.request()
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        // Another request is queued after this one.
        #expect(try self.respond() == nil)
        #expect(try self.respond() == "close")
    }

    @Test func aResponseMaySayItself() throws {
        try self.request()
        #expect(try self.respond([.connection: "close"]) == "close")
    }

    @Test("what is left of a body decides", arguments: [(10, nil), (11, "close"), (0, nil)])
    func body(left: Int, connection: String?) throws {
        try self.request([.contentLength: "\(left + 5)"], isWhole: false)
        try self.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "12345")))
        #expect(try self.respond() == connection)
    }

    @Test func a100IsSentOnceAndNotForABodyThatComes() throws {
        let fields: HTTPFields = [.contentLength: "5", .expect: "100-continue"]
        let go = HTTPResponsePart.head(HTTPResponse(status: .continue))
        try self.request(fields, isWhole: false)
        try self.channel.writeOutbound(go)
        #expect(try self.channel.readOutbound(as: HTTPResponsePart.self) == go)
        try self.channel.writeOutbound(go)
        #expect(try self.channel.readOutbound(as: HTTPResponsePart.self) == nil)
        try self.channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(try self.respond() == nil)
        try self.request(fields, isWhole: false)
        try self.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "1")))
        try self.channel.writeOutbound(go)
        #expect(try self.channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }
}
