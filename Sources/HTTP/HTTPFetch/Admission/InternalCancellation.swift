import Synchronization

/// Ends a fetch before it ends by itself: at its deadline, or with the fetcher.
///
/// The fetch is cancelled then, wherever it stands; who it is that cancelled it is kept here.
final class InternalCancellation: Sendable {
    private enum Event: Sendable {
        case ended(Result<FetchResponse, any Error>)
        case interrupted
        case dismissed
    }

    private let reason = Mutex<FetchError?>(nil)

    /// Runs a fetch until it ends, `deadline` returns or `stop` is given.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; what `fetch` throws, which in the other cases is up to
    ///   ``naming(_:)``.
    static func watch(
        until deadline: @escaping @Sendable () async throws -> Void, or stop: ShutdownSignal,
        _ fetch: @escaping @Sendable (InternalCancellation) async throws -> FetchResponse
    ) async throws -> FetchResponse {
        guard !stop.isGiven else { throw FetchError.shutDown }
        let interruption = InternalCancellation()
        return try await withTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    return .ended(.success(try await interruption.naming { try await fetch(interruption) }))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { await interruption.interrupt(.timedOut(.total), at: deadline) }
            group.addTask { await interruption.interrupt(.shutDown) { try await stop.wait() } }
            while let event = await group.next() {
                switch event {
                case .ended(let result): return result
                case .interrupted: group.cancelAll()
                case .dismissed: break
                }
            }
            return .failure(CancellationError())
        }.get()
    }

    /// Runs a part of the fetch.
    ///
    /// - Throws: Why it was interrupted, if it was; else what `body` throws.
    func naming<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch is CancellationError {
            if let reason = self.reason.withLock({ $0 }) { throw reason }
            throw CancellationError()
        }
    }

    /// Keeps the reason once `moment` returns; only the first one counts.
    private func interrupt(_ reason: FetchError, at moment: () async throws -> Void) async -> Event {
        do {
            try await moment()
        } catch {
            // Cancelled: the fetch has ended, or is about to.
            return .dismissed
        }
        self.reason.withLock { if $0 == nil { $0 = reason } }
        return .interrupted
    }
}
