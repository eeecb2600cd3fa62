import MovieDomain
import PosterTesting
import Testing

@testable import MovieCompatibility

/// Responses generated from the embedded catalogue, by operation.
@Suite(.timeLimit(.hang))
struct TMDBWrittenTests {
    private static let number = TMDBNumber.number(of: CatalogueFixture.film) ?? 0
    private static let director = PersonID("f-w-murnau").flatMap { TMDBNumber.number(of: $0) } ?? 0

    private static let targets: [(operation: String, target: String)] = [
        ("GET /3/configuration", "configuration"), ("GET /3/configuration/countries", "configuration/countries"),
        ("GET /3/configuration/jobs", "configuration/jobs"),
        ("GET /3/configuration/languages", "configuration/languages"),
        ("GET /3/configuration/primary_translations", "configuration/primary_translations"),
        ("GET /3/configuration/timezones", "configuration/timezones"),
        ("GET /3/genre/movie/list", "genre/movie/list?language=ko-KR"),
        ("GET /3/movie/now_playing", "movie/now_playing"), ("GET /3/movie/popular", "movie/popular?page=3"),
        ("GET /3/movie/top_rated", "movie/top_rated"), ("GET /3/movie/upcoming", "movie/upcoming"),
        ("GET /3/search/movie", "search/movie?query=nosferatu"), ("GET /3/search/person", "search/person?query=lang"),
        ("GET /3/search/multi", "search/multi?query=murnau"),
        ("GET /3/discover/movie", "discover/movie?with_genres=27"),
        ("GET /3/trending/movie/{time_window}", "trending/movie/week"),
        ("GET /3/find/{external_id}", "find/tt0013442?external_source=imdb_id"),
        ("GET /3/movie/{movie_id}", "movie/\(Self.number)"),
        ("GET /3/person/{person_id}", "person/\(Self.director)"),
    ]

    /// Parts of a film and of a person.
    private static let parts: [(operation: String, target: String)] =
        TMDBResource.FilmPart.allCases.filter { ![.casts, .trailers, .releases].contains($0) }.map { part in
            ("GET /3/movie/{movie_id}/\(part.rawValue)", "movie/\(Self.number)/\(part.rawValue)")
        }
        + TMDBResource.PersonPart.allCases.map { part in
            ("GET /3/person/{person_id}/\(part.rawValue)", "person/\(Self.director)/\(part.rawValue)")
        }

    @Test(
        .enabled(if: TMDBSchema.all != nil, TMDBSchema.note),
        arguments: TMDBWrittenTests.targets + TMDBWrittenTests.parts)
    func isValid(operation: String, target: String) async throws {
        let schema = try #require(TMDBSchema.all)
        #expect(schema.faults(try await CatalogueFixture.common.document(target), operation).isEmpty)
    }

    @Test(.enabled(if: TMDBSchema.all != nil, TMDBSchema.note))
    func appendedPartsAreThoseOfTheirOwnResources() async throws {
        let fixture = try CatalogueFixture.common
        let names = TMDBResource.FilmPart.allCases.map(\.rawValue)
        let film = try await fixture.document(
            "movie/\(Self.number)?append_to_response=\(names.joined(separator: ","))")
        let schema = try #require(TMDBSchema.all)
        #expect(schema.faults(film, "GET /3/movie/{movie_id}").isEmpty)
        for name in names {
            let part = try await fixture.document("movie/\(Self.number)/\(name)")
            #expect(film[name] == part.removing("id"), "\(name)")
        }
    }

    @Test func filmsHaveTheSameNumbersEverywhere() async throws {
        let fixture = try CatalogueFixture.common
        let films = try await fixture.services.allFilms(language: LanguagePreference(), pageLimit: 50)
        let numbers = films.compactMap { TMDBNumber.number(of: $0.id) }
        #expect(films.count == 48 && Set(numbers).count == films.count)
        #expect(numbers.allSatisfy { TMDBNumber.derived.contains($0) })
        let table = TMDBNumberTable(fixture.services)
        for film in films {
            let number = try #require(TMDBNumber.number(of: film.id))
            #expect(try await table.film(number) == film.id)
        }
    }

    @Test func peopleHaveNumbersOfTheirOwn() async throws {
        let fixture = try CatalogueFixture.common
        let credits = try await fixture.document("movie/\(Self.number)/credits")
        let people = (credits["cast"]?.elements ?? []) + (credits["crew"]?.elements ?? [])
        #expect(!people.isEmpty)
        for person in people {
            let number = try #require(person["id"]?.integer)
            #expect(try await fixture.document("person/\(number)")["name"] == person["name"])
        }
    }

