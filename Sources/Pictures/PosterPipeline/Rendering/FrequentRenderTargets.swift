package import PosterCodec
import Synchronization

/// Counts which render targets (size, format) recent requests had, of those that were not answered from memory at once:
/// they are what a new poster is asked for. Safe from any thread.
///
/// Bounded; all counts are halved periodically, so that unused targets age out. A target counts once for a poster, unless
/// two others were requested at it meanwhile, so that one poster in many sizes neither fills the table nor passes for a
/// habit.
package final class FrequentRenderTargets: Sendable {
    static let limit = 64
    /// After how many counted requests all counts are halved.
    static let period = 1024
    /// The least share of the counted requests that a target has to be recent.
    static let recentShare = 0.02
    /// Widths in pixels that are assumed to be requested before ``ladderRequests`` requests were counted: those of film
    /// databases.
    static let defaultLadder = [92, 154, 185, 342, 500, 780]
    static let ladderRequests = 64

    private struct Entry {
        var count = 0
        /// Hashes of the last two posters that were counted, the newer one first.
        var posters: (Int?, Int?) = (nil, nil)

        func isRequested(besides poster: Int) -> Bool {
            [self.posters.0, self.posters.1].contains { $0 != nil && $0 != poster }
        }
    }

    private struct State {
        var entries: [RenderTarget: Entry] = [:]
        /// Counted requests since the counts were halved.
        var requests = 0

        var total: Int { self.entries.values.reduce(0) { $0 + $1.count } }

        /// In descending order of their counts.
        func sorted(where isIncluded: (Entry) -> Bool) -> [RenderTarget] {
            let sorted = self.entries.filter { isIncluded($0.value) }.sorted { left, right in
                // Of equally frequent targets the narrower first: it renders faster.
                (right.value.count, left.key.width ?? .max) < (left.value.count, right.key.width ?? .max)
            }
            return sorted.map(\.key)
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts a request for a poster at `target`.
    package func note(_ target: RenderTarget, of id: PosterID) {
        let poster = id.hashValue
        self.state.withLock { state in
            var entry = state.entries[target] ?? Entry()
            guard entry.posters.0 != poster, entry.posters.1 != poster else { return }
            if entry.count == 0, state.entries.count >= Self.limit,
                let rarest = state.entries.min(by: { $0.value.count < $1.value.count })?.key
            {
                state.entries[rarest] = nil
            }
            entry.posters = (poster, entry.posters.0)
            entry.count += 1
            state.entries[target] = entry
            state.requests += 1
            guard state.requests >= Self.period else { return }
            state.requests = 0
            state.entries = state.entries.compactMapValues { entry in
                var entry = entry
                entry.count /= 2
                return entry.count > 0 ? entry : nil
            }
        }
    }

    /// The `count` most frequent targets, in descending order.
    package func top(_ count: Int) -> [RenderTarget] {
        Array(self.state.withLock { state in state.sorted { _ in true } }.prefix(max(0, count)))
    }

    /// The targets that other posters were recently requested at, the most frequent first; at least
    /// ``recentShare`` of the counted requests each.
    package func recent(besides id: PosterID) -> [RenderTarget] {
        let poster = id.hashValue
        return self.state.withLock { state in
            let least = max(2, Int((Double(state.total) * Self.recentShare).rounded(.up)))
            return state.sorted { $0.count >= least && $0.isRequested(besides: poster) }
        }
    }

    /// The widths in pixels that are often requested, ascending.
    package var ladder: [Int] {
        let counts = self.state.withLock { state -> [Int: Int]? in
            guard state.total >= Self.ladderRequests else { return nil }
            return state.entries.reduce(into: [:]) { counts, entry in
                if let width = entry.key.width { counts[width, default: 0] += entry.value.count }
            }
        }
        guard let counts else { return Self.defaultLadder }
        let total = counts.values.reduce(0, +)
        let widths = counts.filter { Double($0.value) >= Self.recentShare * Double(total) }.keys.sorted()
        return widths.isEmpty ? Self.defaultLadder : widths
    }
}
