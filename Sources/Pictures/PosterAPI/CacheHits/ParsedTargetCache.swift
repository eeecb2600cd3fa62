import BoundedCache
import HTTPSemantics
import HTTPServer
import NIOCore
import PosterCodec
import PosterPipeline
import Synchronization

/// Caches parsed request targets, each with the heads of its last responses and the choice of variants behind them.
/// Safe from any thread.
///
/// Bounded by estimated bytes, with the eviction policy of the variants' cache; a missing target is parsed again.
final class ParsedTargetCache: Sendable {
    /// The minimum budget, in bytes: room for about 8 000 targets.
    private static let leastCost = 16 << 20
    /// Divisor of the variants' budget, chosen so that the targets of all variants fit.
    private static let partOfVariants = 8
    private static let shardCount = 16
    /// The estimated cost of an entry without heads and text, in bytes: mostly its choice with a dozen tags.
    private static let overhead = 1792

    struct Key: Hashable {
        /// Path and query as received.
        let text: ByteBuffer
        /// The formats negotiated by `Accept`.
        let formats: FormatChoice
    }

    /// A request completed by the facts of its film.
    final class CompletedRequest: Sendable {
        let facts: PictureResolver.Facts
        let query: PictureRequest
        private let version: Atomic<UInt64>

        /// - Parameter version: ``PictureResolver/version`` before the facts were read.
        init(_ request: PictureRequest, by facts: PictureResolver.Facts, version: UInt64) {
            self.facts = facts
            self.query = request.completed(by: facts)
            self.version = Atomic(version)
        }

        func isCurrent(_ version: UInt64) -> Bool { self.version.load(ordering: .relaxed) == version }

        /// Notes that the facts are the same in another version.
        func confirm(_ version: UInt64) { self.version.store(version, ordering: .relaxed) }
    }

    final class Target: Sendable {
        let target: RequestTarget
        /// `nil` if the slow path must answer.
        let query: PictureRequest?
        let route: String
        /// Generation of the policy that was applied.
        fileprivate let generation: UInt64
        /// The last heads sent, one for each status.
        fileprivate let heads: [(key: SerializedHead.Key, bytes: ByteBuffer)]
        /// The choice of variants for the last of ``heads``.
        let choice: VariantChoice?
        /// The request behind ``choice``, if ``query`` needs a film.
        let completed: CompletedRequest?

        fileprivate init(
            target: RequestTarget, query: PictureRequest?, route: String, generation: UInt64,
            heads: [(key: SerializedHead.Key, bytes: ByteBuffer)] = [], choice: VariantChoice? = nil,
            completed: CompletedRequest? = nil
        ) {
            self.target = target
            self.query = query
            self.route = route
            self.generation = generation
            self.heads = heads
            self.choice = choice
            self.completed = completed
        }

        /// The cached head; `nil` if the last response with its status had another key.
        func head(for headKey: SerializedHead.Key) -> ByteBuffer? {
            for head in self.heads where head.key == headKey { return head.bytes }
            return nil
        }
    }

    private let policies: ReloadablePicturePolicy
    private let targets: ShardedCache<Key, Target>

    /// - Parameter variantBudget: The variants' budget, in bytes.
    init(policies: ReloadablePicturePolicy, variantBudget: Int = 0) {
        self.policies = policies
        self.targets = ShardedCache(
            costLimit: max(Self.leastCost, variantBudget / Self.partOfVariants), shardCount: Self.shardCount)
    }

    /// The time against which signatures expire, in seconds since 1970.
    var now: Int64 { self.policies.now }

    /// The generation of the policy in force; an atomic load.
    var generation: UInt64 { self.policies.generation }

    /// The formats that `Accept` may select, and the generation of their policy.
    var order: (formats: FormatOrder, generation: UInt64) {
        let parser = self.policies.parser
        return (parser.policy.formats, parser.generation)
    }

    var usage: (count: Int, cost: Int) { self.targets.usage }

    /// Returns the cached target; parses it if it is missing, the policy has changed or its signature has expired.
    func target(_ key: Key) -> Target {
        if let target = self.targets.value(for: key), self.isCurrent(target) { return target }
        let parser = self.policies.parser
        let parts = RequestTarget(String(buffer: key.text))
        let target = Target(
            target: parts, query: self.query(parts, headers: PictureRequestHeaders(formats: key.formats), parser),
            route: PictureRoute(parts)?.route ?? RequestRecord.noRoute, generation: parser.generation)
        self.keep(target, for: key, headLength: 0)
        return target
    }

    /// Caches the head of a response and its choice of variants, for the target's next request.
    func store(
        _ head: ByteBuffer, headKey: SerializedHead.Key, choice: VariantChoice?, completed: CompletedRequest? = nil,
        of target: Target, for key: Key
    ) {
        let heads = target.heads.filter { $0.key.status != headKey.status } + [(headKey, head)]
        let target = Target(
            target: target.target, query: target.query, route: target.route, generation: target.generation,
            heads: heads, choice: choice, completed: completed)
        self.keep(target, for: key, headLength: heads.reduce(0) { $0 + $1.bytes.storageCapacity })
    }

    private func isCurrent(_ target: Target) -> Bool {
        guard target.generation == self.policies.generation else { return false }
        return target.query?.expires.map { $0 > self.policies.now } ?? true
    }

    private func keep(_ target: Target, for key: Key, headLength: Int) {
        // A copy: the slice would retain the whole buffer read from the socket.
        let own = Key(text: ByteBuffer(bytes: key.text.readableBytesView), formats: key.formats)
        self.targets.insert(target, for: own, cost: headLength + 2 * own.text.storageCapacity + Self.overhead)
    }

    /// - Returns: `nil` if the target is invalid or not a picture's.
    private func query(_ target: RequestTarget, headers: PictureRequestHeaders, _ parser: PictureRequestParser)
        -> PictureRequest?
    {
        do throws(Problem) {
            let query = try parser.parse(target, headers: headers, now: self.policies.now)
            // `/poster/prefetch` is another resource.
            return query?.request.id.key == PrefetchController.segment ? nil : query
        } catch {
            return nil  // the slow path meets the same error and reports it
        }
    }
}
