import HTTPTypes
import NIOCore
import PosterPipeline

/// Answers requests for what is in memory. Belongs to one event loop.
final class HitDesk {
    /// How many `Accept` headers are remembered; a browser's version has two or three.
    private static let acceptPlaces = 256
    /// The longest `Accept` header that is read here, in bytes.
    private static let acceptLimit = 512

    /// What is written.
    struct Reply {
        let status: Int
        let head: ByteBuffer
        /// The rest of the head.
        let headEnd: ByteBuffer
        /// nil when there is none to send.
        let body: ByteBuffer?
        let isHead: Bool
        /// Path and query.
        let target: String
        /// Of the request, in bytes.
        let requestLength: Int
        /// nil when nobody wants to know it, or the client did not say it.
        let requestID: String?
    }

    private let pipeline: PosterPipeline
    private let cacheControl: CacheControl
    private let targets: HitTargets
    private let wantsNames: Bool
    private var headEnd: HitHeadEnd
    /// Whether an `Accept` header prefers WebP.
    private var negotiated = HitTable<Bool>(placeCount: HitDesk.acceptPlaces)

    /// - Parameters:
    ///   - targets: Shared by all event loops.
    ///   - serverName: For `Server`; nil leaves it out.
    ///   - wantsNames: Whether somebody wants to know what clients call their requests.
    init(
        pipeline: PosterPipeline, cacheControl: CacheControl, targets: HitTargets, serverName: String?,
        wantsNames: Bool
    ) {
        self.wantsNames = wantsNames
        self.pipeline = pipeline
        self.cacheControl = cacheControl
        self.targets = targets
        self.headEnd = HitHeadEnd(serverName: serverName)
    }

    /// - Parameter bytes: As they came, from the beginning of a request on.
    /// - Returns: nil when the ordinary way is to answer, also with what went wrong.
    func reply(to bytes: ByteBuffer) -> Reply? {
        let span = bytes.readableBytesUInt8Span
        guard let request = HitRequest(span), let prefersWebP = self.prefersWebP(request, of: span),
            let text = bytes.getSlice(
                at: bytes.readerIndex + request.target.lowerBound, length: request.target.count)
        else { return nil }
        let key = HitTargets.Key(text: text, prefersWebP: prefersWebP)
        let target = self.targets.target(key)
        guard let query = target.query else { return nil }
        let condition = IfNoneMatch(request.condition.map { span.text($0) })
        let answer: PosterAnswer?
        do throws(PosterError) {
            answer = try self.pipeline.knownAnswer(to: query.request, isCurrent: condition.matches)
        } catch {
            return nil  // the ordinary way finds the same, and says it
        }
        let (status, head, body): (Int, ByteBuffer, ByteBuffer?)
        switch answer {
        case .variant(let poster, let provenance)?:
            // What a stale answer says of its age is another thing each second.
            let isLasting = provenance.staleness == nil
            if isLasting, let known = target.head(of: poster.entityTag) {
                head = known
            } else {
                head = self.head(.ok, of: answer!, contentLength: poster.bytes.readableBytes, query)
                if isLasting { self.targets.note(head, tag: poster.entityTag, of: target, for: key) }
            }
            (status, body) = (200, request.isHead ? nil : poster.bytes)
        case .notModified?:
            (status, head, body) = (304, self.head(.notModified, of: answer!, contentLength: nil, query), nil)
        case .original?, nil: return nil
        }
        return Reply(
            status: status, head: head, headEnd: self.headEnd.current(), body: body, isHead: request.isHead,
            target: target.text, requestLength: request.length,
            requestID: self.wantsNames ? Self.requestID(request, of: span) : nil)
    }

    private func head(
        _ status: HTTPResponse.Status, of answer: PosterAnswer, contentLength: Int?, _ query: PosterQuery
    ) -> ByteBuffer {
        let fields = answer.fields(cacheControl: self.cacheControl, isNegotiated: query.isNegotiated)
        return HitHead(status: status, fields: fields, contentLength: contentLength).bytes
    }

    private static func requestID(_ request: HitRequest, of bytes: Span<UInt8>) -> String? {
        RequestID(
            given: request.requestID.map { bytes.text($0) }, traceparent: request.traceparent.map { bytes.text($0) }
        )?.description
    }

    /// - Returns: nil when the header is too long to be read here.
    private func prefersWebP(_ request: HitRequest, of bytes: Span<UInt8>) -> Bool? {
        guard let range = request.accept else { return false }
        guard range.count <= Self.acceptLimit else { return nil }
        let (known, place) = self.negotiated.find(bytes, range)
        if let known { return known }
        let text = bytes.text(range)
        let prefersWebP = AcceptHeader(text).prefersWebP
        self.negotiated.store(prefersWebP, for: Array(text.utf8), at: place)
        return prefersWebP
    }
}

extension Span<UInt8> {
    /// Of ASCII only.
    fileprivate func text(_ range: Range<Int>) -> String {
        self.extracting(range).bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
