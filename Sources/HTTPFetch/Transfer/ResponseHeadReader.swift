/// Collects the head of an answer, line by line, past the interim ones.
struct ResponseHeadReader {
    /// Bytes of head so far, those of interim answers and of trailers included.
    private(set) var byteCount = 0
    /// Whether the head of the final answer is complete.
    private(set) var isComplete = false
    private(set) var status = 0
    private(set) var location: String?

    private var isChunked = false
    private var contentType: String?
    private var contentLength: Int?
    private var etag: String?
    private var lastModified: String?
    private var cacheControl: String?

    /// Reads one line with its line break.
    ///
    /// - Returns: Whether it was the line that completed the head.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
        self.byteCount += line.count
        // What comes after the head are trailers; nothing in them may change what was decided.
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

    func head(finalURL: String) -> FetchResponseHead {
        FetchResponseHead(
            status: self.status,
            finalURL: finalURL,
            contentType: self.contentType,
            // RFC 9112, 6.3: chunked wins, and libcurl reads it so.
            contentLength: self.isChunked ? nil : self.contentLength,
            etag: self.etag,
            lastModified: self.lastModified,
            cacheControl: self.cacheControl
        )
    }

    /// A new status line is a new answer: what an interim one said does not count.
    private mutating func readStatus(_ line: String) {
        let byteCount = self.byteCount
        self = ResponseHeadReader()
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
        default: break
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
        let start = text.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(start[...end])
    }
}
