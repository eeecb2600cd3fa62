import MovieDomain
import UpstreamClient

/// What TMDB says beside HTTP: its own status codes, which are the finer ones.
enum TMDBStatus {
    /// The largest answer that may be nothing but a status, in bytes.
    private static let maxByteCount = 4096

    /// `status_code`; nil for an answer that has none, such as a page for people of a network in between.
    static func code(of answer: UpstreamResponse) -> Int? {
        guard answer.body.count <= Self.maxByteCount else { return nil }
        do throws(UnreadableResponse) {
            return try TolerantJSON.object(answer.body).integer("status_code")
        } catch {
            return nil
        }
    }

    /// Whether our key is refused, and not a user's session.
    private static let keyCodes: Set<Int> = [7, 10]
    /// There is no such thing: wrong id, nothing found, no such resource.
    private static let missingCodes: Set<Int> = [6, 21, 34]
    /// A session that holds no more, or that may not do that.
    private static let sessionCodes: Set<Int> = [3, 14, 17, 31, 32, 36, 37, 38, 39, 45]

    /// For ``UpstreamClient``.
    @Sendable
    static func verdict(_ answer: UpstreamResponse) -> ResponseClassification {
        let code = Self.code(of: answer)
        switch code {
        case .some(let code) where Self.keyCodes.contains(code): return .failure(.keyRefused(.tmdb))
        case .some(let code) where Self.missingCodes.contains(code): return .missing
        case 24: return .failure(.tooSlow(.tmdb))
        case nil where [401, 403, 404].contains(answer.status) && !Self.isJSON(answer):
            return .failure(.unavailable(.tmdb, reason: "status \(answer.status) from a network in between"))
        default: return .byStatus
        }
    }

    /// Done, replaced, deleted.
    private static let doneCodes: Set<Int> = [1, 12, 13]

    /// Whether an answer to a request to change something says that it is changed.
    static func isDone(_ answer: UpstreamResponse) -> Bool {
        Self.code(of: answer).map { Self.doneCodes.contains($0) } ?? false
    }

    /// Whether an answer to a request with a session says that the session is over.
    static func isSessionOver(_ answer: UpstreamResponse) -> Bool {
        guard answer.status >= 400, let code = Self.code(of: answer) else { return false }
        return Self.sessionCodes.contains(code)
    }

    private static func isJSON(_ answer: UpstreamResponse) -> Bool {
        answer.contentType?.lowercased().contains("json") ?? false
    }
}
