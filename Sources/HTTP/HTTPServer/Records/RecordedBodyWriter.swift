import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore

/// Counts what is written of a body.
struct RecordedBodyWriter: ResponseBodyWriter {
    let request: OpenRequest
    var parent: any ResponseBodyWriter

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await self.parent.write(buffer)
        self.request.count(buffer.readableBytes)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await self.parent.finish(trailingHeaders)
    }
}

extension ResponseBody {
    /// The longest body that counts as sent when it is handed over, in bytes: it is one write together with its head, which
    /// a wrapper around it would break into three. A stream's parts are no longer either.
    private static var handedOverLimit: Int { 128 << 10 }

    /// The body, whose end is the request's. Call it when nothing of the answer changes any more.
    func recorded(as request: OpenRequest, isClientGone: Bool) -> ResponseBody {
        if let length = self.contentLength, length <= Self.handedOverLimit {
            request.end(
                status: isClientGone ? RequestFacts.abandonedStatus : nil, bodyLength: isClientGone ? 0 : length)
            return self
        }
        return ResponseBody(contentLength: self.contentLength) { writer in
            do {
                try await self.write(RecordedBodyWriter(request: request, parent: writer))
                request.end()
            } catch {
                // The connection has ended, or the file that the rest of the body was to be read from is not what it was.
                request.end(status: (error as? any ProblemCause)?.problem.kind.status ?? RequestFacts.abandonedStatus)
                throw error
            }
        }
    }
}
