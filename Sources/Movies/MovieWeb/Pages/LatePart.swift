import HTTPSemantics
import MovieDomain

/// A part of a page that the page waits for only briefly.
enum LatePart {
    /// Runs a use case with the time limit of supplements. Late requests to sources continue after the response.
    ///
    /// - Returns: `nil` if the value is late or a source fails, which is recorded as a gap.
    /// - Throws: Other errors of `body`; `CancellationError`.
    static func value<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value? {
        do {
            return try await Supplement.ask { try await body() }
        } catch is SourceFailure {
            FreshnessRecorder.current?.recordGap()
            return nil
        }
    }

    /// A link to the part's own page; scripts replace the link by the part.
    ///
    /// - Parameters:
    ///   - url: The page with the part.
    ///   - part: The address from which scripts load the part; `nil` for `url`.
    ///   - selector: The elements of that page that replace the link.
    static func markup(
        url: String, part: String? = nil, heading: String, selector: String = "main .row", in request: PageRequest
    ) -> Markup {
        request.render("late", ["url": url, "part": part ?? url, "heading": heading, "selector": selector])
    }
}
