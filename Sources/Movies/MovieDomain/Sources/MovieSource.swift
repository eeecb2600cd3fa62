/// Where facts about films come from.
public enum MovieSource: String, Hashable, Sendable, CaseIterable {
    /// Packaged with the program: needs no key and no network, and knows all of the domain.
    case embedded = "sample"
    case tmdb
    case omdb
    case kobis
    case kmdb
    case kakao
    case itunes

    /// As its owner writes it.
    public var name: String {
        switch self {
        case .embedded: "OneSheet"
        case .tmdb: "TMDB"
        case .omdb: "OMDb"
        case .kobis: "KOBIS"
        case .kmdb: "KMDb"
        case .kakao: "Kakao"
        case .itunes: "iTunes"
        }
    }

    /// What has to be shown wherever its data is; nil when nothing has to.
    public var attribution: String? {
        switch self {
        case .tmdb: "This product uses the TMDB API but is not endorsed or certified by TMDB."
        case .kobis: "자료: 영화진흥위원회 영화관입장권통합전산망(KOBIS)"
        case .kmdb: "자료: 한국영상자료원 한국영화데이터베이스(KMDb)"
        case .omdb: "OMDb API, CC BY-NC 4.0"
        case .embedded, .kakao, .itunes: nil
        }
    }
}

/// Why a source gave no answer. That it knows no such film is an answer.
///
/// Reasons are sentences' ends for logs and for whoever runs the service; they hold no key.
public enum SourceFailure: Error, Hashable, Sendable {
    /// It is not configured: this option of the service would do that.
    case off(MovieSource, option: String)
    /// It does not accept our key.
    case keyRefused(MovieSource)
    /// It, or our budget for it, has no room before so many seconds have passed.
    case busy(MovieSource, retryAfterSeconds: Int)
    case tooSlow(MovieSource)
    /// It cannot be reached, or fails.
    case unavailable(MovieSource, reason: String)
    /// What it said makes no sense.
    case badAnswer(MovieSource, reason: String)

    /// Who failed.
    public var source: MovieSource {
        switch self {
        case .off(let source, _), .keyRefused(let source), .busy(let source, _), .tooSlow(let source),
            .unavailable(let source, _), .badAnswer(let source, _):
            source
        }
    }
}
