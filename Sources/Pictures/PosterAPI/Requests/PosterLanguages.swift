package import HTTPSemantics
package import PosterPipeline

/// Which sources have a film's poster in several languages, and the language of requests that name none. Fixed for the
/// process.
///
/// A poster in another language is another original: `tmdb:603~ja` beside `tmdb:603`.
package struct PosterLanguages: Hashable, Sendable {
    /// Precedes what an id adds to a film's: a language, ``textless``, or the number of a picture of the gallery.
    private static let mark = "~"
    /// What the id of a poster without text adds.
    package static let textless = "textless"

    private let sources: Set<String>
    private let own: String

    /// - Parameters:
    ///   - sources: Names of sources; the posters of all others have no language.
    ///   - own: The code of the language of requests without one.
    package init(sources: Set<String> = [], own: String = "en") {
        self.sources = sources
        self.own = own
    }

    /// Whether the source has more than one poster of what `id` names. Pictures of galleries have no language.
    func haveSeveral(of id: PosterID) -> Bool {
        self.sources.contains(id.source) && !id.key.utf8.contains(UInt8(ascii: "~"))
    }

    /// Whether ``id(_:_:)`` makes an id of this selection: a poster has one id.
    package func makeID(of selection: PosterSelection, source: String) -> Bool {
        self.sources.contains(source) && selection != PosterSelection() && selection.language != self.own
    }

    /// The id of the poster that `selection` selects; `id` itself where there is only one, or where it is the default.
    ///
    /// - Throws: ``Problem``, when the id would be too long.
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

/// Which of a film's posters a request names; the default names the one in the server's language.
package struct PosterSelection: Hashable, Sendable {
    /// Its parameters.
    static let names = ["language", "textless"]

    /// An ISO 639 code in lower case; nil for the server's language.
    package var language: String?
    /// Whether a poster without text is preferred.
    package var isTextless: Bool

    package init(language: String? = nil, isTextless: Bool = false) {
        self.language = language
        self.isTextless = isTextless
    }

    /// - Throws: ``Problem``.
    init(_ parameters: QueryParameters) throws(Problem) {
        self.language = try parameters.language()
        self.isTextless = try parameters.textless()
    }

    /// As a URL adds it to its parameters, with a leading `&`; empty for the default.
    var query: String {
        (self.language.map { "&language=\($0)" } ?? "") + (self.isTextless ? "&textless=true" : "")
    }
}

extension QueryParameters {
    /// The longest language tag, in bytes (RFC 5646, 4.4.1).
    private static let tagLimit = 35

    /// The primary subtag of `language`, in lower case.
    func language() throws(Problem) -> String? {
        try self.value("language", accepted: "a language such as ko, en or ja-JP") { text in
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
