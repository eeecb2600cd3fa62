import HTTPSemantics
import Hummingbird
package import NIOCore
import NIOHTTP1

extension Request {
    /// The body, when all of it has come.
    ///
    /// - Parameter limit: The longest, in bytes.
    /// - Throws: ``Problem`` when it is longer, ``ClientLeft`` when its end never comes, `HTTPParserError` when it is
    ///   malformed, `CancellationError`.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        let tooLarge = Problem(.bodyTooLarge, "the body must be at most \(limit) bytes")
        // Before any of it is read: a client may be waiting for a 100.
        if let length = self.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        do {
            return try await self.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPParserError {
            guard case .invalidEOFState = error else { throw error }
            throw ClientLeft()
        } catch {
            // Nothing else is wrong with bytes that come: the connection broke, or the stream was given up.
            throw ClientLeft()
        }
    }
}
