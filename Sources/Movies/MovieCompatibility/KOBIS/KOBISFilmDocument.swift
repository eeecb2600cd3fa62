import MovieDomain

/// A film's details in KOBIS' format: texts, empty if unknown.
struct KOBISFilmDocument {
    static let source = "영화진흥위원회"

    /// The film in Korean and in English, with complete credits.
    let korean, english: Movie
    let koreanCredits, englishCredits: Credits

    /// - Parameter film: `nil` if unknown, which is no fault.
    static func document(_ film: KOBISFilmDocument?, code: String) -> OrderedJSON {
        let info: OrderedJSON = film.map { $0.info(code: code) } ?? [:]
        return ["movieInfoResult": ["movieInfo": info, "source": .string(Self.source)]]
    }

    private func info(code: String) -> OrderedJSON {
        let korean = self.korean
        let opening = Self.opening(of: korean).map { KOBISBoxOfficeRequest.digits($0) } ?? ""
        let texts: [(name: String, text: String)] = [
            ("movieCd", code), ("movieNm", korean.summary.title), ("movieNmEn", self.english.summary.title),
            ("movieNmOg", self.originalTitle), ("showTm", korean.runtimeMinutes.map { String($0) } ?? ""),
            ("prdtYear", Self.productionYear(of: korean)), ("openDt", opening),
            ("prdtStatNm", Self.status(of: korean)), ("typeNm", Self.fact(.type, of: korean) ?? Self.usualType),
        ]
        let nations = korean.countries.map { KOBISWords.name(of: $0) } + korean.otherCountries
        let lists: [(name: String, rows: [OrderedJSON])] = [
            ("nations", nations.map { Self.row("nationNm", $0) }),
            ("genres", Self.genres(of: korean).map { Self.row("genreNm", $0) }),
            ("directors", self.directors), ("actors", self.actors), ("showTypes", []),
            ("companys", self.companies), ("audits", Self.audits(of: korean)), ("staffs", self.staff),
        ]
        return .object(
            texts.map { OrderedJSON.Member($0.name, .string($0.text)) }
                + lists.map { OrderedJSON.Member($0.name, .array($0.rows)) })
    }

    /// Never empty: apps read the first one.
    static func genres(of film: Movie) -> [String] {
        let names = film.summary.genres.map { KOBISWords.name(of: $0) }
        return names.isEmpty ? [KOBISWords.otherGenre] : names
    }

    /// Feature-length film.
    static let usualType = "장편"

    private static func row(_ name: String, _ text: String) -> OrderedJSON {
        .object([OrderedJSON.Member(name, .string(text))])
    }

    private var directors: [OrderedJSON] {
        self.crew { $0 == .director }.map { member in .object(Self.names(member)) }
    }

    /// Empty if equal to one of the other titles.
    private var originalTitle: String {
        let title = self.korean.summary.originalTitle
        return [self.korean.summary.title, self.english.summary.title].contains(title) ? "" : title
    }

    static func productionYear(of film: Movie) -> String {
        self.fact(.productionYear, of: film) ?? film.summary.year.map(String.init) ?? ""
    }

    /// In Korea, else anywhere, else the first day of the year: apps read the year from it.
    static func opening(of film: Movie) -> CalendarDate? {
        film.release(in: .korea)?.date ?? film.summary.releaseDate
            ?? film.summary.year.flatMap { CalendarDate(year: $0, month: 1, day: 1) }
    }

    /// KOBIS writes the domain's Korean words without spaces.
    static func status(of film: Movie) -> String {
        (film.status ?? .released).name(in: LanguagePreference([.korean])).replacing(" ", with: "")
    }

    private static func fact(_ name: InformationName, of film: Movie) -> String? {
        film.information.first { $0.name == name }?.value
    }

    private var actors: [OrderedJSON] {
        let (korean, english) = (self.koreanCredits.cast, self.englishCredits.cast)
        return korean.enumerated().map { place, actor in
            let other = korean.count == english.count ? english[place] : nil
            let texts: [(String, String)] = [
                ("peopleNm", actor.name), ("peopleNmEn", Self.other(actor.name, other?.name)),
                ("cast", actor.role), ("castEn", Self.other(actor.role, other?.role)),
            ]
            return .object(texts.map { OrderedJSON.Member($0.0, .string($0.1)) })
        }
    }

    /// Crew members with their English names, which are paired by position if both lists have the same length.
    private func crew(_ isWanted: (Job) -> Bool) -> [(korean: Credits.CrewMember, english: String?)] {
        let (korean, english) = (self.koreanCredits.crew, self.englishCredits.crew)
        return korean.enumerated().filter { isWanted($0.element.job) }.map { place, member in
            (member, korean.count == english.count ? english[place].name : nil)
        }
    }

    private static func names(_ member: (korean: Credits.CrewMember, english: String?)) -> [OrderedJSON.Member] {
        [
            .init("peopleNm", .string(member.korean.name)),
            .init("peopleNmEn", .string(Self.other(member.korean.name, member.english))),
        ]
    }

    private var staff: [OrderedJSON] {
        self.crew { $0 != .director }.map { member in
            .object(Self.names(member) + [.init("staffRoleNm", .string(member.korean.sourceJob))])
        }
    }

    /// The text in the other language; empty if it is missing or the same.
    private static func other(_ text: String, _ other: String?) -> String { other == text ? "" : other ?? "" }

    /// The functions of companies, in KOBIS' words.
    private static let parts: [(InformationName, String)] = [
        (.productionCompanies, "제작사"), (.coProductionCompanies, "공동제작"), (.distributors, "배급사"),
        (.coDistributors, "공동배급"), (.presenters, "제공"), (.coPresenters, "공동제공"), (.importers, "수입사"),
        (.salesCompanies, "해외세일즈사"), (.productionSupport, "제작지원"), (.publicity, "홍보"), (.marketing, "마케팅"),
    ]

    private var companies: [OrderedJSON] {
        Self.parts.flatMap { name, part in
            (Self.fact(name, of: self.korean) ?? "").split(separator: ", ").map { company -> OrderedJSON in
                [
                    "companyCd": "", "companyNm": .string(String(company)), "companyNmEn": "",
                    "companyPartNm": .string(part),
                ]
            }
        }
    }

    /// Never empty: apps read the first one.
    private static func audits(of film: Movie) -> [OrderedJSON] {
        let grade = film.certificate.map { KOBISWords.name(of: $0) } ?? KOBISWords.unrated
        return [["auditNo": "", "watchGradeNm": .string(grade)]]
    }
}
