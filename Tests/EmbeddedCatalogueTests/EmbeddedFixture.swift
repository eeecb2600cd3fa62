import EmbeddedCatalogue
import MovieDomain
import MovieLibrary
import MovieTesting

/// The embedded catalogue in an in-memory database, with a clock set by tests.
struct EmbeddedFixture {
    /// Read once, because that takes most of a second without optimisation.
    static let resource = Result { try CatalogueResource() }

    let library: LibraryDatabase
    let films: CatalogueDatabase
    let clock = ManualTimeOfDay(1_780_000_000)

    var movies: EmbeddedMovies { EmbeddedMovies(self.films) }
    var catalogue: EmbeddedMovieCatalogue { EmbeddedMovieCatalogue(self.films, now: self.clock.now) }
    var people: EmbeddedPeople { EmbeddedPeople(self.films) }
    var boxOffice: EmbeddedBoxOffice { EmbeddedBoxOffice(self.films, now: self.clock.now) }

    /// In Seoul.
    var today: CalendarDate { self.clock.now().date(secondsFromGreenwich: 9 * 3600) }

    init() throws {
        self.library = try LibraryDatabase()
        self.films = CatalogueDatabase(self.library)
        try self.films.importCatalogue(Self.resource.get())
    }
}
