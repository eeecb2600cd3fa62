import BoundedCache
import Flights
import HTTPSemantics
import NIOCore
import PosterCodec

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

    /// - Throws: ``PosterError``, or `CancellationError` when this caller was cancelled.
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
