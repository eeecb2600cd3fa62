import HTTPSemantics
import HTTPServer
import HTTPTypes
import NIOCore
import PosterCodec
import PosterPipeline

/// Builds responses from variants in memory, synchronously. Belongs to one event loop.
final class CacheHitResponder {
    /// Slots for negotiated `Accept` headers; a browser's version sends two or three.
    private static let acceptSlots = 256
    /// The longest `Accept` header that the fast path handles, in bytes.
    private static let acceptLimit = 512

    enum Outcome {
        case hit(Reply)
        /// Left to the slow path, parsed and charged to the client.
        case miss(FastPathMiss)
        /// Left to the slow path unchanged; the slow path also answers all errors.
        case passed
    }

    /// A serialized response with the fields of its access log entry.
    struct Reply {
        let status: Int
        let head: ByteBuffer
        /// `Age`, `Date`, `Server` and the empty line, from ``DateCache``.
        let headEnd: ByteBuffer
        /// `nil` for HEAD and 304.
        let body: ByteBuffer?
        let isHead: Bool
        let target: String
        /// The client's address, as reported by trusted proxies.
        let client: ClientAddress
        /// The length of the request's head, in bytes.
        let requestLength: Int
        /// `nil` without an access log, and without a valid identifier in the request.
        let requestID: String?
        let route: String
    }

    private let pipeline: PosterPipeline
    private let cacheControl: CacheControl
    private let targets: ParsedTargetCache
    private let resolver: PictureResolver
    private let clients: ClientPolicy
    private let wantsNames: Bool
    private var dates: DateCache
    /// Negotiated formats by `Accept` header.
    private var negotiated = DirectMappedCache<FormatChoice>(slotCount: CacheHitResponder.acceptSlots)
    /// The formats that ``negotiated`` was selected from, with the policy's generation.
    private var order: (formats: FormatOrder, generation: UInt64)

    /// - Parameters:
    ///   - targets: Shared by all event loops.
    ///   - clients: Trusted proxies and rate limits.
    ///   - serverName: The value of `Server`; `nil` omits it.
    ///   - wantsNames: Whether request identifiers are recorded.
    init(
        pipeline: PosterPipeline, cacheControl: CacheControl, targets: ParsedTargetCache,
        resolver: PictureResolver = PictureResolver(), clients: ClientPolicy = ClientPolicy(), serverName: String?,
        wantsNames: Bool = false
    ) {
        self.wantsNames = wantsNames
        self.pipeline = pipeline
        self.cacheControl = cacheControl
        self.targets = targets
        self.resolver = resolver
        self.order = targets.order
        self.clients = clients
        self.dates = DateCache(serverName: serverName)
    }

