/// Names a poster by a source and the source's key. Written `source:key`; a key without a source belongs to the
/// embedded catalogue.
///
/// Ids are compared by bytes. `String` would treat the composed and the decomposed `é` as equal; origins do not.
public struct PosterID: Hashable, Sendable, CustomStringConvertible {
    /// A text that is not a poster id.
    public struct Malformed: Error, Hashable, Sendable {
        /// A clause that describes the error.
        public let reason: String

        /// - Parameter reason: A clause that describes the error.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// The source of keys without one.
    public static let embeddedSource = "sample"

    /// The source of pictures of The Movie Database; its keys are file names.
    public static let tmdbImageSource = "tmdb-image"

    /// The source of pictures by URL; its keys are URLs.
    public static let urlSource = "url"

    /// The source of YouTube's video thumbnails; its keys are ids of videos.
    public static let videoThumbnailSource = "youtube"

    /// The source of films' posters by IMDb title, such as `tt0111161`; replaced by the id of the film at its source.
    public static let imdbSource = "imdb"

    /// Sources with URL paths of their own, where requests are authorised; clients cannot request them by id.
    public static let webSources: Set<String> = [tmdbImageSource, urlSource]

    /// Names that only OneSheet itself may assign.
    public static let reservedSources: Set<String> = [
        "tmdb", "kobis", "kmdb", "kakao", "itunes", "omdb", "mdblist", embeddedSource, tmdbImageSource, urlSource,
        videoThumbnailSource, imdbSource,
    ]

    /// Maximum length of a key in UTF-8 bytes, except for ``urlSource``.
    public static let maxKeyLength = 512

    /// Maximum length of a key of ``urlSource``, in bytes.
    public static let maxURLLength = 2048

    /// 1 to 32 lower-case letters, digits and hyphens, beginning with a letter.
    public let source: String
    /// 1 to ``maxKeyLength`` bytes, or ``maxURLLength`` for URLs, without control characters.
    public let key: String

    /// Creates an id of a source, by default of the embedded catalogue.
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

    /// Parses `source:key` or `key`. Only the first colon separates.
    public init(_ text: String) throws(Malformed) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            try self.init(key: text)
            return
        }
        try self.init(source: String(text[..<colon]), key: String(text[text.utf8.index(after: colon)...]))
    }

    /// Compares bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.source == right.source && left.key.utf8.elementsEqual(right.key.utf8)
    }

    /// Hashes bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.source)
        var key = self.key
        key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)  // occurs in no UTF-8
    }

    /// Whether `name` is a valid name of a source.
    public static func isSourceName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (1...32).contains(name.utf8.count) else { return false }
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// `source:key`, always with the source.
    public var description: String { "\(self.source):\(self.key)" }

    /// The form for clients: without the source for films of the embedded catalogue, if that is unambiguous.
    public var shortText: String {
        self.source == Self.embeddedSource && !self.key.utf8.contains(UInt8(ascii: ":")) ? self.key : self.description
    }

    /// The form for logs: URLs lose their query, which may contain credentials.
    public var loggedText: String {
        guard self.source == Self.urlSource, let mark = self.key.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return self.description
        }
        return "\(self.source):\(self.key[..<mark])?***"
    }

    /// The ``loggedText`` of an id's text; other texts are unchanged.
    public static func loggedText(_ id: String) -> String {
        (try? PosterID(id))?.loggedText ?? id
    }
}
