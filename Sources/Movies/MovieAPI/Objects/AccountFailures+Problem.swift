import HTTPSemantics
import HTTPServer
import MovieDomain

extension AccountFailure: ProblemCause {
    var problem: Problem {
        switch self {
        case .noAccount: .accountRequired
        case .sessionExpired: .sessionExpired
        }
    }
}

extension RateMovie.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownMovie(let id, let keeper):
            id.source == keeper
                ? Problem(.unknownMovie, "\(keeper.name) knows no film \(id)")
                : Problem(
                    .unknownMovie, "ratings are kept by \(keeper.name), which knows no films of \(id.source.name)")
        }
    }
}

extension AddFavourite.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownMovie(let id): Problem(.unknownMovie, "\(id.source.name) knows no film \(id)")
        case .tooMany(let limit):
            Problem(.tooManyFavourites, "there are \(limit) favourites, which is the most; delete one first")
        }
    }
}

extension SessionSourceDisabled: ProblemCause {
    var problem: Problem {
        let cause =
            self.source == .embedded
            ? "here people sign in at another source now" : "this server has no key for it now"
        return Problem(
            .sourceOff,
            "the session is of \(self.source.name), and \(cause); it is kept, and holds again when that is as it was")
    }
}
