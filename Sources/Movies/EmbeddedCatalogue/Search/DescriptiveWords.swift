import SearchText

/// A category of films that a word describes.
package enum FilmCategory: Hashable, Sendable {
    /// ISO 3166-1 code.
    case country(String)
    case silent, spoken
}

/// Words that describe films instead of naming them, in English, Korean, Japanese and Chinese.
enum DescriptiveWords {
    enum Meaning: Hashable, Sendable {
        case film
        /// Films in any of these categories.
        case categories([FilmCategory])
        case silentFilm
    }

    /// Words that may follow another one without a space.
    static let filmSuffixes = Self.folded("영화 映画 電影 电影 影片")
    /// Words after a year that denote its decade.
    static let decades = Set(Self.folded("s 년대 年代"))
    /// Words after a year.
    static let years = Set(Self.folded("년 년도 년작 年"))
    /// Units that may be followed by a word without a space, the longest first.
    static let unspacedUnits = Self.decades.union(Self.years).filter { $0 != "s" }.sorted { $0.count > $1.count }
    /// Words between descriptions that are not part of them, as in "films of the 1920s".
    static let prepositions = Set(Self.folded("of from in by made"))
    static let articles = Set(Self.folded("a an the"))
    /// Possessive particles at the end of a word.
    private static let particles = Self.folded("의 の 的")

    private static let films = """
        film films movie movies cinema 영화 영화들 무비 映画 電影 电影 影片
        """
    private static let silentFilms = "默片"
    private static let categories: [(categories: [FilmCategory], words: String)] = [
        ([.silent], "silent 무성 無声 無聲 无声 サイレント"),
        ([.spoken], "talkie talkies 유성 有声 有聲 トーキー"),
        ([.country("KR")], "korea korean southkorea southkorean 한국 대한민국 조선 韓国 韓國 韩国"),
        ([.country("JP")], "japan japanese 일본 日本"),
        ([.country("US")], "america american usa unitedstates hollywood 미국 할리우드 アメリカ 美国 美國"),
        ([.country("FR")], "france french 프랑스 フランス 法国 法國"),
        ([.country("DE")], "germany german 독일 ドイツ 德国 德國"),
        ([.country("IT")], "italy italian 이탈리아 イタリア 意大利 義大利"),
        ([.country("SE")], "sweden swedish 스웨덴 スウェーデン 瑞典"),
        ([.country("RU")], "russia russian 러시아 ロシア 俄国 俄國 俄罗斯 俄羅斯"),
        ([.country("UA")], "ukraine ukrainian 우크라이나 ウクライナ 乌克兰 烏克蘭"),
        ([.country("RU"), .country("UA")], "soviet sovietunion 소련 소비에트 ソ連 ソビエト 苏联 蘇聯"),
    ]

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for word in Self.folded(Self.films) { meanings[word] = .film }
        for word in Self.folded(Self.silentFilms) { meanings[word] = .silentFilm }
        for (categories, words) in Self.categories {
            for word in Self.folded(words) { meanings[word] = .categories(categories) }
        }
        return meanings
    }()

    private static func folded(_ words: String) -> [String] {
        words.split(whereSeparator: \.isWhitespace).map { FoldedText(String($0)).joined(by: "") }
    }

    /// - Parameter word: Folded.
    static func meaning(of word: String) -> Meaning? {
        if let meaning = Self.meanings[word] { return meaning }
        guard let particle = Self.particles.first(where: word.hasSuffix), word != particle else { return nil }
        return Self.meanings[String(word.dropLast(particle.count))]
    }

    /// - Parameter word: Folded.
    static func withoutLeadingParticle(_ word: String) -> String {
        guard let particle = Self.particles.first(where: word.hasPrefix) else { return word }
        return String(word.dropFirst(particle.count))
    }
}
