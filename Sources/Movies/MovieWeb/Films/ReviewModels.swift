import MovieDomain

/// A film's reviews in pages.
struct ReviewModels: Sendable {
    let formats: PageFormats
    let source: MovieSource

    func models(_ reviews: some Sequence<Review>) -> [Model] { reviews.map(self.model) }

    private func model(_ review: Review) -> Model {
        let day = review.createdAt?.date()
        let whole: Model = ["paragraphs": review.content.paragraphs]
        return [
            "author": review.author.isEmpty ? self.source.name : review.author,
            "score": review.score.map { self.formats("filmReviewScore", ["score": self.score($0)]) },
            "date": day.map { ["iso": $0.description, "text": self.formats.long($0)] as Model },
            "preview": review.isTruncated ? review.preview + "…" : review.preview,
            "whole": review.isTruncated ? whole : nil, "url": review.url.flatMap { OuterLink($0)?.description },
        ]
    }

    /// Omits a decimal of zero.
    private func score(_ score: Double) -> String {
        score == score.rounded() ? String(Int(score)) : self.formats.score(score)
    }
}
