/// Names a poster: a source, and the key that the source knows it by. Written `source:key`; a key alone belongs to the
/// embedded catalogue.
///
/// Two ids are equal when their bytes are. `String` would take `é` and `é` for the same key; origins do not.
public struct PosterID: Hashable, Sendable, CustomStringConvertible {
    /// Why a text is no poster id.
    public struct Malformed: Error, Hashable, Sendable {
        /// A sentence that says what is wrong.
        public let reason: String

        /// - Parameter reason: A clause that says what is wrong.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// The source that a key without one belongs to.
    public static let embeddedSource = "sample"

    /// The source of pictures of The Movie Database, whose keys are their file names.
    public static let tmdbImageSource = "tmdb-image"

    /// The source of pictures by URL, which is the key.
    public static let urlSource = "url"

    /// The source of thumbnails of videos at YouTube, whose keys are the videos'.
    public static let videoThumbnailSource = "youtube"

    /// Sources whose posters have URLs of their own: what may be had of them is decided there.
    public static let webSources: Set<String> = [tmdbImageSource, urlSource]

    /// Names that only OneSheet itself may give a meaning to.
    public static let reservedSources: Set<String> = [
        "tmdb", "kobis", "kmdb", "kakao", "itunes", "omdb", embeddedSource, tmdbImageSource, urlSource,
        videoThumbnailSource,
    ]

    /// The longest key, in UTF-8 bytes, but of ``urlSource``.
    public static let maxKeyLength = 512

    /// The longest key of ``urlSource``, in bytes.
    public static let maxURLLength = 2048

    /// Lower-case letters, digits and hyphens, beginning with a letter, at most 32.
    public let source: String
    /// 1 to ``maxKeyLength`` bytes, of URLs to ``maxURLLength``, without control characters.
    public let key: String

    /// A key of a source, by default of the embedded catalogue.
    public init(source: String = embeddedSource, key: String) throws(Malformed) {
        guard Self.isSourceName(source) else {
            throw Malformed(
                reason: "the source must be lower-case letters, digits and hyphens, at most 32, such as 'tmdb'")
        }
        guard !key.isEmpty else { throw Malformed(reason: "the key is empty") }
        let maxLength = source == Self.urlSource ? Self.maxURLLength : Self.maxKeyLength
        guard key.utf8.count <= maxLength else {
            throw Malformed(reason: "the key is longer than \(maxLength) bytes")
        }
        guard !key.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
            throw Malformed(reason: "the key holds control characters")
        }
        self.source = source
        self.key = key
    }

    /// Reads `source:key` or `key`. Only the first colon separates.
    public init(_ text: String) throws(Malformed) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            try self.init(key: text)
            return
        }
        try self.init(source: String(text[..<colon]), key: String(text[text.utf8.index(after: colon)...]))
    }

    /// By bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.source == right.source && left.key.utf8.elementsEqual(right.key.utf8)
    }

    /// By bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.source)
        var key = self.key
        key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)  // occurs in no UTF-8
    }

    /// Whether `name` may be the name of a source.
    public static func isSourceName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (1...32).contains(name.utf8.count) else { return false }
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// `source:key`, always with the source.
    public var description: String { "\(self.source):\(self.key)" }

    /// As clients write it: a film of the embedded catalogue without its source, where that is unambiguous.
    public var shortText: String {
        self.source == Self.embeddedSource && !self.key.utf8.contains(UInt8(ascii: ":")) ? self.key : self.description
    }

    /// As logs show it: of URLs without the query, which may hold what lets its owner in.
    public var loggedText: String {
        guard self.source == Self.urlSource, let mark = self.key.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return self.description
        }
        return "\(self.source):\(self.key[..<mark])?***"
    }

    /// As ``loggedText``, of an id as it is written.
    public static func loggedText(_ id: String) -> String {
        (try? PosterID(id))?.loggedText ?? id
    }
}
