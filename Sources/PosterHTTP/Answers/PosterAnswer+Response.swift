import HTTPTypes
import Hummingbird
import NIOCore
import PosterCodec
import PosterPipeline

extension HTTPField.Name {
    static let cacheStatus = Self("Cache-Status")!
    static let serverTiming = Self("Server-Timing")!
    static let contentTypeOptions = Self("X-Content-Type-Options")!
    static let acceptCH = Self("Accept-CH")!
    static let clientRatio = Self("Sec-CH-DPR")!
    static let clientWidth = Self("Sec-CH-Width")!
    static let saveData = Self("Save-Data")!
}

extension PosterAnswer {
    func response(cacheControl: CacheControl, to query: PosterQuery) -> Response {
        let headers = self.fields(cacheControl: cacheControl, to: query)
        switch self {
        case .notModified:
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil  // a 304 has none, rather than one of zero
            return response
        case .variant(let poster, _):
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: poster.bytes))
        case .original(let original, _, _):
            return Response(status: .ok, headers: headers, body: .streaming(original.bytes))
        }
    }

    /// All that is told of the answer, whichever way it is sent; without what the server adds and the body's length.
    func fields(cacheControl: CacheControl, to query: PosterQuery) -> HTTPFields {
        var fields: HTTPFields = [
            .cacheControl: self.provenance.staleness == nil ? cacheControl.fresh : cacheControl.stale,
            .contentTypeOptions: "nosniff",
        ]
        fields[.vary] = query.variance.fieldValue
        if query.offersHints { fields[.acceptCH] = ClientHints.accepted }
        fields[.eTag] = self.entityTag.description
        fields[.contentType] = self.mediaType
        fields[.cacheStatus] = CacheStatus.value(for: self.provenance)
        if case .notModified = self { return fields }
        fields[.serverTiming] = ServerTiming.value(for: self.provenance.timings)
        return fields
    }

    private var entityTag: EntityTag {
        switch self {
        case .notModified(let tag, _), .original(_, let tag, _): tag
        case .variant(let poster, _): poster.entityTag
        }
    }

    /// nil without a body.
    private var mediaType: String? {
        switch self {
        case .notModified: nil
        case .variant(let poster, _): poster.format.mediaType
        case .original(let original, _, _): "image/\(original.header.format)"
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
