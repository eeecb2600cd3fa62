import MovieDomain
import MovieTesting
import Testing

/// KOBIS films supplemented by their TMDB counterparts.
struct CounterpartTests {
    private let id = MovieID("kobis:20228555")!
    private let other = MovieID("tmdb:301")!
    private let korean = ScriptedMovies(source: .kobis)
    private let american = ScriptedMovies(source: .tmdb)
    private let links = MemoryFilmLinks()
    private let finder = ScriptedFilmFinder()
    private let language = LanguagePreference([.korean])

    private var link: FilmLink {
        FilmLink(
            film: self.id, counterpart: self.other, reason: "same title, 2022 in both",
            linkedAt: Instant(secondsSince1970: 1))
    }

    private var show: ShowMovie {
        ShowMovie(
            sources: MovieRepositories([self.korean, self.american]),
            supplements: [ScriptedSupplements(["tt1": .failure(.tooSlow(.omdb))])], identities: self.identities)
    }

    private var identities: FilmIdentities {
        FilmIdentities(
            links: self.links, finder: self.finder, own: [MoviePictureRepository(self.korean)],
            now: { Instant(secondsSince1970: 1) })
    }

    private var own: Movie {
        get throws {
            Movie(
                summary: try #require(
                    MovieSummary(
                        id: self.id, title: "브로커", originalTitle: "Broker", releaseDate: CalendarDate("2022-06-08"),
                        year: 2022, directors: ["고레에다 히로카즈"])),
                runtimeMinutes: 129,
                credits: Credits(cast: [.init(name: "송강호", role: "상현")], crew: []),
                information: [])
        }
    }

    private var counterpart: Movie {
        get throws {
            Movie(
                summary: try #require(
                    MovieSummary(
                        id: self.other, title: "브로커 (TMDB)", originalTitle: "브로커", originalLanguage: .korean,
                        overview: "베이비 박스", releaseDate: CalendarDate("2022-05-26"),
                        score: AudienceScore(average: 7.25, count: 40),
                        poster: PosterReference(.tmdb(file: "p.jpg")))),
                tagline: "오늘부터", runtimeMinutes: 130,
                credits: Credits(cast: [.init(name: "Song Kang-ho", role: "")], crew: []),
                gallery: [GalleryPicture(kind: .still, location: .tmdb(file: "s.jpg"))],
                reviews: [Review(id: "r1", author: "a", content: "b")], imdbID: "tt1")
        }
    }

    private func fill() throws {
        self.korean.add(try self.own)
        self.american.add(
            try self.counterpart, reviews: [Review(id: "r1", author: "a", content: "b")],
            similar: [.whole(MovieID("tmdb:302")!)])
        self.finder.set(.success([FoundFilm(id: self.other, title: "브로커", originalTitle: "", year: 2022)]))
    }

    @Test func aFilmHasTheFactsOfItsCounterpart() async throws {
        try self.fill()
        let details = try await self.show(self.id, language: self.language)
        let movie = details.movie
        #expect(details.link == self.link && details.sources == [.kobis, .tmdb])
        #expect(details.missing == [.tooSlow(.omdb)], "scores of others are asked for by the counterpart's IMDb title")
        #expect(movie.id == self.id && movie.summary.title == "브로커" && movie.summary.poster == nil)
        #expect(movie.summary.releaseDate == CalendarDate("2022-06-08") && movie.summary.year == 2022)
        #expect(movie.summary.score?.average == 7.25 && movie.summary.overview == "베이비 박스")
        #expect(movie.tagline == "오늘부터" && movie.runtimeMinutes == 130 && movie.reviews.count == 1)
        #expect(movie.summary.directors == ["고레에다 히로카즈"], "what the counterpart has not")
        #expect(movie.credits.cast.map(\.name) == ["Song Kang-ho"])
        #expect(details.galleryID == self.other, "pictures are the counterpart's")
        #expect(try await self.links.link(of: self.id) == self.link)
        let english = try await self.show(self.id, language: LanguagePreference([.english]))
        #expect(english.movie.summary.title == "브로커 (TMDB)")
        #expect(self.finder.questionCount == 1)
    }

    @Test func creditsReviewsAndSimilarFilmsAreTheCounterparts() async throws {
        try self.fill()
        let credits = try await self.show.credits(of: self.id, language: self.language)
        #expect(credits.source == .tmdb && credits.value.cast.map(\.name) == ["Song Kang-ho"])
        let reviews = try await self.show.reviews(of: self.id, page: 1, language: self.language)
        #expect(reviews.source == .tmdb && reviews.value.results.map(\.id) == ["r1"])
        let similar = try await self.show.similar(to: self.id, page: 1, language: self.language)
        #expect(similar.source == .tmdb && similar.value.results.map(\.id) == [MovieID("tmdb:302")])
    }

    @Test func picturesVideosRecommendationsAndOffersAreTheCounterparts() async throws {
        try self.fill()
        var counterpart = try self.counterpart
        let english = try #require(Video(id: "1", kind: .trailer, site: .vimeo, key: "1", name: "", language: .english))
        let korean = try #require(Video(id: "2", kind: .clip, site: .vimeo, key: "2", name: "", language: .korean))
        counterpart.videos = [english, korean]
        self.american.add(counterpart)
        self.american.set(recommendations: [.whole(try #require(MovieID("tmdb:303")))], for: self.other)
        let offers = FilmOffers(byCountry: [.korea: WatchOffers([.rent: [.init(id: "1", name: "A")]])])
        self.american.set(offers: offers, of: self.other)
        let videos = try await self.show.videos(of: self.id, language: self.language)
        #expect(videos.value == [korean, english] && videos.source == .tmdb, "those in the language first")
        let images = try await self.show.images(of: self.id)
        #expect(images.id == self.other && images.images.map(\.picture.kind) == [.poster, .still])
        #expect(images.images.map(\.place) == [nil, 1])
        let recommended = try await self.show.recommendations(for: self.id, page: 1, language: self.language)
        #expect(recommended.value.results.map(\.id.description) == ["tmdb:303"] && recommended.source == .tmdb)
        let found = try await self.show.offers(of: self.id)
        #expect(found.value == offers && found.source == .tmdb)
    }

    @Test(arguments: [nil, .tooSlow(.tmdb)] as [SourceFailure?])
    func itsOwnPicturesAreThereWhenTheCounterpartHasNone(failure: SourceFailure?) async throws {
        try self.fill()
        try await self.links.keep(self.link)
        var own = try self.own
        own.gallery = [GalleryPicture(kind: .still, location: .web(url: "https://a.test/s.jpg"))]
        self.korean.add(own)
        self.american.set(images: [], of: self.other)
        self.american.fail(with: failure)
        let images = try await self.show.images(of: self.id)
        #expect(images.id == self.id && images.images.map(\.picture) == own.gallery)
        #expect(images.missing == [failure].compactMap { $0 })
    }

    @Test func aSourceWithoutCapabilitiesAnswersWithNothing() async throws {
        try self.fill()
        self.finder.set(.success([]))
        #expect(try await self.show.videos(of: self.id, language: self.language).value.isEmpty)
        let images = try await self.show.images(of: self.id)
        #expect(images.id == self.id && images.images.isEmpty)
        let offers = try await self.show.offers(of: self.id)
        #expect(offers.value == .none && offers.source == .kobis)
        let page = try await self.show.recommendations(for: self.id, page: 2, language: self.language)
        #expect(page.value.results.isEmpty && page.value.totalPages == 0)
    }

    /// Also covers videos, keywords and collections.
    @Test func itsOwnReleasesReplaceThoseOfTheirKindAndCountry() async throws {
        try self.fill()
        var (own, counterpart) = (try self.own, try self.counterpart)
        let date = CalendarDate("2022-06-08")
        own.releases = [Release(country: .korea, date: date, kind: .theatrical)]
        counterpart.summary.backdrop = PosterReference(.tmdb(file: "b.jpg"))
        counterpart.keywords = [Keyword(tmdb: 818, name: "based on novel or book")]
        counterpart.collection = CollectionReference(id: try #require(CollectionID("tmdb:10")), name: "C")
        counterpart.releases = [
            Release(country: .korea, date: CalendarDate("2022-06-09"), kind: .theatrical),
            Release(country: .korea, date: CalendarDate("2022-08-01"), kind: .digital),
            Release(country: .japan, date: CalendarDate("2022-06-24"), kind: .theatrical),
        ]
        self.korean.add(own)
        self.american.add(counterpart)
        let movie = try await self.show(self.id, language: self.language).movie
        #expect(movie.releases == own.releases + counterpart.releases.dropFirst())
        #expect(movie.release(in: .korea)?.date == date)
        #expect(movie.keywords == counterpart.keywords && movie.collection == counterpart.collection)
        #expect(movie.summary.backdrop == counterpart.summary.backdrop)
    }

    @Test func withoutACertainCounterpartAFilmIsItsOwn() async throws {
        try self.fill()
        self.finder.set(.success([]))
        let details = try await self.show(self.id, language: self.language)
        #expect(details.movie == (try self.own) && details.link == nil && details.missing.isEmpty)
        #expect(details.sources == [.kobis] && details.galleryID == self.id)
        let reviews = try await self.show.reviews(of: self.id, page: 1, language: self.language)
        #expect(reviews.source == .kobis && reviews.value.results.isEmpty)
        let credits = try await self.show.credits(of: self.id, language: self.language)
        #expect(credits.source == .kobis && credits.value.cast.map(\.name) == ["송강호"])
    }

    @Test(arguments: [true, false])
    func aCounterpartThatFailsIsNamed(isLinked: Bool) async throws {
        try self.fill()
        if isLinked { try await self.links.keep(self.link) }
        let failure = SourceFailure.tooSlow(.tmdb)
        self.american.fail(with: failure)
        self.finder.set(.failure(failure))
        let details = try await self.show(self.id, language: self.language)
        #expect(details.movie == (try self.own) && details.missing == [failure])
        #expect(details.link == (isLinked ? self.link : nil))
        let credits = try await self.show.credits(of: self.id, language: self.language)
        #expect(credits.source == .kobis, "its own source has credits too")
        await #expect(throws: failure) {
            try await self.show.reviews(of: self.id, page: 1, language: self.language)
        }
        await #expect(throws: failure) {
            try await self.show.similar(to: self.id, page: 1, language: self.language)
        }
        await #expect(throws: failure) { try await self.show.videos(of: self.id, language: self.language) }
        await #expect(throws: failure) { try await self.show.images(of: self.id) }
        await #expect(throws: failure) { try await self.show.offers(of: self.id) }
    }

    @Test func aCounterpartWhoseSourceIsOffIsLeftOut() async throws {
        try self.fill()
        try await self.links.keep(self.link)
        let show = ShowMovie(
            sources: MovieRepositories([self.korean], off: [.tmdb: "--tmdb-key"]), identities: self.identities)
        let details = try await show(self.id, language: self.language)
        #expect(details.movie == (try self.own) && details.missing.isEmpty)
        #expect(try await show.reviews(of: self.id, page: 1, language: self.language).source == .kobis)
        #expect(try await show.credits(of: self.id, language: self.language).source == .kobis)
    }

    @Test func anUnknownFilmIsUnknown() async throws {
        try self.fill()
        let unknown = try #require(MovieID("kobis:1"))
        await #expect(throws: UnknownMovie(unknown)) { try await self.show(unknown, language: self.language) }
        await #expect(throws: UnknownMovie(unknown)) {
            try await self.show.similar(to: unknown, page: 1, language: self.language)
        }
        await #expect(throws: UnknownMovie(unknown)) { try await self.show.images(of: unknown) }
        await #expect(throws: UnknownMovie(unknown)) { try await self.show.offers(of: unknown) }
    }

    @Test func aRatingIsTheCounterparts() async throws {
        try self.fill()
        let accounts = ScriptedAccounts(source: .tmdb, known: [self.other])
        let rating = try #require(Rating(8.5))
        let authenticated = AuthenticatedAccounts(
            accounts: accounts, sessions: MemorySessions(), identities: self.identities,
            now: { Instant(secondsSince1970: 1) })
        let upstream = UpstreamSession(source: .tmdb, secret: "s", accountID: "7")
        let session = Session(
            owner: .account(.tmdb, id: "7"), upstream: upstream, expiresAt: Instant(secondsSince1970: 99))
        let holder = AuthenticatedSession(token: AccessToken(), session: session)
        try await authenticated.rate(self.id, rating, for: holder)
        #expect(try await accounts.rating(of: self.other, with: upstream) == rating)
        #expect(try await authenticated.rating(of: self.id, for: holder) == rating)
        let ratings = try await authenticated.ratings(
            of: [self.id, self.other, #require(MovieID("kobis:1"))], for: holder)
        #expect(ratings == [self.id: rating, self.other: rating])
        try await authenticated.rate(self.id, nil, for: holder)
        #expect(try await authenticated.rating(of: self.other, for: holder) == nil)
        let unlinked = try #require(MovieID("kobis:1"))
        await #expect(throws: AccountFailure.unknownMovie(unlinked, to: .tmdb)) {
            try await authenticated.rate(unlinked, rating, for: holder)
        }
        await #expect(throws: AccountFailure.unknownMovie(unlinked, to: .tmdb)) {
            try await authenticated.rating(of: unlinked, for: holder)
        }
    }
}
