import Flights
import Synchronization

/// Cancels a fetch at its deadline or when the fetcher is shut down, and remembers which it was: the caller gets that as a
/// ``FetchError`` instead of a `CancellationError`.
final class InternalCancellation: Sendable {
    private enum Event: Sendable {
        case ended(Result<FetchResponse, any Error>)
        case cancelled
        case dismissed
    }

    private let reason = Mutex<FetchError?>(nil)

    /// Runs a fetch until it ends, `deadline` returns or `shutdown` is open.
    ///
    /// - Throws: ``FetchError/timedOut(_:)`` or ``FetchError/shutDown`` when it was cancelled for that; `CancellationError`
    ///   when the task is cancelled; what `fetch` throws.
    static func run(
        until deadline: @escaping @Sendable () async throws -> Void, or shutdown: Gate,
        _ fetch: @escaping @Sendable (InternalCancellation) async throws -> FetchResponse
    ) async throws -> FetchResponse {
        guard !shutdown.isOpen else { throw FetchError.shutDown }
        let cancellation = InternalCancellation()
        return try await withTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    return .ended(.success(try await fetch(cancellation)))
                } catch {
                    return .ended(.failure(cancellation.reported(error)))
                }
            }
            group.addTask { await cancellation.cancel(.timedOut(.total), after: deadline) }
            group.addTask { await cancellation.cancel(.shutDown) { try await shutdown.wait() } }
            while let event = await group.next() {
                switch event {
                case .ended(let result): return result
                case .cancelled: group.cancelAll()
                case .dismissed: break
                }
            }
            return .failure(CancellationError())
        }.get()
    }

    /// The reason for the cancellation in place of a `CancellationError`; any other error unchanged.
    func reported(_ error: any Error) -> any Error {
        error is CancellationError ? self.reason.withLock { $0 } ?? error : error
    }

    /// Stores the reason once `moment` returns; only the first one counts.
    private func cancel(_ reason: FetchError, after moment: () async throws -> Void) async -> Event {
        do {
            try await moment()
        } catch {
            // This task was cancelled: the fetch has ended, or is about to.
            return .dismissed
        }
        self.reason.withLock { if $0 == nil { $0 = reason } }
        return .cancelled
    }
}
