import HTTPSemantics

/// Parses the head of the final response, line by line, skipping interim ones.
struct ResponseHeadParser {
    /// Bytes so far, including those of interim responses and of trailers.
    private(set) var byteCount = 0
    /// Whether the head of the final response is complete.
    private(set) var isComplete = false
    private(set) var status = 0
    private(set) var location: String?
    private(set) var etag: String?
    private(set) var contentEncoding: String?
    private(set) var contentRange: ContentRange?
    /// Whether the origin declares that it does not support ranges.
    private(set) var refusesRanges = false

    private var isChunked = false
    private var contentType: String?
    private var contentLength: Int?
    private var lastModified: String?
    private var cacheControl: String?
    private var expires: Int64?
    private var date: Int64?
    private var age: Int64?
    private var retryAfter: String?

    /// Parses one line with its line break.
    ///
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
            self.readField(text[..<colon].lowercased(), Self.trimmed(text[text.utf8.index(after: colon)...]))
        }
        return false
    }

    /// - Parameter now: In seconds since 1970; used for a `Retry-After` with a date in a response without `Date`.
    func head(finalURL: String, now: Int64) -> FetchResponseHead {
        FetchResponseHead(
            status: self.status,
            finalURL: finalURL,
            contentType: self.contentType,
            // RFC 9112, 6.3: chunked wins, and libcurl reads it so.
            contentLength: self.isChunked ? nil : self.contentLength,
            etag: self.etag,
            lastModified: self.lastModified,
            cacheControl: self.cacheControl,
            expires: self.expires,
            date: self.date,
            age: self.age,
            retryAfter: self.retryAfter.flatMap { Self.pause($0, date: self.date ?? now) }
        )
    }

    /// A new status line starts a new response: fields of an interim one do not count.
    private mutating func readStatus(_ line: String) {
        let byteCount = self.byteCount
        self = ResponseHeadParser()
        self.byteCount = byteCount
        self.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
    }

    private mutating func readField(_ name: String, _ value: String) {
        switch name {
        case "location" where !value.isEmpty: self.location = self.location ?? value
        case "transfer-encoding": self.isChunked = true
        case "content-type": self.contentType = value
        case "content-length": self.contentLength = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "etag": self.etag = value
        case "last-modified": self.lastModified = value
        case "cache-control": self.cacheControl = self.cacheControl.map { "\($0), \(value)" } ?? value
        case "content-encoding" where value.lowercased() != "identity": self.contentEncoding = value
        case "content-range": self.contentRange = ContentRange(value)
        case "accept-ranges": self.refusesRanges = value.lowercased() == "none"
        case "expires": self.expires = HTTPDate.seconds(value) ?? 0
        case "date": self.date = HTTPDate.seconds(value)
        case "age": self.age = Self.seconds(value)
        case "retry-after": self.retryAfter = value
        default: break
        }
    }

    /// RFC 9110, 10.2.3; at most 2³¹ seconds.
    private static func pause(_ text: String, date: Int64) -> Duration? {
        if let seconds = Self.seconds(text) { return .seconds(seconds) }
        return HTTPDate.seconds(text).map { .seconds(min(max(0, $0 - date), 1 << 31)) }
    }

    /// At most 2³¹, which larger values count as (RFC 9111, 1.2.2).
    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int64(text) ?? 1 << 31, 1 << 31)
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
        let start = text.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(start[...end])
    }
}
