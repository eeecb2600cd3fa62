import BoundedCache
import Flights
public import PosterCodec

/// Describes originals, and computes the hashes of each once.
final class OriginalDescriber: Sendable {
    /// The most cached hashes, some 200 bytes each.
    static let hashLimit = 100_000

    private let library: OriginalLibrary
    private let renderer: VariantRenderer
    private let hashes = BoundedCache<Digest, PictureHashes>(countLimit: OriginalDescriber.hashLimit)
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
        let retrieval = try await self.library.original(id, level: .interactive)
        let original = retrieval.original
        let hashes = try await self.hashes(of: original, level: .interactive)
        let provenance = Provenance(
            reach: retrieval.wasFetched ? .origin : .cache, staleness: retrieval.staleness,
            original: self.library.state(of: retrieval))
        return PosterDescription(
            id: id, header: original.header, byteCount: original.bytes.count, digest: original.digest, hashes: hashes,
            provenance: provenance)
    }

    /// Removes the hashes of these bytes.
    func forget(_ digest: Digest) {
        self.hashes.remove(digest)
    }

    /// The hashes, if they have been made.
    func knownHashes(of digest: Digest) -> PictureHashes? {
        self.hashes.value(for: digest)
    }

    /// - Parameter level: How soon they are wanted.
    /// - Throws: As ``description(of:)``, and ``OriginalBytes/Unreadable``.
    func hashes(of original: Original, level: Urgency.Level) async throws -> PictureHashes {
        if let known = self.knownHashes(of: original.digest) { return known }
        return try await self.hashings.value(for: original.digest, level: level) { urgency in
            do {
                let made = try await self.renderer.hashes(of: original, urgency: urgency)
                self.hashes.insert(made, for: original.digest)
                return made
            } catch let error as CodecError {
                await self.library.reject(original, because: error)
                throw PosterError(error)
            }
        }.value
    }
}

/// What a response says of a poster beside its pixels.
public struct PosterDescription: Sendable {
    /// Of the poster.
    public let id: PosterID
    /// Of the original.
    public let header: ImageHeader
    /// The length of the original's file.
    public let byteCount: Int
    /// Of the original's file.
    public let digest: Digest
    /// What a page can show before the poster arrives.
    public let hashes: PictureHashes
    /// Where the original came from.
    public let provenance: Provenance

    /// The JSON description.
    public var info: PictureInfo {
        PictureInfo(
            id: self.id, header: self.header, bytes: self.byteCount, digest: self.digest, hashes: self.hashes)
    }
}

/// What memory holds of a poster.
public enum KnownPoster: Hashable, Sendable {
    /// Its source reported lately that there is none.
    case missing
    case picture(KnownPicture)
}

/// What is known of a poster's original.
public struct KnownPicture: Hashable, Sendable {
    /// Of the original's file.
    public let digest: Digest
    /// Of the original as shown, in pixels.
    public let width, height: Int
    /// nil when they have not been made yet.
    public let hashes: PictureHashes?
}
