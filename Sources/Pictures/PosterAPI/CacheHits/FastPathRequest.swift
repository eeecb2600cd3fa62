/// A request that the fast path may answer: `GET` or `HEAD` of a picture in HTTP/1.1, without a body, on a persistent
/// connection. Its parts are byte ranges relative to the request's first byte.
///
/// Strict: unusual requests, even valid ones, are left to the slow path. The decoder parses every request accepted here
/// the same way.
struct FastPathRequest: Equatable {
    /// The prefixes of the targets of ``PictureRoute``.
    private static let prefixes = ["/poster/", "/t/p/", "/_next/image?", "/proxy?"].map { Array($0.utf8) }
    private static let ending: [UInt8] = Array(" HTTP/1.1\r\n".utf8)
    static let targetLimit = 4096
    /// The maximum length of a head in bytes, and its maximum number of fields; both bound the time on the event loop.
    static let headLimit = 8192
    static let fieldLimit = 64
    static let conditionLimit = 512

    let isHead: Bool
    let target: Range<Int>
    private(set) var accept: Range<Int>?
    /// The value of `If-None-Match`; `nil` without it.
    private(set) var condition: Range<Int>?
    /// The values of `Forwarded` and `X-Forwarded-For`; `nil` without the field, and without `readsForwarded`.
    private(set) var forwarded: Range<Int>?
    private(set) var xForwardedFor: Range<Int>?
    /// Whether the request has fields of ``ClientHints``.
    private(set) var hasHints = false
    /// Whether the request has `If-Modified-Since`, which is ignored beside `If-None-Match` (RFC 9110, 13.1.3).
    private var hasModifiedSince = false
    private(set) var requestID: Range<Int>?
    private(set) var traceparent: Range<Int>?
    /// Length of the head with its empty line, in bytes.
    private(set) var length = 0
    private let readsForwarded: Bool
    private var hasHost = false

    /// - Parameters:
    ///   - bytes: The bytes from a request's first on; more may follow it.
    ///   - readsForwarded: Whether the peer is a trusted proxy.
    /// - Returns: `nil` for all other requests, and for an incomplete head.
    init?(_ bytes: Span<UInt8>, readsForwarded: Bool = false) {
        self.readsForwarded = readsForwarded
        let start: Int
        if bytes.holds(Self.get, at: 0) {
            (self.isHead, start) = (false, Self.get.count)
        } else if bytes.holds(Self.head, at: 0) {
            (self.isHead, start) = (true, Self.head.count)
        } else {
            return nil
        }
        guard let prefix = Self.prefixes.first(where: { bytes.holds($0, at: start) }) else { return nil }
        var end = start + prefix.count
        let most = min(bytes.count, start + Self.targetLimit)
        while end < most, Self.isOfTarget(bytes[end]) { end += 1 }
        guard bytes.holds(Self.ending, at: end) else { return nil }
        self.target = start..<end
        guard self.readFields(bytes, from: end + Self.ending.count), !self.hasModifiedSince || self.condition != nil
        else { return nil }
    }

    private static let get: [UInt8] = Array("GET ".utf8)
    private static let head: [UInt8] = Array("HEAD ".utf8)

    private static func isOfTarget(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#")
    }

