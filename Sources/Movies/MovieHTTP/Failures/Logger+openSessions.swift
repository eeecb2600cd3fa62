package import Logging
package import MovieDomain

extension Logger {
    /// Logs that a sign-out or erasure has ended sessions here while the source failed to end its own.
    package func noticeOpenSessions(_ failure: SourceFailure) {
        self.notice(
            "A session has ended on this server, but possibly not at the source",
            metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
    }
}
