package import HTTPSemantics
import HTTPServer
package import MovieDomain

extension SourceFailure: ProblemConvertible {
    /// Omits the reason why a source is unreachable, because the reason may name hosts of this network; it is logged.
    package var problem: Problem {
        let name = self.source.name
        switch self {
        case .off(_, let option):
            return .sourceOff(name, option: option)
        case .keyRefused:
            return Problem(.sourceUnavailable, "\(name) does not accept this server's key")
        case .busy(_, let seconds):
            return Problem(
                .sourceBusy, "requests to \(name) are paused for \(seconds) seconds",
                retryAfterSeconds: seconds)
        case .tooSlow: return Problem(.sourceTooSlow, "\(name) did not respond in time")
        case .unavailable: return Problem(.sourceUnavailable, "\(name) cannot be reached, or responds with an error")
        case .badAnswer(_, let reason):
            return Problem(.sourceUnavailable, "\(name) sent an unusable response: \(reason)")
        }
    }
}

extension StorageFailure: ProblemConvertible {
    /// `Retry-After` of storage failures, in seconds.
    private static let retrySeconds = 10

    package var problem: Problem {
        Problem(.storageFailed, "stored data cannot be read or written", retryAfterSeconds: Self.retrySeconds)
    }
}

extension Problem {
    package static func unknownMovie(_ id: MovieID) -> Problem {
        Problem(.unknownMovie, "\(id.source.name) has no film '\(id.key)'")
    }
}

extension UnknownMovie: ProblemConvertible {
    package var problem: Problem { .unknownMovie(self.id) }
}

extension UnknownCollection: ProblemConvertible {
    package var problem: Problem {
        Problem(.unknownCollection, "\(self.id.source.name) has no collection '\(self.id.key)'")
    }
}

extension UnknownPerson: ProblemConvertible {
    package var problem: Problem {
        Problem(.unknownPerson, "\(self.id.source.name) has no person '\(self.id.key)'")
    }
}

extension ShowApp.Failure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknownApp(let id): Problem(.unknownApp, "there is no app \(id) in the store")
        }
    }
}

extension ShowBoxOffice.Failure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .noFigures(_, let known):
            var problem = Problem(
                .invalidParameter, "date must be a day from \(known.lowerBound) to \(known.upperBound), as YYYY-MM-DD")
            problem.bounds = Problem.Bounds(
                earliest: known.lowerBound.description, latest: known.upperBound.description)
            return problem
        case .noFilter(let field, let source):
            return Problem(
                .invalidParameter,
                "\(field.rawValue) is not supported by the box office of \(source.name); --kobis-key enables KOBIS",
                parameter: Problem.Parameter(field.rawValue, .unsupported))
        }
    }
}

extension AccountFailure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .noAccount: .accountRequired
        case .sessionExpired: .sessionExpired
        case .unknownMovie(let id, let keeper):
            id.source == keeper
                ? Problem(.unknownMovie, "\(keeper.name) has no film \(id)")
                : Problem(
                    .unknownMovie, "ratings are stored by \(keeper.name), which has no films of \(id.source.name)")
        }
    }
}

extension AddFavourite.Failure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknownMovie(let id): Problem(.unknownMovie, "\(id.source.name) has no film \(id)")
        case .tooMany(let limit):
            Problem(.tooManyFavourites, "the limit of \(limit) favourites is reached; delete one first")
        }
    }
}

extension SessionSourceDisabled: ProblemConvertible {
    package var problem: Problem {
        let cause =
            self.source == .embedded
            ? "users of this server now sign in at another source" : "this server now has no key for this source"
        return Problem(
            .sourceOff,
            "the session is of \(self.source.name), but \(cause); the session becomes valid again with the earlier "
                + "configuration")
    }
}
