import HTTPSemantics
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
import NIOCore
import NIOHTTP1

/// Adapts the service's router to a channel: `Date`, `Server`, `100 Continue`, and memory accounting of every response.
package enum ChannelResponder {
    /// An answer broke off because the request's body could not be read.
    struct Unreadable: Error {}

    /// - Parameters:
    ///   - responder: The service's router.
    ///   - serverName: For `Server`; nil leaves it out.
    /// - Returns: What ``ConnectionServer`` calls for each request.
    package static func make<Responder: HTTPResponder>(
        _ responder: Responder, serverName: String?, logger: Logger
    ) -> HTTPChannelHandler.Responder
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        { (request, writer: consuming ResponseWriter, channel) in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .stringConvertible(Hummingbird.RequestID())
            let context = Responder.Context(source: .init(channel: channel, logger: logger))
            var request = request
            if Expectation(request.headers) == .continue {
                request.body = RequestBody(asyncSequence: ExpectedBody(body: request.body, channel: channel))
            }
            var response: Response
            do {
                response = try await responder.respond(to: request, context: context)
            } catch let error as HTTPParserError {
                throw error  // the connection says it
            } catch let error as ClientDisconnected {
                throw error  // the connection ends without a word
            } catch {
                logger.error("Request failed", metadata: ["error.message": "\(error)"])
                response = Problem(.internalError, "something went wrong here; the log has the cause").response()
            }
            response.headers[.date] = HTTPDate.text(HTTPDate.currentSecond())
            if let serverName { response.headers[.server] = serverName }
            let account = ClientConnectionState.of(channel)?.account
            let held = account?.hold(byteCount: response.body.contentLength)
            defer { account?.release(held) }
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // Not as it is: that would begin another answer within this one.
                throw Unreadable()
            }
        }
    }
}