    /// - Returns: Whether the head is complete and the fast path supports all its fields.
    private mutating func readFields(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        var count = 0
        while position + 1 < bytes.count, position < Self.headLimit {
            if bytes[position] == UInt8(ascii: "\r") {
                self.length = position + 2
                return bytes[position + 1] == UInt8(ascii: "\n") && self.hasHost
            }
            let name = position
            while position < bytes.count, Self.isOfName(bytes[position]) { position += 1 }
            let colon = position
            guard colon > name, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return false }
            position += 1
            while position < bytes.count, (0x20...0x7E).contains(bytes[position]) { position += 1 }
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\r"),
                bytes[position + 1] == UInt8(ascii: "\n")
            else { return false }
            guard self.accepts(name..<colon, value: (colon + 1)..<position, of: bytes) else { return false }
            count += 1
            guard count <= Self.fieldLimit else { return false }
            position += 2
        }
        return false
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether the bytes are a name or an IPv4 address with an optional port; ``HostField`` checks other forms on the
    /// slow path.
    private static func isHost(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, Self.isOfName(bytes[index]) || bytes[index] == UInt8(ascii: ".") { index += 1 }
        guard index < range.upperBound else { return true }
        guard bytes[index] == UInt8(ascii: ":"), range.upperBound - index <= 6 else { return false }
        var port = 0
        for digit in (index + 1)..<range.upperBound {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[digit]) else { return false }
            port = 10 * port + Int(bytes[digit] - UInt8(ascii: "0"))
        }
        return port <= 65_535
    }

    private static let hostName: [UInt8] = Array("host".utf8)
    private static let acceptName: [UInt8] = Array("accept".utf8)
    private static let conditionName: [UInt8] = Array("if-none-match".utf8)
    private static let forwardedName: [UInt8] = Array("forwarded".utf8)
    private static let xForwardedForName: [UInt8] = Array("x-forwarded-for".utf8)
    private static let requestIDName: [UInt8] = Array("x-request-id".utf8)
    private static let traceparentName: [UInt8] = Array("traceparent".utf8)
    private static let connectionName: [UInt8] = Array("connection".utf8)
    private static let hintNames = ["sec-ch-dpr", "sec-ch-width", "save-data"].map { Array($0.utf8) }
    private static let keepAlive: [UInt8] = Array("keep-alive".utf8)
    private static let modifiedSinceName: [UInt8] = Array("if-modified-since".utf8)
    /// Fields of bodies, protocol upgrades, ranges and rare conditions: left to the slow path.
    private static let refusedNames: [[UInt8]] = [
        "content-length", "transfer-encoding", "expect", "upgrade", "proxy-connection", "trailer", "range", "if-range",
        "if-match", "if-unmodified-since",
    ].map { Array($0.utf8) }

    private mutating func accepts(_ name: Range<Int>, value: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        // The length alone excludes most names.
        switch name.count {
        case Self.hostName.count where bytes.spells(Self.hostName, at: name.lowerBound):
            // Exactly one (RFC 9112, 3.2); the slow path checks unusual ones.
            guard !self.hasHost else { return false }
            self.hasHost = true
            let value = bytes.trimmed(value)
            return Self.isHost(bytes, value)
        case Self.acceptName.count where bytes.spells(Self.acceptName, at: name.lowerBound):
            guard self.accept == nil else { return false }
            self.accept = bytes.trimmed(value)
            return true
        case Self.conditionName.count where bytes.spells(Self.conditionName, at: name.lowerBound):
            guard self.condition == nil else { return false }
            let condition = bytes.trimmed(value)
            self.condition = condition
            return condition.count <= Self.conditionLimit
        case Self.forwardedName.count
        where self.readsForwarded && bytes.spells(Self.forwardedName, at: name.lowerBound):
            guard self.forwarded == nil else { return false }
            self.forwarded = value
            return true
        case Self.xForwardedForName.count
        where self.readsForwarded && bytes.spells(Self.xForwardedForName, at: name.lowerBound):
            guard self.xForwardedFor == nil else { return false }
            self.xForwardedFor = value
            return true
        case Self.connectionName.count where bytes.spells(Self.connectionName, at: name.lowerBound):
            let value = bytes.trimmed(value)
            return value.count == Self.keepAlive.count && bytes.spells(Self.keepAlive, at: value.lowerBound)
        case 9...12 where Self.hintNames.contains(where: { bytes.spells($0, at: name) }):
            self.hasHints = true
            return true
        case Self.modifiedSinceName.count where bytes.spells(Self.modifiedSinceName, at: name.lowerBound):
            self.hasModifiedSince = true
            return true
        case Self.requestIDName.count where bytes.spells(Self.requestIDName, at: name.lowerBound):
            // The slow path ignores duplicates.
            guard self.requestID == nil else { return false }
            self.requestID = bytes.trimmed(value)
            return true
        case Self.traceparentName.count where bytes.spells(Self.traceparentName, at: name.lowerBound):
            guard self.traceparent == nil else { return false }
            self.traceparent = bytes.trimmed(value)
            return true
        default:
            return !Self.refusedNames.contains { bytes.spells($0, at: name) }
        }
    }
}

extension Span<UInt8> {
    fileprivate func holds(_ text: [UInt8], at position: Int) -> Bool {
        guard self.count - position >= text.count else { return false }
        for index in text.indices where self[position + index] != text[index] { return false }
        return true
    }

    /// Whether the bytes at `position` are `text`, regardless of case; `text` has lower-case letters and hyphens only.
    fileprivate func spells(_ text: [UInt8], at position: Int) -> Bool {
        guard self.count - position >= text.count else { return false }
        for index in text.indices where self[position + index] | 0x20 != text[index] { return false }
        return true
    }

    /// Whether `range` contains exactly `text`, regardless of case.
    fileprivate func spells(_ text: [UInt8], at range: Range<Int>) -> Bool {
        text.count == range.count && self.spells(text, at: range.lowerBound)
    }

    /// The range without leading and trailing spaces.
    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start] == UInt8(ascii: " ") { start += 1 }
        while end > start, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return start..<end
    }
}
