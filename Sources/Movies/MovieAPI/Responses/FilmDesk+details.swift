import HTTPSemantics
import HTTPServer
import MovieDomain
import PosterPipeline

extension FilmDesk {
    /// A film with all that is known of it, as an answer.
    ///
    /// - Throws: `UnknownMovie`, `SourceFailure`, `StorageFailure`, ``Problem``, `CancellationError`.
    func details(of id: MovieID, _ order: FilmOrder) async throws -> JSONAnswer {
        let caller = try await self.callers.caller(order.headers)
        let show = ShowMovie(sources: self.services.sources, supplements: self.services.supplements)
        let details = try await show(id, language: order.language)
        let object = try await self.object(details, of: id, for: caller, language: order.language)
        // What is missing may be there in a second.
        let keeping = details.missing.isEmpty ? caller.keeping(FilmLifetime.details) : .none
        return try self.answer(object, to: caller, keeping: keeping, order)
    }

    /// A film with its sections.
    ///
    /// - Parameter language: Of what the service itself says in them.
    /// - Throws: `StorageFailure`, ``Problem``, `CancellationError`.
    func object(
        _ details: MovieDetails, of id: MovieID, for caller: FilmCaller, language: LanguagePreference
    ) async throws -> MovieObject {
        let films = try await self.films([details.movie.summary], for: caller)
        guard let film = films.first, let posterID = PosterID(id) else { throw Problem.unknownMovie(id) }
        let pictures = self.pictures
        let sections = try details.movie.sections(in: language).map { section throws(Problem) in
            try SectionObject(section, of: posterID, addresses: pictures)
        }
        return MovieObject(details, film: film, sections: sections)
    }
}
