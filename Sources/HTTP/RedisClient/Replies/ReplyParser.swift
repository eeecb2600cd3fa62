import CPosterRedis

/// Parses replies from a stream of bytes with hiredis' reader, which bounds the nesting of arrays.
///
/// Not thread-safe. Unusable after an error.
final class ReplyParser {
    private let limits: ReplyLimits
    private let reader: UnsafeMutablePointer<redisReader>
    /// Totals of the reply being parsed.
    private var elementCount = 0
    private var byteCount = 0

    /// - Throws: ``RedisFailure/unintelligible(_:)`` when memory is exhausted.
    init(_ limits: ReplyLimits) throws(RedisFailure) {
        guard let reader = redisReaderCreateWithFunctions(Self.functions) else {
            throw .unintelligible("out of memory")
        }
        self.limits = limits
        self.reader = reader
        // Not retained: the parser frees the reader in `deinit`.
        reader.pointee.privdata = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        redisReaderFree(self.reader)
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws(RedisFailure) {
        guard let start = bytes.bindMemory(to: CChar.self).baseAddress, !bytes.isEmpty else { return }
        let waiting = self.reader.pointee.len - self.reader.pointee.pos
        // The reader buffers a string until it is complete.
        guard waiting + bytes.count <= self.limits.byteCount + Self.lineLimit else {
            throw .unintelligible("it has more than \(self.limits.byteCount) bytes")
        }
        guard redisReaderFeed(self.reader, start, bytes.count) == REDIS_OK else { throw self.failure }
    }

    /// Returns the next reply; `nil` if it is incomplete.
    func next() throws(RedisFailure) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard redisReaderGetReply(self.reader, &object) == REDIS_OK else { throw self.failure }
        guard let object else { return nil }
        self.elementCount = 0
        self.byteCount = 0
        return Unmanaged<ReplyNode>.fromOpaque(object).takeRetainedValue().reply
    }

    private var failure: RedisFailure {
        if self.elementCount > self.limits.elementCount {
            return .unintelligible("it has more than \(self.limits.elementCount) elements")
        }
        if self.byteCount > self.limits.byteCount {
            return .unintelligible("it has more than \(self.limits.byteCount) bytes")
        }
        return .unintelligible(
            withUnsafeBytes(of: &self.reader.pointee.errstr) { text in
                String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            })
    }

    /// Allowance for the protocol's own bytes of a buffered reply, beside its strings.
    private static let lineLimit = 64 << 10

    // MARK: Called by the reader

    /// Never freed, because readers refer to it.
    nonisolated(unsafe) private static let functions: UnsafeMutablePointer<redisReplyObjectFunctions> = {
        let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
        functions.initialize(
            to: redisReplyObjectFunctions(
                createString: { task, bytes, count in
                    guard let task, let parser = ReplyParser.parser(of: task) else { return nil }
                    return parser.add(parser.string(task.pointee.type, bytes, count), task)
                },
                createArray: { task, count in
                    guard let task, let parser = ReplyParser.parser(of: task) else { return nil }
                    return parser.add(.array([]), task, elements: Int(count))
                },
                createInteger: { task, number in
                    guard let task, let parser = ReplyParser.parser(of: task) else { return nil }
                    return parser.add(.integer(number), task)
                },
                createNil: { task in
                    guard let task, let parser = ReplyParser.parser(of: task) else { return nil }
                    return parser.add(.null, task)
                },
                freeObject: { object in
                    guard let object else { return }
                    Unmanaged<ReplyNode>.fromOpaque(object).release()
                }))
        return functions
    }()

    private static func parser(of task: UnsafePointer<redisReadTask>) -> ReplyParser? {
        task.pointee.privdata.map { Unmanaged<ReplyParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private func string(_ type: Int32, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> RedisReply? {
        self.byteCount += count
        guard self.byteCount <= self.limits.byteCount else { return nil }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        return switch type {
        case REDIS_REPLY_STATUS: .status(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ERROR: .error(String(decoding: bytes, as: UTF8.self))
        default: .bytes(Array(bytes))
        }
    }

    /// - Returns: A node that is retained once: by its parent, or for the reader if it is the root. `nil` beyond the
    ///   limits, which the reader reports as an error.
    private func add(
        _ reply: RedisReply?, _ task: UnsafePointer<redisReadTask>, elements: Int = 0
    ) -> UnsafeMutableRawPointer? {
        // Counted before the reader allocates any elements.
        self.elementCount += max(0, elements)
        guard let reply, elements >= 0, self.elementCount <= self.limits.elementCount else { return nil }
        let node = ReplyNode(reply)
        guard let parent = task.pointee.parent?.pointee.obj else { return Unmanaged.passRetained(node).toOpaque() }
        Unmanaged<ReplyNode>.fromOpaque(parent).takeUnretainedValue().children.append(node)
        return Unmanaged.passUnretained(node).toOpaque()
    }
}

package struct ReplyLimits: Hashable, Sendable {
    /// Total length of a reply's strings, in bytes; 8 MiB by default.
    package var byteCount = 8 << 20
    /// Total number of elements of a reply's arrays; 100,000 by default.
    package var elementCount = 100_000

    package init() {}
}

private final class ReplyNode {
    private let own: RedisReply
    var children: [ReplyNode] = []

    init(_ own: RedisReply) {
        self.own = own
    }

    /// The node with its elements. Recursive: the reader bounds the depth.
    var reply: RedisReply {
        guard case .array = self.own else { return self.own }
        return .array(self.children.map(\.reply))
    }
}
