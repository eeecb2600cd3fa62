import MovieDomain
import Synchronization

/// Which posters answers have shown lately, so that no film has to be asked for its own.
///
/// Under the lock: two generations of a table; every operation is O(1), but that the older one goes when the younger is full.
final class TMDBPosterMemory: Sendable {
    private struct State {
        var young: [MovieID: PictureLocation?] = [:]
        var old: [MovieID: PictureLocation?] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: Films remembered at most, `8192` by default; about half of them are forgotten at once.
    init(limit: Int = 8192) {
        self.limit = max(2, limit)
    }

    /// nil when nothing is remembered, and nil within when there is none.
    func poster(of id: MovieID) -> PictureLocation?? {
        self.state.withLock { $0.young[id] ?? $0.old[id] }
    }

    func note(_ rows: [(id: MovieID, poster: PictureLocation?)]) {
        let gone = self.state.withLock { state -> [MovieID: PictureLocation?] in
            var gone: [MovieID: PictureLocation?] = [:]
            for row in rows {
                if state.young.count >= self.limit / 2 {
                    (gone, state.old, state.young) = (state.old, state.young, [:])
                }
                state.young[row.id] = .some(row.poster)
            }
            return gone
        }
        withExtendedLifetime(gone) {}
    }
}
