import CoreMetrics
import HTTPFetch
import PosterPipeline
import Synchronization

/// Counters and timers of fetches by origin and outcome, for swift-metrics.
///
/// The lock guards the set of series.
final class FetchMetrics: Sendable {
    /// Maximum number of origins with separate series; further ones are counted as `other`.
    static let originLimit = 64
    private static let otherOrigin = "other"

    private struct Key: Hashable {
        let origin: String
        let outcome: FetchOutcome
    }

    private struct Series: Sendable {
        let fetches: Counter
        let duration: Timer
    }

    private struct State {
        var origins: Set<String> = []
        var series: [Key: Series] = [:]
    }

    private let metrics: any MetricsFactory
    private let state = Mutex(State())

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
    }

    /// - Parameter origin: Scheme, host and port; `nil` if the URL has none.
    func record(_ outcome: FetchOutcome, origin: String?, nanoseconds: UInt64) {
        let series = self.series(outcome, origin)
        series.fetches.increment()
        series.duration.recordNanoseconds(Int64(clamping: nanoseconds))
    }

    private func series(_ outcome: FetchOutcome, _ origin: String?) -> Series {
        let (key, known) = self.state.withLock { state -> (Key, Series?) in
            var name = origin ?? Self.otherOrigin
            if !state.origins.contains(name) {
                if state.origins.count < Self.originLimit {
                    state.origins.insert(name)
                } else {
                    name = Self.otherOrigin
                }
            }
            let key = Key(origin: name, outcome: outcome)
            return (key, state.series[key])
        }
        if let known { return known }
        let dimensions = [("origin", key.origin), ("outcome", key.outcome.rawValue)]
        let made = Series(
            fetches: Counter(label: "onesheet.fetches", dimensions: dimensions, factory: self.metrics),
            duration: Timer(label: "onesheet.fetch.duration", dimensions: dimensions, factory: self.metrics))
        self.state.withLock { $0.series[key] = made }
        return made
    }
}

enum FetchOutcome: String {
    case fetched
    case notModified = "not-modified"
    case unknown
    case refused
    case busy
    case unavailable
    case tooSlow = "too-slow"
    case unusable
    case overloaded
    case notStored = "not-stored"
    /// Cancelled with its last waiter.
    case cancelled

    init(_ error: any Error) {
        self =
            switch error as? PosterError {
            case .unknownSource, .unknownPoster, .unacceptableKey: .unknown
            case .originRefused: .refused
            case .originBusy: .busy
            case .sourceFailed, .originUnavailable, .originSuspended: .unavailable
            case .originTooSlow: .tooSlow
            case .badOriginal, .unsupportedImage, .overLimit, .tooLarge, .unrenderable: .unusable
            case .overloaded, .cutOff: .overloaded
            case .storageFailed: .notStored
            case nil: error is CancellationError ? .cancelled : .unavailable
            }
    }
}
