import MovieDomain

extension Problem {
    static func unknownMovie(_ id: MovieID) -> Problem {
        Problem(.unknownMovie, "\(id.source.name) knows no film '\(id.key)'")
    }
}

extension ShowHome.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .source(let failure): failure.problem
        }
    }
}

extension ShowMovieList.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .source(let failure): failure.problem
        }
    }
}

extension SearchMovies.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .source(let failure): failure.problem
        }
    }
}

extension ShowGenres.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .source(let failure): failure.problem
        }
    }
}

extension ShowMovie.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownMovie(let id): .unknownMovie(id)
        case .source(let failure): failure.problem
        }
    }
}

extension ShowCredits.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownMovie(let id): .unknownMovie(id)
        case .source(let failure): failure.problem
        }
    }
}

extension ShowReviews.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownMovie(let id): .unknownMovie(id)
        case .source(let failure): failure.problem
        }
    }
}

extension ShowSimilar.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownMovie(let id): .unknownMovie(id)
        case .source(let failure): failure.problem
        }
    }
}

extension ShowBoxOffice.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .noFigures(_, let known):
            Problem(
                .invalidParameter, "date must be a day from \(known.lowerBound) to \(known.upperBound), as YYYY-MM-DD")
        case .source(let failure): failure.problem
        }
    }
}
