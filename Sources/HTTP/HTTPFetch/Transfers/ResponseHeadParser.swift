import HTTPSemantics

/// Parses the head of the final response, line by line, and skips interim ones.
struct ResponseHeadParser {
    /// Number of bytes read, including interim responses and trailers.
    private(set) var byteCount = 0
    /// Whether the head of the final response is complete.
    private(set) var isComplete = false
    private(set) var location: String?
    /// In the order in which they were applied.
    private(set) var codings: [ResponseCoding] = []
    /// The values of `Set-Cookie`.
    private(set) var cookies: [String] = []
    private(set) var contentRange: ContentRange?
    /// Whether the origin declares that it does not support ranges.
    private(set) var refusesRanges = false
    /// Whether several values of `Content-Length` differ, so that the body's end is unknown (RFC 9112, 6.3).
    private(set) var hasConflictingLengths = false
    /// Whether a `Content-Length` is not a number, and the response may have a body. libcurl reads its first digits.
    var hasInvalidLength: Bool { self.isLengthMalformed && self.status != 204 && self.status != 304 }
    private var isLengthMalformed = false
    private var isChunked = false
    private var contentLength: String?
    private var age: String?
    private var retryAfter: String?
    private let keptFieldPrefix: String?
    /// The fields read so far, without URL, `Age` and `Retry-After`.
    private var head = FetchResponseHead()

    init(keptFieldPrefix: String? = nil) {
        self.keptFieldPrefix = keptFieldPrefix
    }

    var status: Int { self.head.status }
    var etag: String? { self.head.etag }

    /// Parses one line with its line break.
    /// - Returns: Whether the line completes the head.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
        self.byteCount += line.count
        // Lines after the head are trailers, which must not change it.
        guard !self.isComplete else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.utf8.starts(with: "HTTP/".utf8) {
            self.readStatus(text)
        } else if text.utf8.allSatisfy({ $0 == 13 || $0 == 10 }) {
            self.isComplete = self.status >= 200
            return self.isComplete
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(text[..<colon])
            let value = text[text.utf8.index(after: colon)...]
            // Only tokens are names, and others may be slow to compare (``FieldSyntax``), as some values.
            guard FieldSyntax.isToken(name) else { return false }
            self.readField(name.lowercased(), CombiningMarks.exceedLimit(in: value) ? "\u{FFFD}" : Self.trimmed(value))
        }
        return false
    }

    /// - Parameter now: The time in seconds since 1970, for a `Retry-After` with a date in a response without `Date`.
    func head(finalURL: String, now: Int64) -> FetchResponseHead {
        var head = self.head
        head.finalURL = finalURL
        // RFC 9112, 6.3: chunked overrides the length; libcurl agrees.
        if self.isChunked { head.contentLength = nil }
        head.age = self.age.map(Self.members)?.first.flatMap { FieldSyntax.seconds($0) }
        head.retryAfter = self.retryAfter.flatMap { RetryAfter.wait($0, at: head.date ?? now) }
        return head
    }

    /// A new status line starts a new response, and drops the fields of an interim one.
    private mutating func readStatus(_ line: String) {
        let byteCount = self.byteCount
        self = ResponseHeadParser(keptFieldPrefix: self.keptFieldPrefix)
        self.byteCount = byteCount
        let words = FieldSyntax.parts(of: line, at: " ", maxSplits: 2)
        self.head.status = words.dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
    }

    private mutating func readField(_ name: String, _ value: String) {
        switch name {
        case "location" where !value.isEmpty: self.location = self.location ?? value
        case "transfer-encoding": self.isChunked = true
        case "content-type": self.head.contentType = value
        case "content-length": self.readContentLength(value)
        case "etag": self.head.etag = ReceivedValidator.entityTag(value)
        case "last-modified": self.head.lastModified = ReceivedValidator.lastModified(value)
        case "cache-control": self.head.cacheControl = self.head.cacheControl.map { "\($0), \(value)" } ?? value
        case "content-encoding": self.codings += ResponseCoding.list(value)
        case "set-cookie": self.cookies.append(value)
        case "content-range": self.contentRange = ContentRange(value)
        case "accept-ranges": self.refusesRanges = value.lowercased().utf8.elementsEqual("none".utf8)
        // Of repeated values the first counts (RFC 9111, 4.2.1 and 5.1).
        case "expires": self.head.expires = self.head.expires ?? HTTPDate.seconds(value) ?? 0
        case "date": self.head.date = HTTPDate.seconds(value)
        case "age": self.age = self.age ?? value
        case "vary":
            let isAnything = Self.members(value).contains { $0.utf8.elementsEqual("*".utf8) }
            self.head.variesByAnything = self.head.variesByAnything || isAnything
        case "retry-after": self.retryAfter = value
        default:
            guard let keptFieldPrefix, name.hasPrefix(keptFieldPrefix) else { return }
            self.head.keptFields[name] = self.head.keptFields[name] ?? value
        }
    }

    /// Equal values may be repeated, in several fields or in a list (RFC 9110, 8.6).
    private mutating func readContentLength(_ value: String) {
        for member in Self.members(value) {
            // Leading zeros are removed, so that `07` equals `7`; zero itself becomes `0`.
            let digits = Array(member.utf8)
            let length = String(decoding: digits.dropLast().drop { $0 == 48 } + digits.suffix(1), as: UTF8.self)
            if length.isEmpty || !length.utf8.allSatisfy(\.isDigit) { self.isLengthMalformed = true }
            if let first = self.contentLength, !first.utf8.elementsEqual(length.utf8) {
                self.hasConflictingLengths = true
            }
            self.contentLength = length
        }
        self.head.contentLength = self.contentLength.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The members of a list, which may be empty.
    private static func members(_ value: String) -> [String] {
        value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Self.trimmed(Substring($0)) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
        let start = text.utf8.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(start[...end]))
    }
}

/// A `Content-Range` field, such as `bytes 0-4/10` (RFC 9110, 14.4).
struct ContentRange: Hashable, Sendable {
    let start: Int
    let end: Int
    /// `nil` for `*`: unknown to the origin.
    let completeLength: Int?

    /// Whether the range is the whole representation.
    var isWhole: Bool { self.start == 0 && self.completeLength.map { self.end == $0 - 1 } ?? false }

    init?(_ text: String) {
        let words = FieldSyntax.parts(of: text, at: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let start = Int(bounds[0]), let end = Int(bounds[1]), start <= end else { return nil }
        let length = Int(parts[1])
        guard length != nil || parts[1] == "*", length.map({ $0 > end }) ?? true else { return nil }
        self.start = start
        self.end = end
        self.completeLength = length
    }
}
