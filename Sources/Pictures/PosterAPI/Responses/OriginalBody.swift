import HTTPServer
import Hummingbird
import NIOCore
import PosterPipeline
import Synchronization

/// The body of a response with an original or a range of it, read from disk in pieces as the socket drains.
final class OriginalBody: Sendable {
    /// The length of a piece, in bytes: a slow reader holds at most two in memory.
    static let pieceLength = 64 << 10

    private let part: Range<Int>
    private let client: ClientConnectionState?
    /// `nil` once the last piece has been read, which closes the file while the response is still being sent.
    private let bytes: Mutex<OriginalBytes?>

    fileprivate init(_ bytes: OriginalBytes, _ part: Range<Int>, _ client: ClientConnectionState?) {
        self.bytes = Mutex(bytes)
        self.part = part
        self.client = client
    }

    /// - Throws: `OriginalBytes.Unreadable` if the file has changed. The connection or stream then ends before the body
    ///   does, which the client detects by `Content-Length`.
    fileprivate func write(to writer: inout any ResponseBodyWriter) async throws {
        for start in stride(from: self.part.lowerBound, to: self.part.upperBound, by: Self.pieceLength) {
            try await self.client?.untilWritable()
            let end = min(start + Self.pieceLength, self.part.upperBound)
            guard let bytes = self.bytes.withLock({ $0 }) else { return }
            if end == self.part.upperBound { self.bytes.withLock { $0 = nil } }
            let piece = try await bytes.piece(start..<end)
            let held = self.client?.account?.hold(piece)
            defer { self.client?.account?.release(held) }
            try await writer.write(piece)
        }
    }
}

extension ResponseBody {
    /// - Parameter part: A non-empty range.
    static func streaming(_ bytes: OriginalBytes, _ part: Range<Int>, to client: ClientConnectionState?) -> ResponseBody
    {
        let body = OriginalBody(bytes, part, client)
        return ResponseBody(contentLength: part.count) { writer in
            try await body.write(to: &writer)
            try await writer.finish(nil)
        }
    }
}
