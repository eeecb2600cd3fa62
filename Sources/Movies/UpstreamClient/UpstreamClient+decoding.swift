import Flights
import HTTPSemantics
import MovieDomain

extension UpstreamClient {
    /// Decodes a response, on a thread of the ``DecodingPool`` when it is large.
    ///
    /// A decoding that is cancelled goes on without the rest of the response: see ``DecodingPool/checkCompleteness()``.
    ///
    /// - Throws: ``SourceFailure``, also for what `decode` throws, and when there are too many responses to decode or it takes too
    ///   long; `CancellationError`.
    package func decoded<Value: Sendable>(
        _ response: UpstreamResponse, _ decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value {
        try await self.decoded(byteCount: response.body.count) { try decode(response) }
    }

    /// As a response, its body alone.
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
