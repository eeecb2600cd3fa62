import HTTPSemantics
import HTTPServer
import HTTPTypes
import NIOCore
import PosterCodec
import PosterPipeline

/// Answers requests for what is in memory. Belongs to one event loop.
final class CacheHitResponder {
    /// How many `Accept` headers are remembered; a browser's version has two or three.
    private static let acceptSlots = 256
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
        /// Who made the request.
        let client: ClientAddress
        /// Of the request, in bytes.
        let requestLength: Int
        /// nil when nobody wants to know it, or the client did not say it.
        let requestID: String?
        /// The template of what was asked for.
        let route: String
    }

    private let pipeline: PosterPipeline
    private let cacheControl: CacheControl
    private let targets: ParsedTargetCache
    private let clients: ClientRules
    private let wantsNames: Bool
    private var dates: DateCache
    /// What `Accept` headers make of a format that is not named.
    private var negotiated = DirectMappedCache<OutputFormat>(slotCount: CacheHitResponder.acceptSlots)

    /// - Parameters:
    ///   - targets: Shared by all event loops.
    ///   - clients: How they are told apart, and what each may do.
    ///   - serverName: For `Server`; nil leaves it out.
    ///   - wantsNames: Whether somebody wants to know what clients call their requests.
    init(
        pipeline: PosterPipeline, cacheControl: CacheControl, targets: ParsedTargetCache,
        clients: ClientRules = ClientRules(), serverName: String?, wantsNames: Bool = false
    ) {
        self.wantsNames = wantsNames
        self.pipeline = pipeline
        self.cacheControl = cacheControl
        self.targets = targets
        self.clients = clients
        self.dates = DateCache(serverName: serverName)
    }

    /// - Parameters:
    ///   - bytes: As they came, from the beginning of a request on.
    ///   - peer: The other end of the connection.
    /// - Returns: nil when the ordinary way is to answer, also with what went wrong.
    func reply(to bytes: ByteBuffer, from peer: ClientAddress) -> Reply? {
        let span = bytes.readableBytesUInt8Span
        let isForwarded = self.clients.proxies.contains(peer)
        guard let request = FastPathRequest(span, readsForwarded: isForwarded),
            let format = self.format(request, of: span),
            let text = bytes.getSlice(
                at: bytes.readerIndex + request.target.lowerBound, length: request.target.count)
        else { return nil }
        let key = ParsedTargetCache.Key(text: text, format: format)
        let target = self.targets.target(key)
        // Hints that could change the answer are read elsewhere.
        guard let query = target.query, !request.hasHints || !query.vary.hasHints else { return nil }
        let condition = IfNoneMatch(request.condition.map { span.text($0) })
        let client = self.client(request, of: span, from: peer)
        guard let answer = self.cachedAnswer(to: query, condition, for: client) else { return nil }
        let lifetime = self.cacheControl.lifetime(
            of: answer.provenance, version: query.version, expires: query.expires, now: self.targets.now)
        let (status, head, body): (Int, ByteBuffer, ByteBuffer?)
        switch answer {
        case .variant(let poster, let provenance):
            // What a stale answer says of its age is another thing each second, and so is the time that is left.
            let isLasting = provenance.staleness == nil && query.expires == nil
            let name = SerializedHead.Key(
                tag: poster.entityTag, lifetime: lifetime, modifiedAt: provenance.original?.modifiedAt)
            if isLasting, let known = target.head(of: name) {
                head = known
            } else {
                head = self.head(.ok, of: answer, lifetime, contentLength: poster.bytes.readableBytes, query)
                if isLasting { self.targets.note(head, name: name, of: target, for: key) }
            }
            (status, body) = (200, request.isHead ? nil : poster.bytes)
        case .notModified:
            head = self.head(.notModified, of: answer, lifetime, contentLength: nil, query)
            (status, body) = (304, nil)
        case .original: return nil
        }
        let headEnd = self.dates.current(age: answer.provenance.age(in: lifetime, expires: query.expires))
        return Reply(
            status: status, head: head, headEnd: headEnd, body: body, isHead: request.isHead, target: target.text,
            client: client, requestLength: request.length,
            requestID: self.wantsNames ? Self.requestID(request, of: span) : nil, route: target.route)
    }

    /// What is known, for a client that may have it. What is not answered here is charged where it is.
    private func cachedAnswer(
        to query: PosterQuery, _ condition: IfNoneMatch, for client: ClientAddress
    ) -> PosterAnswer? {
        // Before the cache is asked: what is refused is no hit, and keeps nothing in memory.
        guard self.clients.rates?.refusal(of: client) == nil else { return nil }
        do throws(PosterError) {
            if let answer = try self.pipeline.cachedAnswer(to: query.request, isCurrent: condition.matches) {
                return answer
            }
        } catch {
            // The ordinary way finds the same, and says it.
        }
        self.clients.rates?.refund(client)
        return nil
    }

    private func client(_ request: FastPathRequest, of bytes: Span<UInt8>, from peer: ClientAddress) -> ClientAddress {
        self.clients.proxies.client(
            behind: peer, in: bytes, forwarded: request.forwarded, xForwardedFor: request.xForwardedFor)
    }

    private func head(
        _ status: HTTPResponse.Status, of answer: PosterAnswer, _ lifetime: CacheControl.Lifetime,
        contentLength: Int?, _ query: PosterQuery
    ) -> ByteBuffer {
        let fields = answer.fields(
            lifetime: lifetime, cacheControl: self.cacheControl, to: query)
        return SerializedHead(status: status, fields: fields, contentLength: contentLength).bytes
    }

    private static func requestID(_ request: FastPathRequest, of bytes: Span<UInt8>) -> String? {
        RequestID(
            given: request.requestID.map { bytes.text($0) }, traceparent: request.traceparent.map { bytes.text($0) }
        )?.description
    }

    /// - Returns: nil when the header is too long to be read here.
    private func format(_ request: FastPathRequest, of bytes: Span<UInt8>) -> OutputFormat? {
        guard let range = request.accept else { return .jpeg }
        guard range.count <= Self.acceptLimit else { return nil }
        let (known, place) = self.negotiated.find(bytes, range)
        if let known { return known }
        let text = bytes.text(range)
        let format = AcceptHeader(text).format
        self.negotiated.store(format, for: Array(text.utf8), at: place)
        return format
    }
}

extension Span<UInt8> {
    /// Of ASCII only.
    fileprivate func text(_ range: Range<Int>) -> String {
        self.extracting(range).bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
