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
    func info(for id: PosterID) async throws -> PictureInfo {
        let original = try await self.library.original(id, level: .interactive).original
        let hashes = try await self.hashes(of: original)
        return PictureInfo(id: id, header: original.header, bytes: original.bytes.count, hashes: hashes)
    }

    private func hashes(of original: Original) async throws -> PictureHashes {
        if let known = self.hashes.withLock({ $0.touch(original.digest) }) { return known }
        return try await self.hashings.value(for: original.digest) { urgency in
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
