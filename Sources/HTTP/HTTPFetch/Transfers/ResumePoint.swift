/// Where a body broke off, and the conditional range request for the rest of it (RFC 9110, 13.1.5 and 14.2).
struct ResumePoint: Hashable, Sendable {
    /// The URL within which ``etag`` identifies the representation.
    let url: FetchURL
    /// A strong entity tag.
    let etag: String
    /// Bytes that the sink has.
    var receivedByteCount: Int
    /// Bytes of the whole body; nil if no header has declared it yet.
    var completeLength: Int?
    /// The head of the 200 that the body began with.
    let head: FetchResponseHead

    /// The headers that request the rest, or everything if it has changed; uncompressed, because ranges count encoded bytes.
    var headerLines: [String] {
        ["Range: bytes=\(self.receivedByteCount)-", "If-Range: \(self.etag)", "Accept-Encoding: identity"]
    }

    /// The length of the whole body, if a 206 is all of the rest; nil if it is not, or if no header declares the length.
    func completeLength(continuedBy answer: ResponseHeadParser) -> Int? {
        guard let range = answer.contentRange, range.start == self.receivedByteCount,
            let length = self.completeLength ?? range.completeLength, range.completeLength ?? length == length,
            range.end == length - 1, answer.etag == self.etag, answer.contentEncoding == nil
        else { return nil }
        return length
    }

    /// Whether a tag is strong: identical tags mean identical bytes.
    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.utf8.first == UInt8(ascii: "\"") && etag.utf8.last == UInt8(ascii: "\"")
    }
}

/// A `Content-Range` field, such as `bytes 0-4/10` (RFC 9110, 14.4).
struct ContentRange: Hashable, Sendable {
    let start: Int
    let end: Int
    /// nil for `*`: unknown to the origin.
    let completeLength: Int?

    init?(_ text: String) {
        let words = text.split(separator: " ")
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
