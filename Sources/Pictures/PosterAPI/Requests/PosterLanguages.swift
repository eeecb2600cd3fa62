package import HTTPSemantics
package import PosterPipeline

/// The sources with posters in several languages, and the default language of requests. Fixed for the process.
///
/// A poster in another language is another original: `tmdb:603~ja` beside `tmdb:603`.
package struct PosterLanguages: Hashable, Sendable {
    /// Separates a film's key from a suffix: a language, ``textless``, or the number of a picture in the gallery.
    private static let mark = "~"
    /// The suffix of a poster without text.
    package static let textless = "textless"

    private let sources: Set<String>
    private let own: String

    /// - Parameters:
    ///   - sources: Names of sources; posters of all other sources have no language.
    ///   - own: The language code of requests without a language.
    package init(sources: Set<String> = [], own: String = "en") {
        self.sources = sources
        self.own = own
    }

    /// Whether the source has several posters for `id`. Pictures of galleries have no language.
    func haveSeveral(of id: PosterID) -> Bool {
        self.sources.contains(id.source) && !id.key.utf8.contains(UInt8(ascii: "~"))
    }

    /// Whether ``id(_:_:)`` makes an id of this selection: a poster has only one id.
    package func makeID(of selection: PosterSelection, source: String) -> Bool {
        self.sources.contains(source) && selection != PosterSelection() && selection.language != self.own
    }

    /// The id of the selected poster; `id` itself if there is only one poster, or if it is the default.
    ///
    /// - Throws: ``Problem`` if the id would be too long.
    package func id(_ id: PosterID, _ selection: PosterSelection) throws(Problem) -> PosterID {
        guard self.haveSeveral(of: id) else { return id }
        let language = selection.language == self.own ? nil : selection.language
        let parts = [selection.isTextless ? Self.textless : nil, language].compactMap(\.self)
        guard !parts.isEmpty else { return id }
        do throws(PosterID.Malformed) {
            return try PosterID(source: id.source, key: id.key + Self.mark + parts.joined(separator: "-"))
        } catch {
            throw PictureRequest.malformed(error)
        }
    }
}

/// The selection of one of a film's posters; the default selects the poster in the server's language.
package struct PosterSelection: Hashable, Sendable {
    static let names = ["language", "textless"]

    /// An ISO 639 code in lower case; `nil` for the server's language.
    package var language: String?
    /// Whether a poster without text is preferred.
    package var isTextless: Bool

    package init(language: String? = nil, isTextless: Bool = false) {
        self.language = language
        self.isTextless = isTextless
    }

    init(_ parameters: QueryParameters) throws(Problem) {
        self.language = try parameters.language()
        self.isTextless = try parameters.textless()
    }

    /// The selection as URL parameters with a leading `&`; empty for the default.
    var query: String {
        (self.language.map { "&language=\($0)" } ?? "") + (self.isTextless ? "&textless=true" : "")
    }
}

extension QueryParameters {
    /// The maximum length of a language tag, in bytes (RFC 5646, 4.4.1).
    private static let tagLimit = 35

    /// The primary subtag of a language tag, in lower case.
    func language(_ name: String = "language") throws(Problem) -> String? {
        try self.value(name, accepted: "a language such as ko, en or ja-JP") { text in
            let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard text.utf8.count <= Self.tagLimit, (2...3).contains(parts[0].count),
                parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isAlphanumeric) }),
                !parts[0].contains(where: \.isDigit)
            else { return nil }
            return String(Substring(parts[0])).lowercased()
        }
    }

    func textless() throws(Problem) -> Bool {
        try self.value("textless", accepted: "true or false", Bool.init) ?? false
    }
}
