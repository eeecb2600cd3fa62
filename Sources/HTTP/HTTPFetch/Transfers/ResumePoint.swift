/// Where a body broke off, and how to ask for the rest of it and nothing else (RFC 9110, 13.1.5 and 14.2).
struct ResumePoint: Hashable, Sendable {
    /// Entity tags are compared within one URL only.
    let url: FetchURL
    /// A strong one.
    let etag: String
    /// Bytes that the sink has.
    var receivedByteCount: Int
    /// Bytes of the whole body; nil as long as nobody has said.
    var completeLength: Int?
    /// The head of the 200 that the body began with.
    let head: FetchResponseHead

    /// The headers that ask for the rest, or for everything if it has changed.
    ///
    /// Not compressed: the bytes are counted as they are sent.
    var headerLines: [String] {
        ["Range: bytes=\(self.receivedByteCount)-", "If-Range: \(self.etag)", "Accept-Encoding: identity"]
    }

    /// The length of the whole body, if a 206 is the rest; nil if not.
    ///
    /// A rest of a body whose length nobody says is none: it could not be told from a part of the rest.
    func completeLength(continuedBy answer: ResponseHeadParser) -> Int? {
        guard let range = answer.contentRange, range.start == self.receivedByteCount,
            let length = self.completeLength ?? range.completeLength, range.completeLength ?? length == length,
            range.end == length - 1, answer.etag == self.etag, answer.contentEncoding == nil
        else { return nil }
        return length
    }

    /// Whether a tag stands for the same bytes always.
    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.utf8.first == UInt8(ascii: "\"") && etag.utf8.last == UInt8(ascii: "\"")
    }
}
