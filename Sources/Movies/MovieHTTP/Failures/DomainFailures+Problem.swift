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
                .sourceBusy, "\(name) is not asked again before \(seconds) seconds have passed",
                retryAfterSeconds: seconds)
        case .tooSlow: return Problem(.sourceTooSlow, "\(name) took too long to answer")
        case .unavailable: return Problem(.sourceUnavailable, "\(name) cannot be reached, or fails")
        case .badAnswer(_, let reason):
            return Problem(.sourceUnavailable, "\(name) sent an unusable response: \(reason)")
        }
    }
}

extension StorageFailure: ProblemConvertible {
    /// `Retry-After` of storage failures, in seconds.
    private static let retrySeconds = 10

    package var problem: Problem {
        Problem(.storageFailed, "what is kept cannot be read or written", retryAfterSeconds: Self.retrySeconds)
    }
}

extension Problem {
    package static func unknownMovie(_ id: MovieID) -> Problem {
        Problem(.unknownMovie, "\(id.source.name) knows no film '\(id.key)'")
    }
}

extension UnknownMovie: ProblemConvertible {
    package var problem: Problem { .unknownMovie(self.id) }
}

extension UnknownCollection: ProblemConvertible {
    package var problem: Problem {
        Problem(.unknownCollection, "\(self.id.source.name) knows no collection '\(self.id.key)'")
    }
}

extension UnknownPerson: ProblemConvertible {
    package var problem: Problem {
        Problem(.unknownPerson, "\(self.id.source.name) knows no person '\(self.id.key)'")
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
                "\(field.rawValue): the box office of \(source.name) has none; that of KOBIS has, with --kobis-key")
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
                ? Problem(.unknownMovie, "\(keeper.name) knows no film \(id)")
                : Problem(
                    .unknownMovie, "ratings are kept by \(keeper.name), which knows no films of \(id.source.name)")
        }
    }
}

extension AddFavourite.Failure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknownMovie(let id): Problem(.unknownMovie, "\(id.source.name) knows no film \(id)")
        case .tooMany(let limit):
            Problem(.tooManyFavourites, "there are \(limit) favourites, which is the most; delete one first")
        }
    }
}

extension SessionSourceDisabled: ProblemConvertible {
    package var problem: Problem {
        let cause =
            self.source == .embedded
            ? "here people sign in at another source now" : "this server has no key for it now"
        return Problem(
            .sourceOff,
            "the session is of \(self.source.name), and \(cause); it is kept, and holds again when that is as it was")
    }
}
