import MovieDomain
import UpstreamClient

/// TMDB's own status codes, which are more specific than HTTP's.
enum TMDBStatus {
    /// The size limit of a response that consists of a status, in bytes.
    private static let maxByteCount = 4096

    /// The `status_code`; `nil` for a response without one, such as a proxy's HTML page.
    static func code(of answer: UpstreamResponse) -> Int? {
        guard answer.body.count <= Self.maxByteCount else { return nil }
        do throws(UnreadableResponse) {
            return try TolerantJSON.object(answer.body).integer("status_code")
        } catch {
            return nil
        }
    }

    /// The service's key is rejected (not a user's session).
    private static let keyCodes: Set<Int> = [7, 10]
    /// Invalid id, nothing found, no such resource.
    private static let missingCodes: Set<Int> = [6, 21, 34]
    /// The session has expired, or lacks the permission.
    private static let sessionCodes: Set<Int> = [3, 14, 17, 31, 32, 36, 37, 38, 39, 45]

    @Sendable
    static func verdict(_ answer: UpstreamResponse) -> ResponseClassification {
        let code = Self.code(of: answer)
        switch code {
        case .some(let code) where Self.keyCodes.contains(code): return .failure(.keyRefused(.tmdb))
        case .some(let code) where Self.missingCodes.contains(code): return .missing
        case 24: return .failure(.tooSlow(.tmdb))
        // Sent by a network in between: TMDB's own refusals are JSON objects with `success` or a code.
        case nil where [401, 403, 404].contains(answer.status) && !Self.isStatus(answer):
            return .failure(.unavailable(.tmdb, reason: "status \(answer.status)"))
        default: return .byStatus
        }
    }

    /// The request's parameters, id or page are invalid, or the list is private.
    private static let refusalCodes: Set<Int> = [5, 6, 18, 20, 22, 23, 27, 28, 29, 39, 47]
    private static let refusalStatuses: Set<Int> = [400, 401, 404, 422]

    /// Whether the response refuses the client's parameters, rather than this service or its key.
    @Sendable
    static func isRefusal(_ answer: UpstreamResponse) -> Bool {
        guard Self.refusalStatuses.contains(answer.status) else { return false }
        if let code = Self.code(of: answer) { return Self.refusalCodes.contains(code) }
        // For example a search without a text.
        guard answer.status == 422, answer.body.count <= Self.maxByteCount,
            let object = try? TolerantJSON.object(answer.body)
        else { return false }
        return object.has("errors")
    }

    /// Created, updated, deleted.
    private static let doneCodes: Set<Int> = [1, 12, 13]

    /// Whether the response confirms a change.
    static func isDone(_ answer: UpstreamResponse) -> Bool {
        Self.code(of: answer).map { Self.doneCodes.contains($0) } ?? false
    }

    /// Whether the response confirms a creation rather than an update.
    static func isNew(_ answer: UpstreamResponse) -> Bool { Self.code(of: answer) == 1 }

    /// Whether the response says that there is nothing to change.
    static func isUnchanged(_ answer: UpstreamResponse) -> Bool { Self.code(of: answer) == 40 }

    static func isSessionOver(_ answer: UpstreamResponse) -> Bool {
        guard answer.status >= 400, let code = Self.code(of: answer) else { return false }
        return Self.sessionCodes.contains(code)
    }

    private static func isStatus(_ answer: UpstreamResponse) -> Bool {
        guard answer.body.count <= Self.maxByteCount, let object = try? TolerantJSON.object(answer.body) else {
            return false
        }
        return object.has("success")
    }
}
