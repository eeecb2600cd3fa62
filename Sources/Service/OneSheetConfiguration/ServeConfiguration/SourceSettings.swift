import HTTPServer
package import MovieDomain
package import MovieSources

/// The configuration of the sources of facts about films.
package struct SourceSettings {
    /// By source; sources without a key are off.
    package var keys: [MovieSource: String] = [:]
    /// `nil` for all of Korea.
    package var boxOfficeArea: BoxOfficeArea?
    /// `nil` uses the embedded store.
    package var storeCountry: ITunesCountry?
    /// Base URLs of APIs without a trailing slash; sources that are absent use the vendor's own.
    package var baseURLs: [MovieSource: String] = [:]
    /// Requests a day; sources that are absent use the quota of a free key.
    package var dailyRequests: [MovieSource: Int] = [:]
    /// The language of requests without one.
    package var language: Language
    /// The country of lists, release dates and offers; `nil` leaves it to the source.
    package var region: Country?
    /// Disk space for responses of sources, in bytes.
    package var answerBudget: Int
    /// How long a response about films waits for all its supplements together; zero never waits. 1 s by default.
    package var supplementTimeout: Duration
    /// `nil` uses the file in the data directory.
    package var secretKeyFile: String?
    package var sessionDays: Int

    package static let storeOption = "itunes-country"
    package static let languageOption = "language"
    static let defaultAnswerBudget = 64 << 20
    static let defaultSupplementTimeout = Duration.seconds(1)
    static let defaultSessionDays = 30
    private static let keyLimit = 1024
    /// The sources with a quota of requests a day.
    private static let limitedSources: [MovieSource] = [.omdb, .mdblist, .kobis, .kmdb, .kakao]
    private static let requestLimit = 100_000_000

    /// - Throws: ``SettingError``, which never contains a key.
    init(_ settings: Settings) throws {
        for (source, option) in SourceOptions.keyOptions {
            self.keys[source] = try Self.key(settings, option)
        }
        self.boxOfficeArea = try settings.value("kobis-area", allowed: "seven digits, such as 0105001") {
            BoxOfficeArea($0)
        }
        self.storeCountry =
            try settings.valueOrOff(Self.storeOption, allowed: "off, or two letters such as KR") { ITunesCountry($0) }
            ?? nil
        self.baseURLs = try Self.values(
            settings, "source-url", of: MovieSource.allCases.filter { $0 != .embedded }, allowed: "https://host/path"
        ) { PublicURL($0)?.text }
        self.dailyRequests = try Self.values(
            settings, "daily-requests", of: Self.limitedSources, allowed: "COUNT of 1 to \(Self.requestLimit)"
        ) { Int($0).flatMap { (1...Self.requestLimit).contains($0) ? $0 : nil } }
        self.language =
            try settings.value(Self.languageOption, allowed: "an ISO 639-1 code such as ko, en or ja") { Language($0) }
            ?? .english
        self.region = try settings.value("region", allowed: "an ISO 3166-1 code such as KR, US or JP") {
            Country(code: $0)
        }
        self.answerBudget =
            try settings.byteCount("answer-budget", atLeast: 1 << 20) ?? Self.defaultAnswerBudget
        self.supplementTimeout =
            try settings.seconds("supplement-timeout", in: 0...60) ?? Self.defaultSupplementTimeout
        self.secretKeyFile = settings.text("secret-key-file")
        self.sessionDays = try settings.number("session-days", in: 1...3650) ?? Self.defaultSessionDays
    }

    private static func key(_ settings: Settings, _ option: String) throws -> String? {
        guard let key = settings.text(option) else { return nil }
        // The key is sent in a header or a URL.
        guard key.utf8.count <= Self.keyLimit, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SettingError(
                option: option, value: SecretMask.mask,
                allowed: "printable ASCII without spaces, at most \(Self.keyLimit) bytes")
        }
        return key
    }

    /// Parses `NAME=value` texts of a repeatable option.
    private static func values<Value>(
        _ settings: Settings, _ option: String, of sources: [MovieSource], allowed: String,
        _ parse: (String) -> Value?
    ) throws -> [MovieSource: Value] {
        var values: [MovieSource: Value] = [:]
        for text in settings.texts(option) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let source = MovieSource(rawValue: parts[0]), sources.contains(source),
                let value = parse(parts[1])
            else {
                let names = sources.map(\.rawValue).joined(separator: ", ")
                throw SettingError(
                    option: option, value: text, allowed: "NAME=\(allowed), where NAME is one of \(names)")
            }
            guard values.updateValue(value, forKey: source) == nil else {
                throw SettingError(option: option, value: text, allowed: "each NAME once")
            }
        }
        return values
    }
}
