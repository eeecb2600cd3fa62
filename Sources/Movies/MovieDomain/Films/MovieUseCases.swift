/// A film with all that its source, and who adds to it, tell at once.
public struct ShowMovie: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Its source knows no such film.
        case unknownMovie(MovieID)
        /// Its source gave no answer.
        case source(SourceFailure)
    }

    private let sources: MovieRepositories
    private let supplements: (any SupplementRepository)?

    /// - Parameters:
    ///   - sources: Who knows which films.
    ///   - supplements: Adds to what they tell; nil for nobody.
    public init(sources: MovieRepositories, supplements: (any SupplementRepository)? = nil) {
        self.sources = sources
        self.supplements = supplements
    }

    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        let movie = try await self.movie(id, language: language)
        guard let imdbID = movie.imdbID, let supplements, supplements.source != id.source else {
            return MovieDetails(movie: movie, sources: [id.source])
        }
        do {
            guard let supplement = try await supplements.supplement(imdbID: imdbID) else {
                return MovieDetails(movie: movie, sources: [id.source])
            }
            return MovieDetails(movie: movie.adding(supplement), sources: [id.source, supplements.source])
        } catch let failure as SourceFailure {
            return MovieDetails(movie: movie, sources: [id.source], missing: [failure])
        }
    }

    private func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie {
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let movie = try await repository.movie(id, language: language) else {
                throw Failure.unknownMovie(id)
            }
            return movie
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}

/// A film, and who told what of it.
public struct MovieDetails: Hashable, Sendable {
    /// With everybody's facts.
    public let movie: Movie
    /// The film's own first.
    public let sources: [MovieSource]
    /// Why others could not add theirs.
    public let missing: [SourceFailure]

    /// A film, and who told what of it.
    public init(movie: Movie, sources: [MovieSource], missing: [SourceFailure] = []) {
        self.movie = movie
        self.sources = sources
        self.missing = missing
    }
}

/// All who made a film.
public struct ShowCredits: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Its source knows no such film.
        case unknownMovie(MovieID)
        /// Its source gave no answer.
        case source(SourceFailure)
    }

    private let sources: MovieRepositories

    /// - Parameter sources: Who knows which films.
    public init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        of id: MovieID, language: LanguagePreference
    ) async throws -> Credits {
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let answer = try await repository.credits(of: id, language: language) else {
                throw Failure.unknownMovie(id)
            }
            return answer
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}

/// A page of what people wrote about a film.
public struct ShowReviews: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Its source knows no such film.
        case unknownMovie(MovieID)
        /// Its source gave no answer.
        case source(SourceFailure)
    }

    private let sources: MovieRepositories

    /// - Parameter sources: Who knows which films.
    public init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        of id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<Review> {
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let answer = try await repository.reviews(of: id, page: page, language: language) else {
                throw Failure.unknownMovie(id)
            }
            return answer
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}

/// A page of films like another.
public struct ShowSimilar: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Its source knows no such film.
        case unknownMovie(MovieID)
        /// Its source gave no answer.
        case source(SourceFailure)
    }

    private let sources: MovieRepositories

    /// - Parameter sources: Who knows which films.
    public init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let answer = try await repository.similar(to: id, page: page, language: language) else {
                throw Failure.unknownMovie(id)
            }
            return answer
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}
