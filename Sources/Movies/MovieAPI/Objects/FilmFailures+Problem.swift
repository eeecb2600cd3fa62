import HTTPSemantics
import HTTPServer
import MovieDomain

extension Problem {
    static func unknownMovie(_ id: MovieID) -> Problem {
        Problem(.unknownMovie, "\(id.source.name) knows no film '\(id.key)'")
    }
}

extension UnknownMovie: ProblemCause {
    var problem: Problem { .unknownMovie(self.id) }
}

extension ShowBoxOffice.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .noFigures(_, let known):
            Problem(
                .invalidParameter, "date must be a day from \(known.lowerBound) to \(known.upperBound), as YYYY-MM-DD")
        }
    }
}
