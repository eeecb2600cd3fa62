import MovieDomain

/// The API's configuration and its lists, which need no source.
enum TMDBConfiguration {
    /// The prefixes of image URLs at The Movie Database, as found in its responses.
    static let imageBases = ["http://image.tmdb.org/t/p/", "https://image.tmdb.org/t/p/"]
    /// The path of this server's images, with a trailing slash.
    static let imagePath = "/t/p/"

    private static let english = LanguagePreference([.english])

    private static let changeKeys = """
        adult air_date also_known_as alternative_titles biography birthday budget cast certifications
        character_names created_by crew deathday episode episode_number episode_run_time freebase_id
        freebase_mid general genres guest_stars homepage images imdb_id languages name network
        origin_country original_name original_title overview parts place_of_birth plot_keywords
        production_code production_companies production_countries releases revenue runtime season
        season_number season_regular spoken_languages status tagline title translations tvdb_id tvrage_id
        type video videos
        """

    private static let primaryTranslations = """
        af-ZA ar-AE ar-BH ar-EG ar-IQ ar-JO ar-LY ar-MA ar-QA ar-SA ar-TD ar-YE be-BY bg-BG bn-BD br-FR
        ca-AD ca-ES ch-GU cs-CZ cy-GB da-DK de-AT de-CH de-DE el-CY el-GR en-AG en-AU en-BB en-BZ en-CA
        en-CM en-GB en-GG en-GH en-GI en-GY en-IE en-JM en-KE en-LC en-MW en-NZ en-PG en-TC en-US en-ZM
        en-ZW eo-EO es-AR es-CL es-DO es-EC es-ES es-GQ es-GT es-HN es-MX es-NI es-PA es-PE es-PY es-SV
        es-UY et-EE eu-ES fa-IR fi-FI fr-BF fr-CA fr-CD fr-CI fr-FR fr-GF fr-GP fr-MC fr-ML fr-MU fr-PF
        ga-IE gd-GB gl-ES he-IL hi-IN hr-HR hu-HU id-ID it-IT it-VA ja-JP ka-GE kk-KZ kn-IN ko-KR ku-TR
        ky-KG lt-LT lv-LV ml-IN mr-IN ms-MY ms-SG nb-NO nl-BE nl-NL no-NO pa-IN pl-PL pt-AO pt-BR pt-MZ
        pt-PT ro-MD ro-RO ru-RU si-LK sk-SK sl-SI so-SO sq-AL sq-XK sr-ME sr-RS sv-SE sw-TZ ta-IN te-IN
        th-TH tl-PH tr-TR uk-UA ur-PK uz-UZ vi-VN zh-CN zh-HK zh-SG zh-TW zu-ZA
        """

    /// - Parameter imageBase: The URL of this server's images, with a trailing slash.
    static func object(imageBase: String) -> OrderedJSON {
        [
            "images": [
                "base_url": .string(imageBase), "secure_base_url": .string(imageBase),
                "backdrop_sizes": ["w300", "w780", "w1280", "original"],
                "logo_sizes": ["w45", "w92", "w154", "w185", "w300", "w500", "original"],
                "poster_sizes": ["w92", "w154", "w185", "w342", "w500", "w780", "original"],
                "profile_sizes": ["w45", "w185", "h632", "original"],
                "still_sizes": ["w92", "w185", "w300", "original"],
            ],
            "change_keys": .strings(self.words(self.changeKeys)),
        ]
    }

    /// - Parameter language: The language of countries' native names.
    static func list(
        _ list: TMDBResource.Configuration, language: LanguagePreference, timeZones: TMDBTimeZones
    ) -> OrderedJSON {
        switch list {
        case .countries: .array(Country.all.map { self.country($0, language) })
        case .jobs: self.jobs
        case .languages: TMDBLanguages.all
        case .timezones: timeZones.document
        case .primaryTranslations: .strings(self.words(self.primaryTranslations))
        }
    }

    /// The genres of The Movie Database, sorted by English name.
    static func genres(language: LanguagePreference) -> OrderedJSON {
        let ids = GenreID.allCases.filter { $0.tmdbNumber != nil }
            .sorted { $0.name(in: self.english) < $1.name(in: self.english) }
        return ["genres": .array(ids.compactMap { TMDBFilmObject.genre(Genre($0, in: language)) })]
    }

    private static func country(_ country: Country, _ language: LanguagePreference) -> OrderedJSON {
        [
            "iso_3166_1": .string(country.code), "english_name": .string(country.name(in: self.english)),
            "native_name": .string(country.name(in: language)),
        ]
    }

    /// The domain's jobs by department.
    private static var jobs: OrderedJSON {
        .array(
            Department.allCases.compactMap { (department) -> OrderedJSON? in
                let jobs = Job.allCases.filter { $0.department == department }.compactMap { $0.name(in: self.english) }
                guard !jobs.isEmpty else { return nil }
                return ["department": .string(TMDBPersonRow.word(department)), "jobs": .strings(jobs)]
            })
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
