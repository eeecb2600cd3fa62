extension PosterDecision.Verdict {
    /// Of a picture that its origin does not have any more.
    static let gone = PosterDecision.Verdict.rejected(reason: "it is not there any more")
}

extension PosterDecision {
    /// Pictures that were found not to be there any more.
    var gone: Set<PictureLocation> {
        Set(self.candidates.lazy.filter { $0.verdict == .gone }.map(\.candidate.location))
    }

    /// That a source could not be asked which may have had it.
    public var isUncertain: Bool { self.failure != nil }

    /// The first failure that may be over another time; nil when there was none.
    public var failure: SourceFailure? {
        self.failures.first { failure in
            if case .off = failure { false } else { true }
        }
    }
}
