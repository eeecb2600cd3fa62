/// The genres of films, the same for all sources.
package enum GenreID: String, CaseIterable, Sendable {
    case action
    case adventure
    case animation
    case biography
    case comedy
    case crime
    case documentary
    case drama
    case erotic
    case experimental
    case family
    case fantasy
    case filmNoir = "film-noir"
    case history
    case horror
    case music
    case musical
    case mystery
    case performance
    case romance
    case scienceFiction = "science-fiction"
    case short
    case sport
    case thriller
    case tvMovie = "tv-movie"
    case war
    case western

    /// - Parameter number: TMDB's number of the genre.
    /// - Returns: `nil` if the number is unknown.
    package init?(tmdb number: Int) {
        guard let id = Self.tmdbNumbers[number] else { return nil }
        self = id
    }

    /// The genres of a source's word: `Action & Adventure` has two; empty for unknown words. Case and white space are
    /// ignored.
    package static func ids(word: String) -> [GenreID] { Self.words[VocabularyWord(word)] ?? [] }

    /// The genres of several words, without duplicates.
    package static func ids(words: [String]) -> [GenreID] {
        var once: [GenreID] = []
        for id in words.flatMap({ Self.ids(word: $0) }) where !once.contains(id) { once.append(id) }
        return once
    }

    /// TMDB's number; `nil` if TMDB does not have the genre.
    package var tmdbNumber: Int? { self.entry.tmdbNumber }

    /// The name; `nil` for languages other than Korean, English and Japanese.
    package func name(in language: Language) -> String? { self.entry.names.text(in: language) }

    /// The name in the first preferred language of Korean, English and Japanese, else in English.
    package func name(in language: LanguagePreference) -> String { self.entry.names.text(in: language) }

    private var entry: Entry { Self.entries[self] ?? Entry(names: LocalisedName("", self.rawValue, "")) }
}

extension GenreID {
    private struct Entry: Sendable {
        var tmdbNumber: Int?
        var names: LocalisedName
        var words: [String] = []
    }

    private static let entries: [GenreID: Entry] = Dictionary(
        uniqueKeysWithValues: Self.table.split(separator: "\n").compactMap { row in
            let parts = row.split(separator: ";", omittingEmptySubsequences: false)
            guard parts.count == 4, let id = GenreID(rawValue: String(parts[0])),
                let names = LocalisedName(row: parts[2])
            else { return nil }
            return (id, Entry(tmdbNumber: Int(parts[1]), names: names, words: parts[3].wordsBetweenBars))
        })

    private static let tmdbNumbers = Dictionary(
        uniqueKeysWithValues: Self.entries.compactMap { id, entry in entry.tmdbNumber.map { ($0, id) } })

    private static let words: [VocabularyWord: [GenreID]] = {
        let compounds = Self.compoundTable.split(separator: "\n").map { row in
            let parts = row.split(separator: "=")
            let ids = parts[1].split(separator: ",").compactMap { GenreID(rawValue: String($0)) }
            return (words: [String(parts[0])], value: ids)
        }
        let single = Self.entries.map { id, entry in
            (words: [id.rawValue] + entry.names.all + entry.words, value: [id])
        }
        return VocabularyWord.table(compounds + single)
    }()
}

extension GenreID {
    /// Rows of id; TMDB's number; names in Korean, English and Japanese; further words of KOBIS, KMDb, OMDb and iTunes.
    static let table = """
        action;28;액션|Action|アクション;활극|무협|해양액션|첩보|Martial Arts
        adventure;12;모험|Adventure|アドベンチャー;어드벤처|재난|로드무비
        animation;16;애니메이션|Animation|アニメーション;Anime
        biography;;전기|Biography|伝記;인물
        comedy;35;코미디|Comedy|コメディ;코메디
        crime;80;범죄|Crime|犯罪;갱스터
        documentary;99;다큐멘터리|Documentary|ドキュメンタリー;다큐|문화|기록|Documentaries
        drama;18;드라마|Drama|ドラマ;신파|사회|사회물(경향)|문예|청춘영화|하이틴(고교)|종교|가족드라마
        erotic;;에로|Erotic|エロティック;성인물(에로)|Adult
        experimental;;실험 영화|Experimental|実験映画;실험
        family;10751;가족|Family|ファミリー;아동|Kids & Family|Kids
        fantasy;14;판타지|Fantasy|ファンタジー;
        film-noir;;느와르|Film Noir|フィルム・ノワール;필름느와르|Film-Noir
        history;36;역사|History|歴史;사극|시대극/사극|시대극|Jidaigeki
        horror;27;공포|Horror|ホラー;공포(호러)|호러|괴기
        music;10402;음악|Music|音楽;뮤직|Concert Films|Music Documentaries|Music Feature Films
        musical;;뮤지컬|Musical|ミュージカル;Musicals
        mystery;9648;미스터리|Mystery|ミステリー;추리
        performance;;공연|Performance|公演;공연실황
        romance;10749;로맨스|Romance|ロマンス;멜로|멜로/로맨스|멜로로맨스
        science-fiction;878;SF|Science Fiction|SF;Sci-Fi|공상과학
        short;;단편|Short|短編;Short Films
        sport;;스포츠|Sport|スポーツ;Sports
        thriller;53;스릴러|Thriller|スリラー;서스펜스
        tv-movie;10770;TV 영화|TV Movie|テレビ映画;Made for TV
        war;10752;전쟁|War|戦争;군사|반공/분단|War & Politics
        western;37;서부극|Western|西部劇;서부|서부극(웨스턴)
        """

    static let compoundTable = """
        Action & Adventure=action,adventure
        Sci-Fi & Fantasy=science-fiction,fantasy
        로맨틱코메디=romance,comedy
        멜로드라마=romance,drama
        """
}
