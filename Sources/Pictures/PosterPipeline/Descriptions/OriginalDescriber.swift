import BoundedCache
import Flights
import HTTPSemantics
import Logging
import NIOCore
package import PosterCodec
import Synchronization

/// Describes originals, computes the hashes of each once, also in the background, and caches tiny pictures of hashes.
final class OriginalDescriber: Sendable {
    /// The most cached hashes, some 200 bytes each.
    static let hashLimit = 100_000
    /// The most originals that wait to be hashed in the background, or are.
    static let queueLimit = 1000
    /// The most originals remembered as having nothing to hash.
    static let fruitlessLimit = 10_000
    /// The budget of tiny pictures, in bytes of files, each counted with ``placeholderOverhead``: some 3000 files.
    private static let placeholderByteLimit = 4 << 20
    /// The memory of a tiny picture beside its file, in bytes; an estimate.
    private static let placeholderOverhead = 400

    private let library: OriginalLibrary
    private let renderer: VariantRenderer
    private let hashes = BoundedCache<Digest, PictureHashes>(countLimit: OriginalDescriber.hashLimit)
    private let hashings = SingleFlight<Digest, PictureHashes>()
    private let placeholders = BoundedCache<PlaceholderKey, Poster>(
        costLimit: OriginalDescriber.placeholderByteLimit)
    /// Newest first, after all work that requests wait for.
    private let tasks = BackgroundTasks<PosterID, PosterID>(
        limit: 1, overflow: .queues(limit: OriginalDescriber.queueLimit - 1, newestFirst: true), priority: .background)
    /// The known digests of those that could not be hashed: while they are the same, they are not tried again.
    private let fruitless = Mutex(LRUMap<PosterID, Digest?>(countLimit: OriginalDescriber.fruitlessLimit))

    init(library: OriginalLibrary, renderer: VariantRenderer) {
        self.library = library
        self.renderer = renderer
    }

    func description(of id: PosterID) async throws -> PosterDescription {
        // Where the store has dropped an original that it could not read: once more, from its origin.
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

    // MARK: In the background

    /// How many are queued or being hashed.
    var pendingCount: Int { self.tasks.count }

    /// Queues stored originals whose hashes are not known.
    func describeInBackground(_ ids: some Sequence<PosterID>) {
        let missing = ids.map { (id: $0, digest: self.digest(of: $0)) }.filter { !self.isDescribed($0.digest) }
        guard !missing.isEmpty else { return }
        let untried = self.fruitless.withLock { fruitless in
            missing.filter { id, digest in fruitless.value(for: id).map { $0 != digest } ?? true }
        }
        for (id, _) in untried { self.tasks.start(id, for: id) { await self.hash(id) } }
    }

    /// Empties the queue, cancels the current hashing, and accepts nothing more.
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
            // The next list with this poster tries again.
        } catch {
            self.library.log("Original not described", id, error)
            isFruitless = true
        }
        let digest = self.digest(of: id)
        self.fruitless.withLock { fruitless in
            if isFruitless { _ = fruitless.insert(digest, for: id) } else { _ = fruitless.remove(id) }
        }
    }

    /// - Returns: Whether there was something to hash.
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
            // Two tasks may render the same one: that costs less than a flight.
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

/// Everything that determines the bytes.
private struct PlaceholderKey: Hashable {
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
