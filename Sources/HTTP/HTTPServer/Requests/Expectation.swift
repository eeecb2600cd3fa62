import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// What `Expect` says (RFC 9110, 10.1.1).
package enum Expectation: Equatable {
    /// No such field.
    case none
    /// The client sends its body when it has a 100, or after a while.
    case `continue`
    /// Something that this server cannot meet.
    case unknown

    init(_ fields: HTTPFields) {
        guard let value = fields[.expect] else {
            self = .none
            return
        }
        let members = value.lowercased().split(separator: ",").map(String.init)
        let isContinue = members.allSatisfy { $0.withoutBlanks.elementsEqual("100-continue".utf8) }
        self = isContinue && !members.isEmpty ? .continue : .unknown
    }
}

/// The body of a request with `Expect: 100-continue`. Sends the 100 when the body is first read: a response that does
/// not need the body goes out without waiting for it.
struct ExpectedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: self.body.makeAsyncIterator(), channel: self.channel)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: RequestBody.AsyncIterator
        fileprivate let channel: any Channel
        private var hasBegun = false

        fileprivate init(bytes: RequestBody.AsyncIterator, channel: any Channel) {
            self.bytes = bytes
            self.channel = channel
        }

        mutating func next() async throws -> ByteBuffer? {
            if !self.hasBegun {
                self.hasBegun = true
                let head = HTTPResponse(status: .continue)
                // A connection that broke is reported by what is read.
                self.channel.writeAndFlush(HTTPResponsePart.head(head), promise: nil)
            }
            return try await self.bytes.next()
        }
    }
}
