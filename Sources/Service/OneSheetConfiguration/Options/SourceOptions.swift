import ArgumentParser
package import MovieDomain

/// Options of the sources of facts about films.
package struct SourceOptions: ParsableArguments {
    package static let keyOptions: [MovieSource: String] = [
        .tmdb: "tmdb-key", .omdb: "omdb-key", .mdblist: "mdblist-key", .kobis: "kobis-key", .kmdb: "kmdb-key",
        .kakao: "kakao-key",
    ]

    @Option(help: "Key of The Movie Database, v3 or v4: lists, search, details, accounts; else the embedded catalogue.")
    var tmdbKey: String?

    @Option(help: "Key of OMDb: scores of other sites, in addition to TMDB's facts.")
    var omdbKey: String?

    @Option(help: "Key of MDBList: scores of more sites, such as Letterboxd and Trakt, beside OMDb's.")
    var mdblistKey: String?

    @Option(help: "Key of KOBIS: the box office of Korea. Without it, the embedded catalogue has a simulated one.")
    var kobisKey: String?

    @Option(help: "Area of the box office, such as 0105001 for Seoul. Default: all of Korea")
    var kobisArea: String?

    @Option(help: "Key of KMDb: posters of Korean films, and its films.")
    var kmdbKey: String?

    @Option(help: "REST key of Kakao: posters that no other source has, by image search.")
    var kakaoKey: String?

    @Option(help: "Country of the iTunes Store, such as KR; off for the embedded store of invented apps. Default: off")
    var itunesCountry: String?

    @Option(help: "NAME=https://host/path, repeatable: base URL of tmdb, omdb, mdblist, kobis, kmdb, kakao or itunes.")
    var sourceUrl: [String] = []

    @Option(
        help: """
            NAME=COUNT, repeatable: requests a day to omdb, mdblist, kobis, kmdb or kakao, for paid keys; else 1000, to \
            kobis 3000, to kakao 30000.
            """)
    var dailyRequests: [String] = []

    @Option(help: "Language for requests without one; search, movie and boxoffice follow the locale. Default: en")
    var language: String?

    @Option(help: "Country of lists, release dates and offers, such as KR. Default: the source's own choice")
    var region: String?

    @Option(help: "Disk for responses of sources; the least recently used are deleted first. Default: 64MiB")
    var answerBudget: String?

    @Option(
        help: """
            Seconds that a response about films waits for all its supplements together, such as OMDb's facts and texts in \
            further languages, and a poster for its scores; later ones are in the next response. Default: 1
            """)
    var supplementTimeout: String?

    @Option(
        help: """
            File with a key of 32 random bytes, raw, in hexadecimal or in Base64: encrypts the source tokens of \
            signed-in users. Default: secret.key in the data folder, created if missing
            """,
        completion: .file())
    var secretKeyFile: String?

    @Option(help: "Days after which users have to sign in again. Default: 30")
    var sessionDays: String?

    package init() {}
}
