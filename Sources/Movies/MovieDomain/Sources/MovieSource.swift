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
