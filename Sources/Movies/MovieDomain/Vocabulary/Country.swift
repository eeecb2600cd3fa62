/// A country of ISO 3166-1, or Kosovo.
package struct Country: Hashable, Sendable {
    /// The current code of two capital letters (ISO 3166-1 alpha-2; `XK` for Kosovo).
    package let code: String

    /// - Parameter code: Not case-sensitive; a former country's code is replaced by its successor's, `SU` by `RU`.
    /// - Returns: `nil` if the code is not assigned.
    package init?(code: String) {
        let code = code.uppercased()
        let current = Self.successors[code] ?? code
        guard Self.names[current] != nil else { return nil }
        self.code = current
    }

    /// - Parameter word: A name in Korean, English or Japanese in a source's spelling; case and white space are
    ///   ignored.
    /// - Returns: `nil` if the name is unknown.
    package init?(word: String) {
        guard let code = Self.codes[VocabularyWord(word)] else { return nil }
        self.code = code
    }

    private init(checked code: String) { self.code = code }

    package static let korea = Country(checked: "KR")
    package static let unitedStates = Country(checked: "US")
    package static let unitedKingdom = Country(checked: "GB")
    package static let japan = Country(checked: "JP")

    /// All countries, by code.
    package static var all: [Country] { Self.names.keys.sorted().map(Country.init(checked:)) }

    /// The name in the first preferred language of Korean, English and Japanese, else in English.
    package func name(in language: LanguagePreference) -> String {
        Self.names[self.code]?.text(in: language) ?? self.code
    }

    /// Maps sources' words to countries, without duplicates, and returns the unknown words.
    package static func reading(_ words: [String]) -> (countries: [Country], others: [String]) {
        var countries: [Country] = []
        var others: [String] = []
        for word in words {
            guard let country = Country(word: word) else {
                others.append(word)
                continue
            }
            if !countries.contains(country) { countries.append(country) }
        }
        return (countries, others)
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: Self.nameTable.split(separator: "\n").compactMap { row in
            LocalisedName(row: row.dropFirst(3)).map { (String(row.prefix(2)), $0) }
        })

    private static let codes: [VocabularyWord: String] = {
        let names = Self.names.map { (words: $0.value.all, value: $0.key) }
        let words = Self.wordTable.split(separator: "\n").map { row in
            (words: row.dropFirst(3).wordsBetweenBars, value: String(row.prefix(2)))
        }
        return VocabularyWord.table(names + words)
    }()
}

extension Country: CustomStringConvertible {
    package var description: String { self.code }
}

extension Country {
    /// Further words of KOBIS, KMDb and OMDb beside ``nameTable``; former states map to their successors.
    static let wordTable = """
        KR 한국|대한민국|남한|Korea|Republic of Korea
        KP 북한|조선민주주의인민공화국
        US 미국|USA|United States of America
        GB 영국|UK|England|Scotland|Wales|Great Britain|북아일랜드
        DE 독일|서독|동독|West Germany|East Germany
        RU 러시아|소련|Russia|Soviet Union|USSR|러시아연방
        CZ 체코|체코슬로바키아|체코공화국|Czech Republic|Czechoslovakia
        RS 세르비아|유고슬라비아|유고|Yugoslavia|Serbia and Montenegro|Federal Republic of Yugoslavia|세르비아몬테네그로
        TW 대만|타이완
        HK 홍콩|Hong Kong
        MO 마카오|Macau
        TR 터키|튀르키예|Turkey
        ZA 남아프리카공화국|남아공
        AE 아랍에미리트|아랍에미리트연합|UAE
        VN 베트남|Viet Nam
        IR 이란|Iran, Islamic Republic of
        MK 마케도니아|Republic of North Macedonia|Macedonia
        MM 미얀마|버마|Burma
        CD 콩고민주공화국|자이르|Zaire|Democratic Republic of the Congo
        CI 코트디부아르|아이보리코스트|Ivory Coast
        PS 팔레스타인|Occupied Palestinian Territory|Palestinian Territory
        AU 호주|오스트레일리아
        NL 네덜란드|Holland
        SK 슬로바키아|슬로바키아공화국
        BA 보스니아|보스니아헤르체고비나|Bosnia
        KG 키르기스스탄|키르키즈스탄
        MN 몽골|몽고
        SY 시리아
        VE 베네수엘라
        """

    /// Withdrawn and unofficial codes that TMDB and iTunes send, with the current ISO 3166-1 code.
    static let successors = [
        "SU": "RU",
        "YU": "RS",
        "CS": "RS",
        "XC": "CZ",
        "DD": "DE",
        "XG": "DE",
        "XI": "GB",
        "BU": "MM",
        "ZR": "CD",
        "TP": "TL",
        "AN": "CW",
        "UK": "GB",
    ]
}
