import HTTPSemantics
import MovieDomain

/// A part of a page for which the page does not wait long.
enum LatePart {
    /// The value of a use case whose sources get only the time that there is for supplements; they go on behind the response.
    ///
    /// - Returns: nil when it is late or a source fails, which is recorded as a gap.
    /// - Throws: What else `body` throws; `CancellationError`.
    static func value<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value? {
        do {
            return try await Supplement.ask { try await body() }
        } catch is SourceFailure {
            FreshnessRecorder.current?.recordGap()
            return nil
        }
    }

    /// A link to the part's own page, which scripts replace by the part.
    ///
    /// - Parameters:
    ///   - url: Of the page that has it.
    ///   - part: The address at which scripts get it; nil for the page's.
    ///   - selector: What of that page takes its place.
    static func markup(
        url: String, part: String? = nil, heading: String, selector: String = "main .row", in request: PageRequest
    ) -> Markup {
        request.render("late", ["url": url, "part": part ?? url, "heading": heading, "selector": selector])
    }
}
