import Flights
import PosterPipeline
import PosterTesting

/// An origin that sends bodies in pieces, as a test demands.
final class ArrivingSource: OriginalSource {
    final class Fetch: Sendable {
        private let draft: any OriginalDraft
        private let outcome = AwaitedState<Result<OriginResponse, PosterError>?>(nil)
        private let ended = Gate()

        fileprivate init(_ draft: any OriginalDraft) {
            self.draft = draft
        }

        func declare(_ byteCount: Int) { self.draft.expect(byteCount: byteCount) }

        /// - Returns: Whether the draft accepted the bytes.
        @discardableResult
        func send(_ bytes: some Collection<UInt8>) -> Bool { Array(bytes).withUnsafeBytes { self.draft.append($0) } }

        @discardableResult
        func restart() -> Bool { self.draft.restart() }

        /// - Parameter byteCount: The declared length.
        func finish(_ byteCount: Int) {
            self.end(.success(.sent(OriginDescription(caching: .init(), declaredLength: byteCount))))
        }

        func fail(_ error: PosterError) { self.end(.failure(error)) }

        private func end(_ outcome: Result<OriginResponse, PosterError>) {
            self.outcome.change { $0 = outcome }
            self.ended.open()
        }

        fileprivate func response() async throws -> OriginResponse {
            try await self.ended.wait()
            guard let outcome = self.outcome.value else { throw CancellationError() }
            return try outcome.get()
        }
    }

    private let fetches = AwaitedState<[String: [Fetch]]>([:])

    /// Waits for the nth fetch of a key, counted from 1.
    func fetch(of key: String, number: Int = 1) async throws -> Fetch {
        try await self.fetches.wait { $0[key]?.count ?? 0 >= number }
        return self.fetches.value[key]![number - 1]
    }

    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        let fetch = Fetch(draft)
        self.fetches.change { $0[id.key, default: []].append(fetch) }
        return try await fetch.response()
    }
}
