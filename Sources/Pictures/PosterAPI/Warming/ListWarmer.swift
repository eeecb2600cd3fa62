public import PosterPipeline
import Synchronization

/// Has the posters of a list that was just served ready, as clients asked for others lately.
///
/// Each list in turn takes the place of the one before it of the same kind: what was not made by then is not made. What is made comes after
/// everything that somebody waits for.
public final class ListWarmer: Sendable {
    /// How many of the renderings that were asked for lately are made of each poster.
    static let targetLimit = 3
    /// The most posters of a list.
    static let posterLimit = 50
    /// The most lists under way; the oldest makes room.
    static let listLimit = 8

    private struct Run {
        let id: Int
        let posters: [PosterID]
        let task: Task<Void, Never>
    }

    private struct State {
        var lastID = 0
        var runs: [ServedList.Kind: Run] = [:]
        var isClosed = false
    }

    private let warmer: Warmer
    private let targets: FrequentTargets
    private let state = Mutex(State())

    /// - Parameters:
    ///   - warmer: One of its own would be best: it says how much is made at once for one list.
    ///   - targets: What clients asked for.
    public init(warmer: Warmer, targets: FrequentTargets) {
        self.warmer = warmer
        self.targets = targets
    }

    /// How many lists are under way.
    public var listCount: Int { self.state.withLock { $0.runs.count } }

    /// Takes a list's posters in; returns at once.
    public func listServed(_ list: ServedList) {
        let targets = self.targets.top(Self.targetLimit)
        let requests = self.warmer.missing(
            list.posters.prefix(Self.posterLimit).flatMap { id in
                targets.map { PosterRequest(id: id, rendition: .variant($0)) }
            })
        let warmer = self.warmer
        let superseded = self.state.withLock { state -> [Run] in
            // The same again is under way already.
            guard !state.isClosed, state.runs[list.kind]?.posters != list.posters else { return [] }
            var superseded = state.runs.removeValue(forKey: list.kind).map { [$0] } ?? []
            guard !requests.isEmpty else { return superseded }
            if state.runs.count >= Self.listLimit, let oldest = state.runs.min(by: { $0.value.id < $1.value.id }) {
                state.runs[oldest.key] = nil
                superseded.append(oldest.value)
            }
            state.lastID += 1
            let id = state.lastID
            // Belongs to this object: it ends with its requests, when it is superseded, or with `close`.
            let task = Task(priority: .background) {
                do {
                    // Why a poster could not be made is told to whoever asks for it.
                    _ = try await warmer.run(requests) { _ in }
                } catch {
                    // Superseded, or the service stops.
                }
                self.end(list.kind, id)
            }
            state.runs[list.kind] = Run(id: id, posters: list.posters, task: task)
            return superseded
        }
        for run in superseded { run.task.cancel() }
    }

    /// Stops what is under way, and takes nothing in any more.
    public func close() {
        let runs = self.state.withLock { state in
            state.isClosed = true
            defer { state.runs = [:] }
            return Array(state.runs.values)
        }
        for run in runs { run.task.cancel() }
    }

    private func end(_ kind: ServedList.Kind, _ id: Int) {
        let run = self.state.withLock { state in
            state.runs[kind]?.id == id ? state.runs.removeValue(forKey: kind) : nil
        }
        withExtendedLifetime(run) {}
    }
}
