import Flights
import HTTPSemantics
import MovieDomain

extension UpstreamClient {
    /// Decodes a response, on a thread of the ``DecodingPool`` if it is large.
    ///
    /// After a cancellation, `decode` continues without the rest of the response: see
    /// ``DecodingPool/checkCompleteness()``.
    ///
    /// - Throws: ``SourceFailure``, also for errors of `decode`, a full queue and a timeout; `CancellationError`.
    package func decoded<Value: Sendable>(
        _ response: UpstreamResponse, _ decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value {
        try await self.decoded(byteCount: response.body.count) { try decode(response) }
    }

    /// Like ``decoded(_:_:)`` for a response, with its body only.
    package func decoded<Value: Sendable>(
        _ body: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        try await self.decoded(byteCount: body.count) { try decode(body) }
    }

    private func decoded<Value: Sendable>(
        byteCount: Int, _ decode: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await self.environment.decoding.run(byteCount: byteCount, decode)
        } catch let full as WeightedSemaphore.QueueFull {
            throw SourceFailure.busy(self.source, retryAfterSeconds: RetryAfter.seconds(full.estimatedWait))
        } catch is DecodingPool.TimedOut {
            throw SourceFailure.tooSlow(self.source)
        } catch is CancellationError {
            throw CancellationError()
        } catch let failure as SourceFailure {
            throw failure
        } catch {
            // Other errors may quote the response, which must not be logged.
            let reason = (error as? UnreadableResponse)?.description ?? "\(type(of: error))"
            throw SourceFailure.badAnswer(self.source, reason: reason)
        }
    }
}
