import Synchronization

/// Sessions that nobody has got yet, because the request after theirs failed; the oldest go first.
///
/// Under the lock: the list. Everything is O(n) of at most ``limit``.
final class TMDBOpenSessions: Sendable {
    /// Sessions at most.
    static let limit = 256

    private let sessions = Mutex<[(token: String, secret: String)]>([])

    func keep(_ secret: String, for token: String) {
        self.sessions.withLock { sessions in
            if sessions.count >= Self.limit { sessions.removeFirst() }
            sessions.append((token, secret))
        }
    }

    func take(_ token: String) -> String? {
        self.sessions.withLock { sessions in
            sessions.firstIndex { $0.token == token }.map { sessions.remove(at: $0).secret }
        }
    }
}
