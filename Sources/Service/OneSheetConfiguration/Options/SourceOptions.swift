import ArgumentParser
package import MovieDomain

/// Where facts about films come from, for commands that serve or show them.
package struct SourceOptions: ParsableArguments {
    /// The options that hold keys.
    package static let keyOptions: [MovieSource: String] = [
        .tmdb: "tmdb-key", .omdb: "omdb-key", .kobis: "kobis-key", .kmdb: "kmdb-key", .kakao: "kakao-key",
    ]

    @Option(
        help: """
            Key of The Movie Database, v3 or v4: lists, search, details and accounts are its own then. Without it they are \
            the embedded catalogue's.
            """)
    var tmdbKey: String?

    @Option(help: "Key of OMDb: what others think of a film, beside what TMDB tells.")
    var omdbKey: String?

    @Option(
        help: "Key of KOBIS: the box office is Korea's then. Without it, it is invented for the embedded catalogue.")
    var kobisKey: String?

    @Option(help: "Area that the box office is of, such as 0105001 for Seoul. Default: all of Korea")
    var kobisArea: String?

    @Option(help: "Key of KMDb: posters of Korean films, and its films.")
    var kmdbKey: String?

    @Option(help: "REST key of Kakao: posters that nobody else has, by image search.")
    var kakaoKey: String?

    @Option(
        help:
            "Country whose iTunes Store answers, such as KR; off for the embedded store of invented apps. Default: off")
    var itunesCountry: String?

    @Option(
        name: .customLong("source-url"),
        help: """
            NAME=https://host/path, repeatable: where the API of tmdb, omdb, kobis, kmdb, kakao or itunes is, instead of at \
            its owner's.
            """)
    var sourceURLs: [String] = []

    @Option(help: "Language of whoever does not say what they read. Default: ko")
    var language: String?

    @Option(help: "Disk for answers of sources; those not used for longest go first. Default: 64MiB")
    var answerBudget: String?

    @Option(
        help: """
            File with 32 random bytes, as they are, in hexadecimal or in Base64: encrypts what sources let us do for those who \
            have signed in. Default: secret.key in the data folder, made when it is missing
            """)
    var secretKeyFile: String?

    @Option(help: "Days after which whoever has signed in has to do it again. Default: 30")
    var sessionDays: String?

    package init() {}

    /// What was given on the command line, by option name.
    var given: [String: [String]] {
        let single: [(String, String?)] = [
            ("tmdb-key", self.tmdbKey), ("omdb-key", self.omdbKey), ("kobis-key", self.kobisKey),
            ("kobis-area", self.kobisArea), ("kmdb-key", self.kmdbKey), ("kakao-key", self.kakaoKey),
            ("itunes-country", self.itunesCountry), ("language", self.language),
            ("answer-budget", self.answerBudget), ("secret-key-file", self.secretKeyFile),
            ("session-days", self.sessionDays),
        ]
        var given = Dictionary(uniqueKeysWithValues: single.compactMap { name, value in value.map { (name, [$0]) } })
        if !self.sourceURLs.isEmpty { given["source-url"] = self.sourceURLs }
        return given
    }
}