    /// - Parameters:
    ///   - bytes: Received bytes, from the first byte of a request.
    ///   - peer: The other end of the connection.
    func outcome(of bytes: ByteBuffer, from peer: ClientAddress) -> Outcome {
        let span = bytes.readableBytesUInt8Span
        let isForwarded = self.clients.proxies.contains(peer)
        guard let request = FastPathRequest(span, readsForwarded: isForwarded),
            let formats = self.formats(request, of: span),
            let text = bytes.getSlice(
                at: bytes.readerIndex + request.target.lowerBound, length: request.target.count)
        else { return .passed }
        let key = ParsedTargetCache.Key(text: text, formats: formats)
        let target = self.targets.target(key)
        // Client hints that could change the response are handled on the slow path.
        guard var query = target.query, !request.hasHints || !query.vary.hasHints else { return .passed }
        let conditions = Preconditions(ifNoneMatch: request.condition.map { span.text($0) })
        let client = self.clients.proxies.client(
            behind: peer, in: span, forwarded: request.forwarded, xForwardedFor: request.xForwardedFor)
        // Before the lookup: a refused request must neither count as a hit nor renew the variant's place in the cache.
        guard self.clients.rates?.refusal(of: client) == nil else { return .passed }
        var choice = target.choice
        var film: ParsedTargetCache.CompletedRequest?
        if query.needsFilm {
            // The slow path sends requests to sources, and reports errors.
            guard let completed = self.completed(query, known: target.completed) else {
                return .miss(FastPathMiss(target: target.target, request: query))
            }
            if completed !== target.completed { choice = nil }
            query = completed.query
            film = completed
        }
        let posterQuery = PosterQuery(query.request, conditions: conditions)
        // The slow path meets the same error and reports it.
        guard let answer = try? self.pipeline.cachedResponse(to: posterQuery, choice: &choice) else {
            return .miss(FastPathMiss(target: target.target, request: query))
        }
        let lifetime = self.cacheControl.lifetime(
            of: answer.provenance, version: query.version, badges: query.badgeFreshness, expires: query.expires,
            now: self.targets.now)
        let (status, contentLength, body): (HTTPResponse.Status, Int?, ByteBuffer?)
        switch answer {
        case .variant(let poster, _):
            (status, contentLength, body) = (.ok, poster.bytes.readableBytes, request.isHead ? nil : poster.bytes)
        case .notModified: (status, contentLength, body) = (.notModified, nil, nil)
        case .original: return .miss(FastPathMiss(target: target.target, request: query))
        }
        // The heads of stale and of expiring responses change every second.
        let isLasting = answer.provenance.staleness == nil && query.expires == nil
        let headKey = SerializedHead.Key(status: status, of: answer, lifetime)
        let known = isLasting ? target.head(for: headKey) : nil
        let head = known ?? self.head(status, of: answer, lifetime, contentLength: contentLength, query)
        if isLasting, known == nil || film !== target.completed {
            self.targets.store(head, headKey: headKey, choice: choice, completed: film, of: target, for: key)
        }
        let headEnd = self.dates.current(age: answer.provenance.age(in: lifetime, expires: query.expires))
        return .hit(
            Reply(
                status: status.code, head: head, headEnd: headEnd, body: body, isHead: request.isHead,
                target: target.target.text, client: client, requestLength: request.length,
                requestID: self.wantsNames ? Self.requestID(request, of: span) : nil, route: target.route))
    }

    /// The request completed by facts in memory: the known one if they are the same.
    ///
    /// - Returns: `nil` if a fact is missing.
    private func completed(
        _ request: PictureRequest, known: ParsedTargetCache.CompletedRequest?
    ) -> ParsedTargetCache.CompletedRequest? {
        let version = self.resolver.version
        if let known, known.isCurrent(version) { return known }
        guard let facts = self.resolver.facts(for: request) else { return nil }
        if let known, known.facts == facts {
            known.confirm(version)
            return known
        }
        return ParsedTargetCache.CompletedRequest(request, by: facts, version: version)
    }

    private func head(
        _ status: HTTPResponse.Status, of answer: PosterResponse, _ lifetime: CacheControl.Lifetime,
        contentLength: Int?, _ query: PictureRequest
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

    /// - Returns: `nil` if the header is longer than ``acceptLimit``.
    private func formats(_ request: FastPathRequest, of bytes: Span<UInt8>) -> FormatChoice? {
        guard let range = request.accept else { return FormatChoice() }
        guard range.count <= Self.acceptLimit else { return nil }
        if self.targets.generation != self.order.generation {
            self.order = self.targets.order
            self.negotiated = DirectMappedCache(slotCount: Self.acceptSlots)
        }
        let (known, slot) = self.negotiated.find(bytes, range)
        if let known { return known }
        let text = bytes.text(range)
        let formats = AcceptHeader(text).choice(of: self.order.formats)
        self.negotiated.store(formats, for: Array(text.utf8), at: slot)
        return formats
    }
}

extension Span<UInt8> {
    /// The bytes of `range`, which are ASCII, as text.
    fileprivate func text(_ range: Range<Int>) -> String {
        self.extracting(range).bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
