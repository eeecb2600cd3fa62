/// Where a body broke off, and how to ask for the rest of it and nothing else (RFC 9110, 13.1.5 and 14.2).
struct ResumePoint: Hashable, Sendable {
    /// Entity tags are compared within one URL only.
    let url: FetchURL
    /// A strong one.
    let etag: String
    /// Bytes that the sink has.
    var receivedByteCount: Int
    /// The head of the 200 that the body began with.
    let head: FetchResponseHead

    /// The headers that ask for the rest, or for everything if it has changed.
    ///
    /// Not compressed: the bytes are counted as they are sent.
    var headerLines: [String] {
        ["Range: bytes=\(self.receivedByteCount)-", "If-Range: \(self.etag)", "Accept-Encoding: identity"]
    }

    /// Whether a 206 is the rest.
    func isContinued(by answer: ResponseHeadReader) -> Bool {
        guard let range = answer.contentRange, range.start == self.receivedByteCount else { return false }
        // If the whole length is known, to the end of it.
        let length = self.head.contentLength ?? range.completeLength
        guard range.completeLength == nil || range.completeLength == length else { return false }
        guard length == nil || range.end == length! - 1 else { return false }
        return answer.etag == self.etag && answer.contentEncoding == nil
    }

    /// Whether a tag stands for the same bytes always.
    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.utf8.first == UInt8(ascii: "\"") && etag.utf8.last == UInt8(ascii: "\"")
    }
}
