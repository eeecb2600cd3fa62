import HTTPSemantics
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Adapts the service's router to a channel: `Date`, `Server`, `100 Continue`, and memory accounting of every response.
package enum ChannelResponder {
    /// A response was aborted because the request's body could not be read.
    struct Unreadable: Error {}

    /// - Parameter serverName: The `Server` field; `nil` omits it.
    /// - Returns: The responder that ``ConnectionServer`` calls for each request.
    package static func make(
        _ responder: some HTTPResponder<ServerRequestContext>, serverName: String?, logger: Logger
    ) -> HTTPChannelHandler.Responder {
        { (request, writer: consuming ResponseWriter, channel) in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .stringConvertible(Hummingbird.RequestID())
            let context = ServerRequestContext(request, channel: channel, logger: logger)
            var request = request
            if Expectation(request.headers) == .continue {
                request.body = RequestBody(asyncSequence: ExpectedBody(body: request.body, channel: channel))
            }
            var response: Response
            do {
                response = try await responder.respond(to: request, context: context)
            } catch let error as HTTPParserError {
                throw error  // answered by the connection
            } catch let error as ClientDisconnected {
                throw error  // the connection closes without a response
            } catch {
                logger.error("Request failed", metadata: ["error.message": "\(error)"])
                response = Problem.unexpected.response()
            }
            response.headers[.date] = HTTPDate.text(HTTPDate.currentSecond())
            if let serverName { response.headers[.server] = serverName }
            let account = context.client?.account
            let held = account?.hold(byteCount: response.body.contentLength)
            defer { account?.release(held) }
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // Not rethrown unchanged: that would begin another response within this one.
                throw Unreadable()
            }
        }
    }
}

/// The body of a request with `Expect: 100-continue`. Sends the 100 when the body is first read: a response that does
/// not need the body is sent without waiting for it.
private struct ExpectedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: self.body.makeAsyncIterator(), channel: self.channel)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: RequestBody.AsyncIterator
        let channel: any Channel
        private var hasBegun = false

        init(bytes: RequestBody.AsyncIterator, channel: any Channel) {
            self.bytes = bytes
            self.channel = channel
        }

        mutating func next() async throws -> ByteBuffer? {
            if !self.hasBegun {
                self.hasBegun = true
                let head = HTTPResponse(status: .continue)
                // A broken connection is reported by the read.
                self.channel.writeAndFlush(HTTPResponsePart.head(head), promise: nil)
            }
            return try await self.bytes.next()
        }
    }
}