    @Test func creditsAndReviewsHaveResourcesOfTheirOwn() async throws {
        let fixture = try CatalogueFixture.common
        var people: [OrderedJSON] = []
        for part in ["movie/\(Self.number)/credits", "person/\(Self.director)/movie_credits"] {
            let credits = try await fixture.document(part)
            for list in ["cast", "crew"] { people += (credits[list]?.elements ?? []).prefix(3) }
        }
        #expect(people.count > 4)
        for row in people {
            let id = try #require(row["credit_id"]?.string)
            let credit = try await fixture.document("credit/\(id)")
            #expect(credit["id"]?.string == id && credit["media_type"] == "movie")
            #expect(credit["credit_type"]?.string == (row["job"] == nil ? "cast" : "crew"))
            #expect(credit["media"]?["character"] == row["character"])
            #expect(row["job"] == nil || credit["job"] == row["job"])
            #expect([credit["person"]?["id"], credit["media"]?["id"]].contains(row["id"]))
        }
        let films = try await fixture.services.allFilms(language: LanguagePreference(), pageLimit: 50)
        var count = 0
        for number in films.prefix(3).compactMap({ TMDBNumber.number(of: $0.id) }) {
            for row in try await fixture.document("movie/\(number)/reviews")["results"]?.elements ?? [] {
                let review = try await fixture.document("review/\(try #require(row["id"]?.string))")
                #expect(review["content"] == row["content"] && review["author"] == row["author"])
                #expect(review["media_id"] == .integer(number) && review["media_type"] == "movie")
                count += 1
            }
        }
        #expect(count > 3)
        for path in ["review", "credit"] {
            await #expect(throws: TMDBFault.self) {
                try await fixture.document("\(path)/\(String(repeating: "0", count: 24))")
            }
        }
    }

    @Test func aFilmIsFoundByItsTitleOfIMDb() async throws {
        let fixture = try CatalogueFixture.common
        let title = try #require(TMDBNumber.title(of: CatalogueFixture.film))
        #expect(try await fixture.document("movie/\(title)")["id"] == .integer(Self.number))
        #expect(try await fixture.document("movie/\(Self.number)/external_ids")["imdb_id"]?.string == title)
        let other = try await fixture.document("find/\(title)?external_source=tvdb_id")
        #expect(other["movie_results"] == [])
    }

    @Test func listsEndWithTheLastFilm() async throws {
        let fixture = try CatalogueFixture.common
        let pages = try #require(try await fixture.document("movie/popular")["total_pages"]?.integer)
        var ids: Set<Int> = []
        for page in 1...pages {
            let rows = try await fixture.document("movie/popular?page=\(page)")["results"]?.elements ?? []
            ids.formUnion(rows.compactMap { $0["id"]?.integer })
        }
        #expect(ids.count == 48)
        #expect(try await fixture.document("movie/popular?page=\(pages + 1)")["results"] == [])
    }

    @Test(
        "discover leaves what its parameters say",
        arguments: [
            ("with_genres=27", 1...48), ("with_genres=27|35", 1...48), ("with_genres=27,35,99,10402", 0...0),
            ("primary_release_date.gte=1920-01-01&primary_release_date.lte=1929-12-31", 1...47),
            ("vote_average.gte=11", 0...0), ("vote_average.gte=nan", 48...48),
            ("vote_average.gte=9&vote_average.lte=1", 0...48), ("with_keywords=818", 0...0),
            ("with_origin_country=DE", 1...47),
            ("with_runtime.lte=20", 1...47), ("with_people=\(TMDBWrittenTests.director)", 1...10),
            ("with_people=1", 0...0),
        ])
    func discover(parameters: String, counts: ClosedRange<Int>) async throws {
        let found = try await CatalogueFixture.common.document("discover/movie?\(parameters)")
        #expect(counts.contains(found["total_results"]?.integer ?? -1))
    }

    @Test func discoverSortsBothWays() async throws {
        let fixture = try CatalogueFixture.common
        var years: [[String]] = []
        for order in ["asc", "desc"] {
            let rows = try await fixture.document("discover/movie?sort_by=primary_release_date.\(order)")
            years.append((rows["results"]?.elements ?? []).compactMap { $0["release_date"]?.string })
        }
        #expect(years[0] == years[0].sorted() && years[1] == years[1].sorted(by: >))
    }
}
