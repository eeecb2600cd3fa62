import BoundedCache
import Flights
import HTTPSemantics
import NIOCore
package import PosterCodec

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
        return PosterDescription(
            id: id, header: original.header, byteCount: original.bytes.count, digest: original.digest, hashes: hashes,
            provenance: self.library.provenance(of: retrieval))
    }

    /// Removes the hashes of these bytes.
    func forget(_ digest: Digest) {
        self.hashes.remove(digest)
    }

    /// The hashes, if they have been made.
    func knownHashes(of digest: Digest) -> PictureHashes? {
        self.hashes.value(for: digest)
    }

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
    package let id: PosterID
    package let header: ImageHeader
    package let byteCount: Int
    package let digest: Digest
    /// What a page can show before the poster arrives.
    package let hashes: PictureHashes
    package let provenance: Provenance

    package var info: PictureInfo {
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
    package let digest: Digest
    /// Of the original as shown, in pixels.
    package let width, height: Int
    /// nil when they have not been made yet.
    package let hashes: PictureHashes?
}

/// Renders and caches tiny pictures of hashes. Safe from any thread.
final class Placeholders: Sendable {
    /// The cache's budget in bytes of files, each counted with ``overhead``: some 3000 files.
    private static let byteLimit = 4 << 20
    /// The memory of an entry beside its file, in bytes; an estimate.
    private static let overhead = 400

    /// Everything that determines the bytes.
    private struct Key: Hashable {
        let thumbHash: String
        let width, height: Int
        let format: OutputFormat

        var entityTag: EntityTag {
            EntityTag(
                digestOf: [
                    "placeholder", self.thumbHash, "\(self.width)x\(self.height)", self.format.rawValue,
                    CodecVersion.current,
                ])
        }
    }

    private let renderer: VariantRenderer
    private let kept = BoundedCache<Key, Poster>(costLimit: Placeholders.byteLimit)

    init(renderer: VariantRenderer) {
        self.renderer = renderer
    }

    func placeholder(of description: PosterDescription, format: OutputFormat) async throws -> Poster {
        let size = description.header.uprightSize
        let key = Key(
            thumbHash: description.hashes.thumbHash, width: size.width, height: size.height, format: format)
        if let known = self.kept.value(for: key) { return known }
        do {
            // Two tasks may render the same one: that costs less than a flight.
            let (bytes, size) = try await self.renderer.placeholder(
                thumbHash: key.thumbHash, original: size, format: format)
            let poster = Poster(
                bytes: ByteBuffer(bytes: bytes), entityTag: key.entityTag, format: format, size: size)
            self.kept.insert(poster, for: key, cost: bytes.count + Self.overhead)
            return poster
        } catch let error as CodecError {
            throw PosterError(error)
        }
    }
}
