import Flights
import PosterCodec
import Synchronization

/// Tells what an original is, and hashes it once.
final class OriginalDescriber: Sendable {
    /// The most originals whose hashes are kept in memory, some 200 bytes each.
    static let hashLimit = 100_000

    private let library: OriginalLibrary
    private let renderer: VariantRenderer
    private let hashes = Mutex(LRUState<Digest, PictureHashes>())
    private let hashings = SingleFlight<Digest, PictureHashes>()

    init(library: OriginalLibrary, renderer: VariantRenderer) {
        self.library = library
        self.renderer = renderer
    }

    /// - Throws: ``PosterError``, or `CancellationError` when this caller was cancelled.
    func description(of id: PosterID) async throws -> PosterDescription {
        do {
            return try await self.currentDescription(of: id)
        } catch is OriginalBytes.Unreadable {
            // The store has dropped it: once more, from its origin.
        }
        do {
            return try await self.currentDescription(of: id)
        } catch is OriginalBytes.Unreadable {
            throw PosterError.unreadableOriginal
        }
    }

    private func currentDescription(of id: PosterID) async throws -> PosterDescription {
        let arrival = try await self.library.original(id, level: .interactive)
        let original = arrival.original
        let hashes = try await self.hashes(of: original, level: .interactive)
        let provenance = Provenance(
            reach: arrival.wasFetched ? .origin : .cache, staleness: arrival.staleness,
            original: self.library.state(of: arrival))
        return PosterDescription(
            id: id, header: original.header, byteCount: original.bytes.count, digest: original.digest, hashes: hashes,
            provenance: provenance)
    }

    /// Forgets what was made of these bytes.
    func forget(_ digest: Digest) {
        let dropped = self.hashes.withLock { $0.remove(digest) }
        withExtendedLifetime(dropped) {}
    }

    /// The hashes, if they have been made.
    func knownHashes(of digest: Digest) -> PictureHashes? {
        self.hashes.withLock { $0.touch(digest) }
    }

    /// - Parameter level: How soon they are wanted.
    /// - Throws: As ``description(of:)``, and ``OriginalBytes/Unreadable``.
    func hashes(of original: Original, level: Urgency.Level) async throws -> PictureHashes {
        if let known = self.knownHashes(of: original.digest) { return known }
        return try await self.hashings.value(for: original.digest, level: level) { urgency in
            do {
                let made = try await self.renderer.hashes(of: original, urgency: urgency)
                _ = self.hashes.withLock { $0.insert(made, for: original.digest, cost: 1, limit: Self.hashLimit) }
                return made
            } catch let error as CodecError {
                await self.library.reject(original, because: error)
                throw PosterError(error)
            }
        }.value
    }
}
