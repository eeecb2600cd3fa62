package import PosterCodec
import Synchronization

/// Counts the most frequent render targets (width, format) of recent requests. Safe from any thread.
///
/// Bounded; all counts are halved periodically, so that unused targets age out.
package final class FrequentRenderTargets: Sendable {
    static let limit = 64
    /// After how many requests all counts are halved.
    static let period = 1024

    private struct State {
        var counts: [RenderTarget: Int] = [:]
        var requests = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts a request for `target`.
    func note(_ target: RenderTarget) {
        self.state.withLock { state in
            if state.counts[target] == nil, state.counts.count >= Self.limit,
                let rarest = state.counts.min(by: { $0.value < $1.value })?.key
            {
                state.counts[rarest] = nil
            }
            state.counts[target, default: 0] += 1
            state.requests += 1
            guard state.requests >= Self.period else { return }
            state.requests = 0
            state.counts = state.counts.compactMapValues { $0 > 1 ? $0 / 2 : nil }
        }
    }

    /// The `count` most frequent targets, in descending order.
    package func top(_ count: Int) -> [RenderTarget] {
        let counts = self.state.withLock { $0.counts }
        let sorted = counts.sorted { left, right in
            // Of equally frequent targets the narrower first: it renders faster.
            (right.value, left.key.width ?? .max) < (left.value, right.key.width ?? .max)
        }
        return sorted.prefix(max(0, count)).map(\.key)
    }
}
