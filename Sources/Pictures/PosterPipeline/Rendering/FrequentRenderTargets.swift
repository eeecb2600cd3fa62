package import PosterCodec
import Synchronization

/// Counts render targets (size, format) of recent requests that were not answered from memory: targets likely to be
/// requested of a new poster. Safe from any thread.
///
/// Bounded; all counts are halved periodically, so that unused targets age out. A target counts once per poster, unless
/// two other posters were requested at it meanwhile: so one poster requested in many sizes neither fills the table nor
/// passes for a pattern.
package final class FrequentRenderTargets: Sendable {
    static let limit = 64
    /// Number of counted requests after which all counts are halved.
    static let period = 1024
    /// Minimum share of the counted requests for a target to be recent.
    static let recentShare = 0.02
    /// Widths in pixels, as of film databases, that are assumed until ``ladderRequests`` requests were counted.
    static let defaultLadder = [92, 154, 185, 342, 500, 780]
    static let ladderRequests = 64

    private struct Entry {
        var count = 0
        /// Hashes of the last two counted posters, the newer one first.
        var posters: (Int?, Int?) = (nil, nil)

        func isRequested(besides poster: Int) -> Bool {
            [self.posters.0, self.posters.1].contains { $0 != nil && $0 != poster }
        }
    }

    private struct State {
        var entries: [RenderTarget: Entry] = [:]
        /// Requests counted since the last halving.
        var requests = 0

        var total: Int { self.entries.values.reduce(0) { $0 + $1.count } }

        /// Targets in descending order of their counts.
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

    /// Counts a request, except for badges: other posters have other scores.
    package func note(_ target: RenderTarget, of id: PosterID) {
        guard target.badges == nil else { return }
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

    /// Targets recently requested of other posters, the most frequent first; each has at least ``recentShare`` of the
    /// counted requests.
    package func recent(besides id: PosterID) -> [RenderTarget] {
        let poster = id.hashValue
        return self.state.withLock { state in
            let least = max(2, Int((Double(state.total) * Self.recentShare).rounded(.up)))
            return state.sorted { $0.count >= least && $0.isRequested(besides: poster) }
        }
    }

    /// The frequently requested widths in pixels, ascending.
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
