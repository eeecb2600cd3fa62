public import PosterPipeline
import Synchronization

/// An origin in memory: what it sends is set per key, and a gate can hold it up.
public final class ScriptedOriginalSource: OriginalSource {
    private struct State {
        var bodies: [String: [UInt8]] = [:]
        var fetches: [String: Int] = [:]
        var cancellations = 0
    }

    private let state = Mutex(State())
    private let gate: Gate?

    /// - Parameter gate: Fetches wait for it before they send anything; nil sends at once.
    public init(gate: Gate? = nil) {
        self.gate = gate
    }

    /// Sets what is sent for a key; a key without a body is unknown.
    public func set(_ body: [UInt8], for key: String) {
        self.state.withLock { $0.bodies[key] = body }
    }

    /// How often a key was fetched.
    public func fetchCount(of key: String) -> Int {
        self.state.withLock { $0.fetches[key] ?? 0 }
    }

    /// How many fetches were cancelled while they waited.
    public var cancellationCount: Int { self.state.withLock { $0.cancellations } }

    /// Sends what was set.
    public func fetch(
        _ location: OriginalLocation, for id: PosterID, into draft: any OriginalDraft
    ) async throws -> OriginDescription {
        self.state.withLock { $0.fetches[id.key, default: 0] += 1 }
        do {
            try await self.gate?.wait()
        } catch {
            self.state.withLock { $0.cancellations += 1 }
            throw error
        }
        guard let body = self.state.withLock({ $0.bodies[id.key] }) else { throw PosterError.unknownPoster(id) }
        guard body.withUnsafeBytes({ draft.append($0) }) else { throw PosterError.storageFailed(reason: "refused") }
        return OriginDescription(declaredLength: body.count)
    }
}

/// Finds every poster at a URL made of its key.
public struct KeyedPosterLocator: PosterLocator {
    /// A locator.
    public init() {}

    /// `http://origin.test/KEY`
    public func locate(_ id: PosterID) async throws -> OriginalLocation {
        .web(url: "http://origin.test/\(id.key)")
    }
}
