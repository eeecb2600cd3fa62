import Flights
import Logging
import PosterCodec

/// Gets originals: from disk, or else from their origin, each at most once at a time.
final class OriginalLibrary: Sendable {
    /// The most originals whose digest and header are kept in memory, some 400 bytes each.
    static let directoryLimit = 100_000
    /// The most originals whose failure is remembered.
    static let failureLimit = 10_000

    /// An original and how it was come by.
    struct Arrival: Sendable {
        let original: Original
        let wasFetched: Bool
        let fetchNanoseconds: UInt64
        var isShared = false
    }

    private let locator: any PosterLocator
    private let store: any OriginalStore
    private let source: any OriginalSource
    private let logger: Logger
    private let now: @Sendable () -> UInt64
    private let directory = OriginalDirectory(limit: OriginalLibrary.directoryLimit)
    private let arrivals = SingleFlight<PosterID, Arrival>()
    private let failures: FailureMemory<PosterID>

    /// - Parameter failureDuration: For how long an original that is no usable picture is not asked for again.
    init(
        locator: any PosterLocator, store: any OriginalStore, source: any OriginalSource, failureDuration: Duration,
        logger: Logger, now: @escaping @Sendable () -> UInt64
    ) {
        self.locator = locator
        self.store = store
        self.source = source
        self.logger = logger
        self.now = now
        self.failures = FailureMemory(limit: Self.failureLimit, duration: failureDuration, now: now)
    }

    /// Why there has lately been no usable original; nil when there was, or nobody tried.
    func failure(of id: PosterID) -> PosterError? {
        self.failures.failure(of: id)
    }

    /// What is known of an original without asking anybody.
    func facts(for id: PosterID) -> OriginalFacts? {
        self.directory.facts(for: id)
    }

    func waiterCount(for id: PosterID) -> Int {
        self.arrivals.waiterCount(for: id)
    }

    /// - Throws: ``PosterError``, or `CancellationError` when this caller was cancelled.
    func original(_ id: PosterID) async throws -> Arrival {
        if let failure = self.failure(of: id) { throw failure }
        let landing = try await self.arrivals.value(for: id) {
            do {
                let arrival = try await self.obtain(id)
                self.directory.insert(arrival.original.facts, for: id)
                return arrival
            } catch {
                if Self.disproves(error) { self.directory.remove(id) }
                if let error = error as? PosterError, Self.isPictures(error) { self.failures.remember(error, of: id) }
                if !(error is CancellationError) {
                    self.logger.info(
                        "No original", metadata: ["poster.id": "\(id)", "error.message": "\(error)"])
                }
                throw error
            }
        }
        var arrival = landing.value
        arrival.isShared = landing.hasJoined
        return arrival
    }

    /// Forgets an original that cannot be decoded although its header and its end are there.
    func reject(_ original: Original, because error: CodecError) async {
        let metadata: Logger.Metadata = ["poster.id": "\(original.id)", "error.message": "\(error)"]
        switch error {
        case .damaged, .truncated:
            self.logger.notice("Original cannot be rendered", metadata: metadata)
            self.failures.remember(PosterError(error), of: original.id)
            self.directory.remove(original.id)
            await self.store.remove(original.id, digest: original.digest)
        case .notAnImage, .unsupported, .overLimit, .sideTooLong, .tooManyPixels, .unencodable, .stopped, .outOfMemory:
            // Nothing is wrong with the file.
            self.logger.info("Variant cannot be rendered", metadata: metadata)
        }
    }

    /// Whether what was known of an original cannot be true any more. Being busy, or nobody waiting, says nothing of it.
    private static func disproves(_ error: any Error) -> Bool {
        switch error as? PosterError {
        case .unknownSource, .unknownPoster, .unacceptableKey, .badOriginal, .unsupportedImage, .overLimit: true
        case .tooLarge, .originUnavailable, .originTooSlow, .unrenderable, .overloaded, .storageFailed, nil: false
        }
    }

    /// Whether an error is about the picture itself, so that asking for it again would give the same.
    private static func isPictures(_ error: PosterError) -> Bool {
        switch error {
        case .badOriginal, .unsupportedImage, .overLimit: true
        case .unknownSource, .unknownPoster, .unacceptableKey, .tooLarge, .originUnavailable, .originTooSlow,
            .unrenderable, .overloaded, .storageFailed:
            false
        }
    }

    private func obtain(_ id: PosterID) async throws -> Arrival {
        let location = try await self.locator.locate(id)
        if let original = try await self.store.original(id, from: location) {
            return Arrival(original: original, wasFetched: false, fetchNanoseconds: 0)
        }
        let start = self.now()
        let draft = try await self.store.makeDraft(for: id, from: location)
        do {
            let description = try await self.source.fetch(location, for: id, into: draft)
            let original = try await draft.commit(description)
            return Arrival(original: original, wasFetched: true, fetchNanoseconds: self.now() - start)
        } catch {
            await draft.discard()
            throw error
        }
    }
}
