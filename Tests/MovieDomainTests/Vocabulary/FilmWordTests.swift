import Testing

@testable import MovieDomain

/// Genres, jobs, departments and statuses by the sources' words.
struct FilmWordTests {
    private static let korean = LanguagePreference([.korean])
    private static let english = LanguagePreference([.english])

    @Test func everyGenreHasNamesByWhichItIsFound() throws {
        for id in GenreID.allCases {
            for code in ["ko", "en", "ja"] {
                let language = try #require(Language(code))
                let name = try #require(id.name(in: language))
                #expect(!name.isEmpty && GenreID.ids(word: name) == [id])
            }
            #expect(GenreID.ids(word: id.rawValue) == [id])
        }
        #expect(GenreID.table.split(separator: "\n").count == GenreID.allCases.count)
    }

    @Test(
        "words mean one genre, several or none",
        arguments: [
            ("공포(호러)", ["horror"]), ("시대극/사극", ["history"]), ("sci-fi", ["science-fiction"]),
            ("SF", ["science-fiction"]),
            ("Action & Adventure", ["action", "adventure"]), ("로맨틱코메디", ["romance", "comedy"]),
            ("멜로드라마", ["romance", "drama"]), ("Film-Noir", ["film-noir"]), ("기타", []), ("", []),
        ])
    func genres(word: String, ids: [String]) {
        #expect(GenreID.ids(word: word).map(\.rawValue) == ids)
    }

    @Test func genresOfTMDBHaveNumbersAndGenresAreThereOnce() {
        let numbers = [
            28, 12, 16, 35, 80, 99, 18, 10751, 14, 36, 27, 10402, 9648, 10749, 878, 10770, 53, 10752, 37,
        ]
        #expect(Set(numbers.compactMap { GenreID(tmdb: $0) }).count == 19)
        #expect(GenreID(tmdb: 878) == .scienceFiction)
        #expect(GenreID(tmdb: 1) == nil)
        #expect(GenreID.ids(words: ["사극", "시대극/사극", "드라마"]) == [.history, .drama])
    }

    @Test func namesOfGenresAreInTheThreeLanguagesOnly() throws {
        let french = try #require(Language("fr"))
        #expect(GenreID.horror.name(in: french) == nil)
        #expect(GenreID.horror.name(in: LanguagePreference([french])) == "Horror")
        #expect(GenreID.horror.name(in: LanguagePreference([french, .korean])) == "공포")
    }

    @Test func noWordMeansTwoGenresOrTwoJobs() {
        let genres = GenreID.table.split(separator: "\n").flatMap { row in
            let parts = row.split(separator: ";", omittingEmptySubsequences: false)
            return Set((parts[2].wordsBetweenBars + parts[3].wordsBetweenBars).map { VocabularyWord($0) })
        }
        let compounds = GenreID.compoundTable.split(separator: "\n").map {
            VocabularyWord($0.prefix { $0 != "=" })
        }
        #expect(Set(genres + compounds).count == genres.count + compounds.count)
        let jobs = Job.table.split(separator: "\n").flatMap { row in
            let parts = row.split(separator: ";", omittingEmptySubsequences: false)
            return (parts[2].wordsBetweenBars + parts[3].wordsBetweenBars).map { VocabularyWord($0) }
        }
        #expect(Set(jobs).count == jobs.count)
    }

    @Test(
        "jobs of TMDB, OMDb, KOBIS and KMDb",
        arguments: [
            ("Director", "director", "directing"), ("감독", "director", "directing"),
            ("Director of Photography", "cinematographer", "camera"), ("촬영", "cinematographer", "camera"),
            ("Novel", "sourceWork", "writing"), ("시나리오(각본)", "screenplay", "writing"),
            ("기획", "planner", "production"), ("미술 / 프로덕션 디자인", "productionDesigner", "art"),
            ("Compositors", "visualEffects", "visualEffects"),
        ])
    func jobs(word: String, job: String, department: String) {
        #expect(Job(word: word).rawValue == job)
        #expect(Job(word: word).department?.rawValue == department)
    }

    @Test func everyJobButOtherHasADepartmentAndUnknownOnesAreOther() {
        #expect(Job.allCases.filter { $0.department == nil } == [.other])
        for word in ["", "기타", "Astrologer"] { #expect(Job(word: word) == .other) }
    }

    @Test func departmentsOfTMDBAreRead() {
        let words = [
            "Acting", "Directing", "Writing", "Production", "Camera", "Lighting", "Editing", "Sound", "Art",
            "Costume & Make-Up",
            "Visual Effects", "Crew",
        ]
        #expect(words.compactMap { Department(tmdb: $0) } == Department.allCases)
        #expect(Department(tmdb: "Actors") == nil)
    }

    @Test(
        "statuses of TMDB and KOBIS",
        arguments: [
            ("Released", "released"), ("개봉", "released"), ("개봉예정", "upcoming"), ("Post Production", "postProduction"),
            ("Cancelled", "canceled"), ("제작중단", "canceled"), ("촬영진행", "inProduction"), ("Rumored", "rumored"),
        ])
    func statuses(word: String, status: String) {
        #expect(FilmStatus(word: word)?.rawValue == status)
    }

    @Test func statusesHaveNamesAndUnknownOnesAreNone() {
        #expect(FilmStatus.released.name(in: Self.korean) == "개봉")
        #expect(FilmStatus.inProduction.name(in: Self.english) == "In production")
        for word in ["", "기타", "Lost"] { #expect(FilmStatus(word: word) == nil) }
    }

    @Test("every job but other, and every department, has a name of its own", arguments: ["ko", "en", "ja"])
    func names(code: String) {
        let language = LanguagePreference(codes: code)
        let jobs = Job.allCases.compactMap { $0.name(in: language) }
        #expect(Set(jobs).count == Job.allCases.count - 1 && !jobs.contains(""))
        #expect(Job.other.name(in: language) == nil)
        let departments = Department.allCases.map { $0.name(in: language) }
        #expect(Set(departments).count == Department.allCases.count && !departments.contains(""))
    }

    @Test func jobsAndDepartmentsAreNamedInTheReadersLanguage() {
        #expect(Job.cinematographer.name(in: Self.korean) == "촬영")
        #expect(Job.composer.name(in: Self.english) == "Music")
        #expect(Department.costumeAndMakeup.name(in: Self.english) == "Costume and make-up")
    }

    @Test func everyNameOfInformationHasALabelOfItsOwn() throws {
        for code in ["ko", "en", "ja"] {
            let language = LanguagePreference(codes: code)
            let labels = InformationName.allCases.map { $0.label(in: language) }
            #expect(!labels.contains("") && Set(labels).count >= labels.count - 1)
        }
        #expect(InformationName.runtime.label(in: Self.korean) == "상영 시간")
    }
}
