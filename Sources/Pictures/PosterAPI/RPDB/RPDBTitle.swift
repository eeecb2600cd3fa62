import HTTPSemantics

/// A film or a series by an id of RPDB's clients.
package enum RPDBTitle: Hashable, Sendable, CustomStringConvertible {
    /// A film or series by its IMDb id, such as `tt0111161`.
    case imdb(String)
    /// A film by its number at The Movie Database.
    case movie(Int)
    /// A series by its number at The Movie Database.
    case series(Int)
    /// A series by its number at TheTVDB.
    case tvdb(Int)
    /// A film by its number at TheTVDB, which no source knows.
    case tvdbMovie(Int)

    /// The sites of ids, as paths name them.
    enum Registry: String, CaseIterable {
        case imdb, tmdb, tvdb

        /// The accepted ids, for error messages.
        var forms: String {
            switch self {
            case .imdb: "an IMDb id such as tt0111161"
            case .tmdb: "movie-603 or series-1396"
            case .tvdb: "a number such as 81189, or series-81189"
            }
        }
    }

    /// Digits of a number, and of an IMDb id.
    private static let digits = (number: 1...10, imdb: 1...12)
    private static let prefixes: [(prefix: String, isSeries: Bool)] = [
        ("movie-", false), ("series-", true), ("tv-", true),
    ]

    /// - Parameter id: The file's name without its extension.
    /// - Returns: `nil` for an id of another form.
    init?(_ id: Substring, at registry: Registry) {
        let form = Self.prefixes.first { id.hasPrefix($0.prefix) }
        let rest = id.dropFirst(form?.prefix.count ?? 0)
        switch registry {
        case .imdb:
            let digits = id.utf8.dropFirst(2)
            guard id.hasPrefix("tt"), Self.digits.imdb.contains(digits.count), digits.allSatisfy(\.isDigit) else {
                return nil
            }
            self = .imdb(String(id))
        case .tmdb:
            guard let number = Self.number(rest) else { return nil }
            // Some clients send films' numbers alone.
            self = form?.isSeries == true ? .series(number) : .movie(number)
        case .tvdb:
            guard let number = Self.number(rest) else { return nil }
            self = form?.isSeries == false ? .tvdbMovie(number) : .tvdb(number)
        }
    }

    private static func number(_ text: Substring) -> Int? {
        guard Self.digits.number.contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
            text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int(text)
    }

    package var description: String {
        switch self {
        case .imdb(let id): id
        case .movie(let number): "movie-\(number)"
        case .series(let number): "series-\(number)"
        case .tvdb(let number): "the number \(number) of TheTVDB"
        case .tvdbMovie(let number): "the film \(number) of TheTVDB"
        }
    }
}
