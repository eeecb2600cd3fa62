public import Flights
public import PosterPipeline
import PosterTesting

/// An origin in memory with a response per key; a gate can delay it.
public final class ScriptedOriginalSource: OriginalSource {
    private struct Answer {
        var body: [UInt8]
        var description: OriginDescription
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var failures: [String: PosterError] = [:]
        var holds: [String: Gate] = [:]
        var fetches: [String: Int] = [:]
        var conditions: [String: [Validators]] = [:]
        var cancellations = 0
    }

    private let state = AwaitedState(State())
    private let gate: Gate?

    /// - Parameter gate: Fetches wait for it before they send anything; `nil` sends at once.
    public init(gate: Gate? = nil) {
        self.gate = gate
    }

    /// Sets the response for a key; other keys are unknown. A request with the entity tag gets a 304.
    public func set(_ body: [UInt8], for key: String, etag: String? = nil, caching: CachingFields = .init()) {
        let description = OriginDescription(
            validators: Validators(etag: etag), caching: caching, declaredLength: body.count)
        self.state.change { state in
            state.answers[key] = Answer(body: body, description: description)
            state.failures[key] = nil
        }
    }

    /// Makes fetches of a key fail until a body is set.
    public func fail(_ error: PosterError, for key: String) {
        self.state.change { $0.failures[key] = error }
    }

    /// Delays fetches of a key until a gate opens.
    public func hold(_ gate: Gate, for key: String) {
        self.state.change { $0.holds[key] = gate }
    }

    /// The number of fetches of a key.
    public func fetchCount(of key: String) -> Int {
        self.state.value.fetches[key] ?? 0
    }

    /// Returns once a key was fetched `count` times.
    ///
    /// - Throws: `CancellationError`.
    package func fetchesArrived(of key: String, count: Int = 1) async throws {
        try await self.state.wait { $0.fetches[key] ?? 0 >= count }
    }

    /// The validators of all requests of a key, in order.
    public func conditions(of key: String) -> [Validators] {
        self.state.value.conditions[key] ?? []
    }

    /// The number of fetches that were cancelled while waiting.
    public var cancellationCount: Int { self.state.value.cancellations }

    /// Returns once `count` fetches were cancelled while waiting.
    ///
    /// - Throws: `CancellationError`.
    package func fetchesCancelled(count: Int = 1) async throws {
        try await self.state.wait { $0.cancellations >= count }
    }

    /// Sends the response that was set.
    public func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        self.state.change { state in
            state.fetches[id.key, default: 0] += 1
            state.conditions[id.key, default: []].append(validators)
        }
        do {
            try await self.gate?.wait()
            try await self.state.value.holds[id.key]?.wait()
        } catch {
            self.state.change { $0.cancellations += 1 }
            throw error
        }
        if let failure = self.state.value.failures[id.key] { throw failure }
        guard let answer = self.state.value.answers[id.key] else { throw PosterError.unknownPoster(id) }
        if let tag = validators.etag, tag == answer.description.validators.etag {
            return .notModified(answer.description)
        }
        guard answer.body.withUnsafeBytes({ draft.append($0) }) else {
            throw PosterError.storageFailed(reason: "refused")
        }
        return .sent(answer.description)
    }
}

/// Locates every poster at a URL that contains its key.
public struct KeyedPosterLocator: PosterLocator {
    /// Creates a locator.
    public init() {}

    /// Returns `http://origin.test/KEY`.
    public func locate(_ id: PosterID) async throws -> OriginalLocation {
        .web(url: "http://origin.test/\(id.key)")
    }

    /// Returns the same location.
    public func knownLocation(of id: PosterID) async throws -> OriginalLocation? { try await self.locate(id) }
}
