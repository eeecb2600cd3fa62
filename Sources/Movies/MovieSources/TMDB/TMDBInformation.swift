import MovieDomain
import UpstreamClient

/// What else TMDB tells of a film, as tables show it.
enum TMDBInformation {
    static func items(_ film: TolerantObject) -> [InformationItem] {
        let languages = film.rows("spoken_languages").compactMap { $0.text("name") ?? $0.text("english_name") }
        let facts: [(String, String?)] = [
            ("productionCompanies", Self.list(film.rows("production_companies").compactMap { $0.text("name") })),
            ("spokenLanguages", Self.list(languages)),
            ("collection", film.object("belongs_to_collection")?.text("name")),
            ("budget", film.integer("budget").flatMap(Self.dollars)),
            ("revenue", film.integer("revenue").flatMap(Self.dollars)),
        ]
        return facts.compactMap { name, value in value.map { InformationItem(name: name, value: $0) } }
    }

    private static func list(_ names: [String]) -> String? {
        names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// `63000000` as `$63,000,000`; 0 is unknown.
    private static func dollars(_ amount: Int) -> String? {
        guard amount > 0 else { return nil }
        let digits = Array(String(amount))
        var text = "$"
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
