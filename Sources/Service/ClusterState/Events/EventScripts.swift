import RedisClient

/// Atomic operations on the event stream.
///
/// The stream has an entry from its creation on, so that it exists as long as nothing was lost; its generation changes
/// when it is created again. Both keys have the same hash tag.
enum EventScripts {
    static func keys(prefix: String) -> [String] { ["\(prefix){events}", "\(prefix){events}:generation"] }

    /// The kind of the entry that a stream begins with.
    static let created = "created"

    private static let beginning = """
        local isThere = redis.call('EXISTS', KEYS[1]) == 1
        if not isThere or not redis.call('GET', KEYS[2]) then
          redis.call('SET', KEYS[2], ARGV[1])
          if not isThere then redis.call('XADD', KEYS[1], '*', 'kind', '\(created)') end
        end

        """

    /// ARGV: a new generation, the maximum number of entries, the fields of an event.
    static let publish = RedisScript(
        beginning + "return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', unpack(ARGV, 3))")

    /// ARGV: a new generation. Returns the generation, the first and the last entry.
    static let open = RedisScript(
        beginning + """
            return {redis.call('GET', KEYS[2]), redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1],
              redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]}
            """)

    /// ARGV: the current generation, a new one. For a stream that still exists but has lost entries.
    static let renew = RedisScript(
        "if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('SET', KEYS[2], ARGV[2]) end return 1")
}

/// The state of the stream when a reader connects.
struct StreamHead: Hashable {
    let generation: String
    let first: StreamEntry
    let last: StreamEntry

    /// Whether the stream has all entries since its creation.
    var isWhole: Bool { self.first.fields == ["kind", EventScripts.created] }

    init?(_ reply: RedisReply) {
        guard let parts = reply.elements, parts.count == 3, let generation = parts[0].text,
            let first = StreamEntry(parts[1]), let last = StreamEntry(parts[2])
        else { return nil }
        self.generation = generation
        self.first = first
        self.last = last
    }
}

struct StreamEntry: Hashable {
    let id: StreamID
    let fields: [String]

    var record: EventRecord? { EventRecord(fields: self.fields) }

    init?(_ reply: RedisReply) {
        guard let parts = reply.elements, parts.count == 2, let id = parts[0].text.flatMap(StreamID.init) else {
            return nil
        }
        self.id = id
        // Deleted entries have no fields.
        self.fields = (parts[1].elements ?? []).compactMap(\.text)
    }

    static func list(_ reply: RedisReply) -> [StreamEntry] { (reply.elements ?? []).compactMap(StreamEntry.init) }

    /// The entries of a reply to `XREAD` of one stream; empty if Redis timed out.
    static func read(_ reply: RedisReply) -> [StreamEntry] {
        guard let stream = reply.elements?.first?.elements, stream.count == 2 else { return [] }
        return self.list(stream[1])
    }
}
