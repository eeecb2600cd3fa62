import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import PosterCodec
import PosterPipeline

extension PosterResponse {
    /// - Parameters:
    ///   - now: The time against which signatures expire, in seconds since 1970.
    ///   - client: The connection's state; `nil` without a connection.
    /// - Throws: ``Problem`` of the kinds `precondition-failed` and `range-not-satisfiable`.
    func response(
        cacheControl: CacheControl, to query: PictureRequest, conditions: Preconditions, range: RangeRequest,
        now: Int64, client: ClientConnectionState?
    ) throws(Problem) -> Response {
        let tag = self.entityTag
        let modifiedAt = query.modifiedAt(self.provenance)
        let outcome = conditions.outcome(tag: tag, modifiedAt: modifiedAt)
        guard outcome != .failed else { throw .preconditionFailed }
        let lifetime = cacheControl.lifetime(
            of: self.provenance, version: query.version, badges: query.badgeFreshness,
            badgeSeconds: query.badgeSeconds, expires: query.expires, now: now)
        var fields = self.fields(lifetime: lifetime, cacheControl: cacheControl, to: query)
        fields[.age] = self.provenance.age(in: lifetime, expires: query.expires).map(String.init)
        switch self {
        case _ where outcome == .notModified, .notModified: return Self.notModified(fields)
        case .variant(let poster, _):
            client?.account?.announce(.buffer(poster.bytes))
            let length = poster.bytes.readableBytes
            // No date: all encodings of the original share it, so it cannot validate a range.
            guard let part = try range.part(of: length, tag: tag, modifiedAt: nil) else {
                return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: poster.bytes))
            }
            let bytes = poster.bytes.getSlice(at: poster.bytes.readerIndex + part.lowerBound, length: part.count)!
            fields.say(part, of: length)
            return Response(status: .partialContent, headers: fields, body: ResponseBody(byteBuffer: bytes))
        case .original(let original, _, _):
            client?.account?.announce(.pieces)
            let length = original.bytes.count
            guard let part = try range.part(of: length, tag: tag, modifiedAt: self.exactDate) else {
                return Response(status: .ok, headers: fields, body: .streaming(original.bytes, 0..<length, to: client))
            }
            fields.say(part, of: length)
            return Response(
                status: .partialContent, headers: fields, body: .streaming(original.bytes, part, to: client))
        }
    }

    private static func notModified(_ fields: HTTPFields) -> Response {
        var response = Response(status: .notModified, headers: fields)
        // A 304 has no Content-Length, rather than zero, and no fields of a body.
        for name in [HTTPField.Name.contentLength, .contentType, .serverTiming] { response.headers[name] = nil }
        return response
    }

    /// The fields of the response on both paths, without `Age`, `Content-Length` and fields that the server adds.
    func fields(lifetime: CacheControl.Lifetime, cacheControl: CacheControl, to query: PictureRequest) -> HTTPFields {
        var fields: HTTPFields = [
            .cacheControl: cacheControl.value(lifetime), .contentTypeOptions: "nosniff", .acceptRanges: "bytes",
        ]
        fields.openToAllOrigins()
        fields[.vary] = query.vary.fieldValue
        if query.offersHints { fields[.acceptCH] = ClientHints.accepted }
        fields[.eTag] = self.entityTag.description
        fields[.lastModified] = query.modifiedAt(self.provenance).map { HTTPDate.text(Int($0)) }
        fields[.contentType] = self.mediaType
        fields[.cacheStatus] = CacheStatus.value(for: self.provenance)
        if case .notModified = self { return fields }
        fields[.serverTiming] = ServerTiming.value(for: self.provenance.timings)
        return fields
    }

    var entityTag: EntityTag {
        switch self {
        case .notModified(let tag, _), .original(_, let tag, _): tag
        case .variant(let poster, _): poster.entityTag
        }
    }

    /// The original's date if it is a strong validator: no other bytes can have it (RFC 9110, 8.8.2.2).
    private var exactDate: Int64? {
        self.provenance.original.flatMap { $0.isDateExact ? $0.modifiedAt : nil }
    }

    private var mediaType: String? {
        switch self {
        case .notModified: nil
        case .variant(let poster, _): poster.format.mediaType
        case .original(let original, _, _): "image/\(original.header.format.name)"
        }
    }
}

extension Provenance {
    /// When the response changed last, in seconds since 1970; `nil` for a response that another format will replace:
    /// both have the original's date, so the replacement would look unmodified.
    var modifiedAt: Int64? { self.isProvisional ? nil : self.original?.modifiedAt }
}

extension PictureRequest {
    /// The original's modification date; `nil` with badges: scores change without the original.
    fileprivate func modifiedAt(_ provenance: Provenance) -> Int64? {
        self.badges == nil ? provenance.modifiedAt : nil
    }
}

extension RangeRequest {
    /// - Returns: `nil` for the whole body.
    /// - Throws: ``Problem`` of the kind `range-not-satisfiable`.
    fileprivate func part(of length: Int, tag: EntityTag, modifiedAt: Int64?) throws(Problem) -> Range<Int>? {
        switch self.outcome(length: length, tag: tag, modifiedAt: modifiedAt) {
        case .whole: return nil
        case .part(let part): return part
        case .unsatisfiable: throw .rangeNotSatisfiable(length: length)
        }
    }
}

extension HTTPFields {
    /// - Parameter length: The length of the whole body, in bytes.
    fileprivate mutating func say(_ part: Range<Int>, of length: Int) {
        self[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
    }
}

/// `Cache-Status` (RFC 9211) of the cache `OneSheet`.
enum CacheStatus {
    static let hit = "OneSheet; hit"

    static func value(for provenance: Provenance) -> String {
        let forward: String
        switch provenance.reach {
        case .cache: return self.hit + self.staleness(provenance)
        // The variant was rendered from the stored original, or read from disk, without a request to the origin.
        case .disk:
            let detail = provenance.wasStored ? "variant-on-disk" : "original-on-disk"
            forward = "OneSheet; fwd=miss; detail=\(provenance.staleness?.detail ?? detail)"
        case .origin:
            forward =
                provenance.validationStatus.map { "OneSheet; fwd=stale; fwd-status=\($0)" }
                ?? "OneSheet; fwd=uri-miss; fwd-status=200"
        }
        return forward + (provenance.isStored ? "; stored" : "") + (provenance.isShared ? "; collapsed" : "")
    }

    private static func staleness(_ provenance: Provenance) -> String {
        provenance.staleness.map { "; \($0.cacheStatus)" } ?? ""
    }
}

/// `Server-Timing` (W3C).
enum ServerTiming {
    static func value(for timings: PosterTimings) -> String {
        "fetch;dur=\(self.milliseconds(timings.fetch)), decode;dur=\(self.milliseconds(timings.decode)), "
            + "encode;dur=\(self.milliseconds(timings.encode))"
    }

    /// Milliseconds with two decimals.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let hundredths = (nanoseconds + 5_000) / 10_000
        guard hundredths > 0 else { return "0" }
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
