import HTTPTypes
import Hummingbird
import NIOCore
import PosterCodec
import PosterPipeline

extension HTTPField.Name {
    static let cacheStatus = Self("Cache-Status")!
    static let serverTiming = Self("Server-Timing")!
    static let contentTypeOptions = Self("X-Content-Type-Options")!
}

extension PosterAnswer {
    /// - Parameters:
    ///   - isNegotiated: Whether `Accept` decided the format.
    func response(cacheControl: CacheControl, isNegotiated: Bool) -> Response {
        var headers: HTTPFields = [
            .cacheControl: self.provenance.staleness == nil ? cacheControl.fresh : cacheControl.stale,
            .contentTypeOptions: "nosniff",
        ]
        if isNegotiated { headers[.vary] = "Accept" }
        switch self {
        case .notModified(let tag, let provenance):
            headers[.eTag] = tag.description
            headers[.cacheStatus] = CacheStatus.value(for: provenance)
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil  // a 304 has none, rather than one of zero
            return response
        case .variant(let poster, let provenance):
            headers[.eTag] = poster.entityTag.description
            headers[.contentType] = poster.format.mediaType
            headers[.cacheStatus] = CacheStatus.value(for: provenance)
            headers[.serverTiming] = ServerTiming.value(for: provenance.timings)
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: poster.bytes))
        case .original(let original, let tag, let provenance):
            headers[.eTag] = tag.description
            headers[.contentType] = "image/\(original.header.format)"
            headers[.cacheStatus] = CacheStatus.value(for: provenance)
            headers[.serverTiming] = ServerTiming.value(for: provenance.timings)
            return Response(status: .ok, headers: headers, body: .streaming(original.bytes))
        }
    }
}

extension ResponseBody {
    /// What is copied out of a mapped file at once, in bytes: all that a slow reader holds of it.
    private static var chunkLength: Int { 128 << 10 }

    static func streaming(_ bytes: OriginalBytes) -> ResponseBody {
        ResponseBody(contentLength: bytes.count) { writer in
            for start in stride(from: 0, to: bytes.count, by: Self.chunkLength) {
                let end = min(start + Self.chunkLength, bytes.count)
                let chunk = bytes.withUnsafeBytes { ByteBuffer(bytes: $0[start..<end]) }
                try await writer.write(chunk)
            }
            try await writer.finish(nil)
        }
    }
}
