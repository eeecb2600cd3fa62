import MovieDomain
import PosterTesting
import Testing

@testable import MovieCompatibility

/// Without a key: lists that clients request from any service, and the formats that old clients read.
@Suite(.timeLimit(.hang))
struct TMDBOtherListTests {
    private static let number = TMDBNumber.number(of: CatalogueFixture.film) ?? 0

    @Test(
        "lists without elements are pages, and have the members of The Movie Database's",
        arguments: [
            ("GET /3/search/tv", "search/tv?query=x"), ("GET /3/search/collection", "search/collection?query=x"),
            ("GET /3/search/company", "search/company?query=x"), ("GET /3/search/keyword", "search/keyword?query=x"),
            ("GET /3/trending/tv/{time_window}", "trending/tv/day"), ("GET /3/discover/tv", "discover/tv"),
            ("GET /3/tv/popular", "tv/popular?page=2"),
        ])
    func empty(operation: String, target: String) async throws {
        let page = try await CatalogueFixture.common.document(target)
        #expect(page["results"] == [] && page["total_results"] == 0)
        if let schema = TMDBSchema.all { #expect(schema.faults(page, operation).isEmpty) }
    }

    @Test(
        "lists that are not pages are there", .enabled(if: TMDBSchema.all != nil, TMDBSchema.note),
        arguments: [
            ("GET /3/genre/tv/list", "genre/tv/list"), ("GET /3/watch/providers/regions", "watch/providers/regions"),
            ("GET /3/watch/providers/movie", "watch/providers/movie?watch_region=KR"),
            ("GET /3/certification/movie/list", "certification/movie/list"),
            ("GET /3/person/popular", "person/popular"),
        ])
    func areValid(operation: String, target: String) async throws {
        let schema = try #require(TMDBSchema.all)
        #expect(schema.faults(try await CatalogueFixture.common.document(target), operation).isEmpty)
    }

    @Test func searchesWithoutATextAreRefused() async throws {
        let fixture = try CatalogueFixture.common
        let fault = await #expect(throws: TMDBFault.self) { try await fixture.document("search/tv") }
        #expect(fault?.status == 422)
    }

    @Test func whatIsInDemandAreFilms() async throws {
        let fixture = try CatalogueFixture.common
        for period in ["day", "week"] {
            let all = try await fixture.document("trending/all/\(period)")
            #expect(all == (try await fixture.document("trending/movie/\(period)")))
            #expect(all["results"]?.elements.first?["media_type"] == "movie")
        }
    }

    @Test func peopleArePagesOfAllOfTheCatalogue() async throws {
        let fixture = try CatalogueFixture.common
        let first = try await fixture.document("person/popular")
        let pages = try #require(first["total_pages"]?.integer)
        var ids: Set<Int> = []
        for page in 1...pages {
            let rows = try await fixture.document("person/popular?page=\(page)")["results"]?.elements ?? []
            ids.formUnion(rows.compactMap { $0["id"]?.integer })
        }
        #expect(ids.count == first["total_results"]?.integer && ids.count > 20)
        let row = try #require(first["results"]?.elements.first)
        #expect(row["known_for"]?.elements.isEmpty == false)
        let trending = try await fixture.document("trending/person/day")["results"]?.elements.first
        #expect(trending?["media_type"] == "person" && trending?["id"] == row["id"])
    }

    @Test func theLatestFilmIsTheLastOne() async throws {
        let fixture = try CatalogueFixture.common
        let films = try await fixture.services.allFilms(language: LanguagePreference(), pageLimit: 50)
        let last = films.compactMap { $0.releaseDate?.description }.max()
        #expect(try await fixture.document("movie/latest")["release_date"]?.string == last)
    }

    @Test func ratingsOfACountryAreInOrder() async throws {
        let countries = try await CatalogueFixture.common.document("certification/movie/list")["certifications"]
        let rows = countries?["US"]?.elements ?? []
        #expect(rows.compactMap { $0["certification"]?.string } == ["NR", "G", "PG", "PG-13", "R", "NC-17"])
        #expect(rows.compactMap { $0["order"]?.integer } == Array(0...5))
    }

    @Test func oldClientsReadOldForms() async throws {
        let fixture = try CatalogueFixture.common
        let film = try await fixture.document(
            "movie/\(Self.number)?append_to_response=casts,trailers,releases,similar_movies")
        let credits = try await fixture.document("movie/\(Self.number)/credits")
        #expect(film["casts"] == credits.removing("id"))
        #expect(film["trailers"]?["quicktime"] == [] && film["trailers"]?["youtube"] != nil)
        #expect(film["similar_movies"]?["results"] != nil)
        let release = try #require(film["releases"]?["countries"]?.elements.first)
        #expect(release["release_date"] == film["release_date"] && release["primary"] == true)
        for name in ["certification", "descriptors", "iso_3166_1"] { #expect(release[name] != nil, "\(name)") }
        for name in ["casts", "trailers", "releases"] {
            let part = try await fixture.document("movie/\(Self.number)/\(name)")
            #expect(part["id"]?.integer == Self.number && part.removing("id") == film[name], "\(name)")
        }
    }

    @Test func trailersAreVideosAtYouTube() {
        let key = "abcdefghijk"
        let videos = [
            Video(id: "1", kind: .trailer, site: .youtube, key: key, name: "A", height: 1080),
            Video(id: "2", kind: .trailer, site: .vimeo, key: "123", name: "B", height: 1080),
            Video(id: "3", kind: .teaser, site: .youtube, key: key, name: "C", height: 360),
        ]
        let trailers = TMDBLegacyParts.trailers(videos.compactMap { $0 })
        let rows: OrderedJSON = [
            ["name": "A", "size": "HD", "source": .string(key), "type": "Trailer"],
            ["name": "C", "size": "HQ", "source": .string(key), "type": "Teaser"],
        ]
        #expect(trailers == ["quicktime": [], "youtube": rows])
    }

    @Test func listsOfAnAccountThatAreOfNothingHereAreEmpty() async throws {
        try await CatalogueFixture.common.run { client in
            let session = try await client.signIn()
            let guest = try await client.get("authentication/guest_session/new").json["guest_session_id"]?.string ?? ""
            let lists = ["lists", "favorite/tv", "rated/tv", "watchlist/tv", "rated/tv/episodes"]
            var targets = lists.map { "account/1/\($0)?session_id=\(session)" }
            targets.append("guest_session/\(guest)/rated/tv")
            for target in targets {
                let page = try await client.get(target)
                #expect(page.status == 200, "\(target)")
                #expect(try page.json["results"] == [] && page.json["page"] == 1)
            }
            #expect(try await client.get("account/1/lists").status == 401)
        }
    }
}
