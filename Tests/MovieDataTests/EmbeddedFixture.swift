import MovieData
import MovieDomain
import Synchronization

/// The embedded catalogue in a database in memory, on a day that tests choose.
struct EmbeddedFixture {
    /// The time of day there.
    final class Clock: Sendable {
        private let instant: Mutex<Instant>

        init(_ instant: Instant) {
            self.instant = Mutex(instant)
        }

        var now: Instant { self.instant.withLock { $0 } }

        /// Noon of a day in Seoul.
        func turn(to day: CalendarDate) {
            self.instant.withLock { $0 = Instant(secondsSince1970: Int64(day.dayNumber) * 86_400 + 3 * 3600) }
        }
    }

    let library: LibraryDatabase
    let clock = Clock(Instant(secondsSince1970: 1_780_000_000))

    var movies: EmbeddedMovies { EmbeddedMovies(self.library) }
    var catalogue: EmbeddedCatalogue { EmbeddedCatalogue(self.library) { [clock] in clock.now } }
    var boxOffice: EmbeddedBoxOffice { EmbeddedBoxOffice(self.library) { [clock] in clock.now } }

    /// In Seoul.
    var today: CalendarDate { self.clock.now.date(secondsFromGreenwich: 9 * 3600) }

    init() throws {
        self.library = try LibraryDatabase()
        try self.library.importCatalogue(CatalogueResource())
    }
}
