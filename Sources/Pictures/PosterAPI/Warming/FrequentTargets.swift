public import PosterCodec
import Synchronization

/// Which pictures clients asked for lately: how wide, in which format. Safe from any thread.
///
/// It counts a bounded number of them, and halves all counts now and then, so that what nobody asks for any more is forgotten.
public final class FrequentTargets: Sendable {
    /// The most that are counted.
    static let limit = 64
    /// After how many requests all counts are halved.
    static let period = 1024

    private struct State {
        var counts: [RenderTarget: Int] = [:]
        var requests = 0
    }

    private let state = Mutex(State())

    /// Nobody has asked for anything.
    public init() {}

    /// Counts a request.
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

    /// The most frequent ones, the most frequent first.
    public func top(_ count: Int) -> [RenderTarget] {
        let counts = self.state.withLock { $0.counts }
        let sorted = counts.sorted { left, right in
            // Of equal ones the smaller: it is made sooner.
            (right.value, left.key.width ?? .max) < (left.value, right.key.width ?? .max)
        }
        return sorted.prefix(max(0, count)).map(\.key)
    }
}
