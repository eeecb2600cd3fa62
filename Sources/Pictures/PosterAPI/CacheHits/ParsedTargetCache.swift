import BoundedCache
import HTTPSemantics
import HTTPServer
import NIOCore
import PosterCodec
import PosterPipeline

/// What was read of targets lately, and the heads of their last answers. Safe from any thread.
///
/// Bounded, and kept as variants are: what is asked for again stays. What is not there is read again; nothing else is
/// lost.
final class ParsedTargetCache: Sendable {
    /// What it may take at least, in bytes: room for about 15 000 targets.
    private static let leastCost = 16 << 20
    /// As a part of what variants may take, so that a hit costs the same however many there are.
    private static let partOfVariants = 8
    private static let shardCount = 16
    /// What a target costs beside its head and its text: the request, what holds it together. An estimate.
    private static let overhead = 512

    /// All that decides what is asked for.
    struct Key: Hashable {
        /// Path and query as they came.
        let text: ByteBuffer
        /// As `Accept` says.
        let format: OutputFormat
    }

    /// A target that has been read.
    final class Target: Sendable {
        /// Path and query as they came.
        let text: String
        /// nil when it is for the ordinary way.
        let query: PosterQuery?
        /// The template of what is asked for.
        let route: String
        /// Of the policy that it was read by.
        fileprivate let generation: UInt64
        /// What ``head`` belongs to.
        fileprivate let name: SerializedHead.Key?
        private let head: ByteBuffer?

        fileprivate init(
            text: String, query: PosterQuery?, route: String, generation: UInt64, name: SerializedHead.Key? = nil,
            head: ByteBuffer? = nil
        ) {
            self.text = text
            self.query = query
            self.route = route
            self.generation = generation
            self.name = name
            self.head = head
        }

        /// The head of this answer; nil when the last one was another one.
        func head(of name: SerializedHead.Key) -> ByteBuffer? {
            self.name == name ? self.head : nil
        }
    }

    private let policies: PicturePolicies
    private let targets: ShardedCache<Key, Target>

    /// - Parameters:
    ///   - policies: What may be asked for.
    ///   - variantBudget: What variants may take, in bytes.
    init(policies: PicturePolicies, variantBudget: Int = 0) {
        self.policies = policies
        self.targets = ShardedCache(
            costLimit: max(Self.leastCost, variantBudget / Self.partOfVariants), shardCount: Self.shardCount)
    }

    /// In seconds since 1970.
    var now: Int64 { self.policies.now }

    /// How many targets are remembered, and what they cost in bytes by estimate.
    var usage: (count: Int, cost: Int) { self.targets.usage }

    /// As of now: neither by a policy that is not in force any more, nor with a signature that has ended.
    func target(_ key: Key) -> Target {
        if let target = self.targets.value(for: key), self.isCurrent(target) { return target }
        let text = String(buffer: key.text)
        let reader = self.policies.reader
        let parts = RequestTarget(text)
        let target = Target(
            text: text, query: self.query(parts, headers: PictureHeaders(format: key.format), reader),
            route: PictureRoute(parts)?.route ?? RequestFacts.noRoute, generation: reader.generation)
        self.keep(target, for: key, headLength: 0)
        return target
    }

    /// Remembers the head of an answer, which is the same at the next request.
    func note(_ head: ByteBuffer, name: SerializedHead.Key, of target: Target, for key: Key) {
        let target = Target(
            text: target.text, query: target.query, route: target.route, generation: target.generation, name: name,
            head: head)
        self.keep(target, for: key, headLength: head.storageCapacity)
    }

    private func isCurrent(_ target: Target) -> Bool {
        guard target.generation == self.policies.generation else { return false }
        return target.query?.expires.map { $0 > self.policies.now } ?? true
    }

    private func keep(_ target: Target, for key: Key, headLength: Int) {
        // A copy: the key is a part of all that was read from a socket.
        let own = Key(text: ByteBuffer(bytes: key.text.readableBytesView), format: key.format)
        self.targets.insert(target, for: own, cost: headLength + 2 * own.text.storageCapacity + Self.overhead)
    }

    /// - Returns: nil when it is no request for a picture, or none that can be answered.
    private func query(_ target: RequestTarget, headers: PictureHeaders, _ reader: PictureRequestParser) -> PosterQuery?
    {
        do throws(Problem) {
            let query = try reader.read(target, headers: headers, now: self.policies.now)
            // The name of a resource of its own.
            return query?.request.id.key == PrefetchController.segment ? nil : query
        } catch {
            return nil  // the ordinary way finds the same, and says it
        }
    }
}
