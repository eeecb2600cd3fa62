import BoundedCache
import Flights
import HTTPSemantics
import Logging
import NIOCore
package import PosterCodec
import Synchronization

/// Describes originals, hashes each once, on demand or in the background, and caches placeholder pictures.
final class OriginalDescriber: Sendable {
    /// Maximum number of cached hashes, some 200 bytes each.
    static let hashLimit = 100_000
    /// Maximum number of originals queued for background hashing, including the one being hashed.
    static let queueLimit = 1000
    static let fruitlessLimit = 10_000
    /// The budget of placeholders, in bytes of files, each counted with ``placeholderOverhead``: some 3000 files.
    private static let placeholderByteLimit = 4 << 20
    /// The estimated memory of a placeholder beside its file, in bytes.
    private static let placeholderOverhead = 400

    private let library: OriginalLibrary
    private let renderer: VariantRenderer
    private let hashes = BoundedCache<Digest, PictureHashes>(countLimit: OriginalDescriber.hashLimit)
    private let hashings = SingleFlight<Digest, PictureHashes>()
    private let placeholders = BoundedCache<PlaceholderKey, Poster>(
        costLimit: OriginalDescriber.placeholderByteLimit)
    /// Newest first, with less priority than all work that requests wait for.
    private let tasks = BackgroundTasks<PosterID, PosterID>(
        limit: 1, overflow: .queues(limit: OriginalDescriber.queueLimit - 1, newestFirst: true), priority: .background)
    /// The last known digests of originals that could not be hashed; they are not tried again while the digest is the
    /// same.
    private let fruitless = Mutex(LRUMap<PosterID, Digest?>(countLimit: OriginalDescriber.fruitlessLimit))

    init(library: OriginalLibrary, renderer: VariantRenderer) {
        self.library = library
        self.renderer = renderer
    }

    func description(of id: PosterID) async throws -> PosterDescription {
        // If the store has dropped an unreadable original: fetches it again from its origin.
        for _ in 0..<2 {
            do { return try await self.currentDescription(of: id) } catch is OriginalBytes.Unreadable {}
        }
        throw PosterError.unreadableOriginal
    }

    private func currentDescription(of id: PosterID) async throws -> PosterDescription {
        let retrieval = try await self.library.original(id, level: .interactive)
        let original = retrieval.original
        let hashes = try await self.hashes(of: original, level: .interactive)
        return PosterDescription(
            id: id, header: original.header, byteCount: original.bytes.count, digest: original.digest, hashes: hashes,
            provenance: self.library.provenance(of: retrieval))
    }

    func forget(_ digest: Digest) {
        self.hashes.remove(digest)
    }

    func knownHashes(of digest: Digest) -> PictureHashes? {
        self.hashes.value(for: digest)
    }

    /// - Throws: The errors of ``description(of:)``, and ``OriginalBytes/Unreadable``.
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

    // MARK: In the background

    var pendingCount: Int { self.tasks.count }

    func describeInBackground(_ ids: some Sequence<PosterID>) {
        let missing = ids.map { (id: $0, digest: self.digest(of: $0)) }.filter { !self.isDescribed($0.digest) }
        guard !missing.isEmpty else { return }
        let untried = self.fruitless.withLock { fruitless in
            missing.filter { id, digest in fruitless.value(for: id).map { $0 != digest } ?? true }
        }
        for (id, _) in untried { self.tasks.start(id, for: id) { await self.hash(id) } }
    }

    /// Empties the queue, cancels the current hashing, and rejects further work.
    func close() {
        self.tasks.close()
    }

    private func digest(of id: PosterID) -> Digest? { self.library.metadata.entry(for: id)?.facts.digest }

    private func isDescribed(_ digest: Digest?) -> Bool {
        digest.flatMap { self.knownHashes(of: $0) } != nil
    }

    private func hash(_ id: PosterID) async {
        var isFruitless = false
        do {
            isFruitless = !(try await self.hashStored(id))
        } catch is CancellationError {
            return  // the service stops
        } catch PosterError.overloaded {
            // The next list that contains this poster tries again.
        } catch {
            self.library.log("Hashes of an original not computed", id, error)
            isFruitless = true
        }
        let digest = self.digest(of: id)
        self.fruitless.withLock { fruitless in
            if isFruitless { _ = fruitless.insert(digest, for: id) } else { _ = fruitless.remove(id) }
        }
    }

    /// - Returns: Whether there was a stored original to hash.
    private func hashStored(_ id: PosterID) async throws -> Bool {
        let epoch = self.library.metadata.epoch(of: id)
        guard let location = try await self.library.locator.knownLocation(of: id),
            let stored = try await self.library.store.original(id, from: location),
            self.library.metadata.insert(stored, for: id, since: epoch)
        else { return false }
        _ = try await self.hashes(of: stored.original, level: .warming)
        return true
    }

    // MARK: Tiny pictures

    func placeholder(of description: PosterDescription, format: OutputFormat) async throws -> Poster {
        let size = description.header.uprightSize
        let key = PlaceholderKey(
            thumbHash: description.hashes.thumbHash, width: size.width, height: size.height, format: format)
        if let known = self.placeholders.value(for: key) { return known }
        do {
            // Two tasks may render the same placeholder: that costs less than a flight.
            let (bytes, size) = try await self.renderer.placeholder(
                thumbHash: key.thumbHash, original: size, format: format)
            let poster = Poster(
                bytes: ByteBuffer(bytes: bytes), entityTag: key.entityTag, format: format, size: size)
            self.placeholders.insert(poster, for: key, cost: bytes.count + Self.placeholderOverhead)
            return poster
        } catch let error as CodecError {
            throw PosterError(error)
        }
    }
}

private struct PlaceholderKey: Hashable {
    let thumbHash: String
    let width, height: Int
    let format: OutputFormat

    var entityTag: EntityTag {
        EntityTag(
            digestOf: [
                "placeholder", self.thumbHash, "\(self.width)x\(self.height)", self.format.rawValue,
                CodecVersion.version(of: self.format),
            ])
    }
}

/// The description of a poster's original.
public struct PosterDescription: Sendable {
    package let id: PosterID
    package let header: ImageHeader
    package let byteCount: Int
    package let digest: Digest
    /// Placeholders that a page can show before the poster arrives.
    package let hashes: PictureHashes
    package let provenance: Provenance

    package var info: PictureInfo {
        PictureInfo(
            id: self.id, header: self.header, bytes: self.byteCount, digest: self.digest, hashes: self.hashes)
    }
}

/// The cached description of a poster.
public enum KnownPoster: Hashable, Sendable {
    /// Its source reported recently that there is no poster.
    case missing
    case picture(KnownPicture)
}

/// The cached metadata of a poster's original.
public struct KnownPicture: Hashable, Sendable {
    package let digest: Digest
    /// The upright size of the original, in pixels.
    package let width, height: Int
    /// `nil` if they have not been computed.
    package let hashes: PictureHashes?
}
