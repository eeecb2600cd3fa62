/// A source of films and their facts.
package enum MovieSource: String, Hashable, Sendable, CaseIterable {
    /// The catalogue that is packaged with the program: needs no key and no network, and implements every repository.
    case embedded = "sample"
    case tmdb
    case omdb
    case mdblist
    case kobis
    case kmdb
    case kakao
    case itunes

    /// The name as its owner spells it.
    package var name: String {
        switch self {
        case .embedded: "OneSheet"
        case .tmdb: "TMDB"
        case .omdb: "OMDb"
        case .mdblist: "MDBList"
        case .kobis: "KOBIS"
        case .kmdb: "KMDb"
        case .kakao: "Kakao"
        case .itunes: "iTunes"
        }
    }

    /// The attribution that the source's terms require wherever its data is shown; `nil` if they require none.
    package var attribution: String? {
        switch self {
        case .tmdb: "This product uses the TMDB API but is not endorsed or certified by TMDB."
        case .kobis: "자료: 영화진흥위원회 영화관입장권통합전산망(KOBIS)"
        case .kmdb: "자료: 한국영상자료원 한국영화데이터베이스(KMDb)"
        case .omdb: "OMDb API, CC BY-NC 4.0"
        case .embedded, .mdblist, .kakao, .itunes: nil
        }
    }

    /// Whether the source has films with ids of its own; Kakao has only pictures, MDBList only scores.
    package var hasFilms: Bool { self != .kakao && self != .mdblist }
}

/// A source's failure to answer. The absence of a film is not a failure.
///
/// Reasons are clauses for logs and operators; they contain no API key.
package enum SourceFailure: Error, Hashable, Sendable {
    /// The source is not configured; `option` would configure it.
    case off(MovieSource, option: String)
    case keyRefused(MovieSource)
    /// The source, or the request budget for it, is exhausted for this many seconds.
    case busy(MovieSource, retryAfterSeconds: Int)
    case tooSlow(MovieSource)
    /// The source cannot be reached, or responds with a server error.
    case unavailable(MovieSource, reason: String)
    case badAnswer(MovieSource, reason: String)

    package var source: MovieSource {
        switch self {
        case .off(let source, _), .keyRefused(let source), .busy(let source, _), .tooSlow(let source),
            .unavailable(let source, _), .badAnswer(let source, _):
            source
        }
    }
}

/// A failure to read from or write to storage.
package struct StorageFailure: Error, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
