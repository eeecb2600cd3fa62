import BoundedCache
import CPosterCompression
import Flights
import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore

/// Compressed bodies, by the entity tags of the compressed forms. Tags are digests of what is compressed, so entries do not
/// expire: equal bodies are compressed once, also for many clients at the same time.
final class CompressedBodies: Sendable {
    /// The lengths of bodies that are compressed, in bytes: shorter ones fit into one packet anyway.
    static let lengths = 1024...(4 << 20)
    /// The most bodies.
    private static let countLimit = 4096
    /// The most bytes of all together.
    static let byteLimit = 32 << 20
    /// What an entry costs beside its bytes, in bytes, an estimate.
    private static let entryCost = 256

    /// nil for what is not worth it.
    typealias Compression = @Sendable (ByteBuffer, ContentCoding) -> ByteBuffer?

    private let cache = BoundedCache<String, ByteBuffer?>(
        countLimit: CompressedBodies.countLimit, costLimit: CompressedBodies.byteLimit)
    private let flights = SingleFlight<String, ByteBuffer?>()
    private let compress: Compression

    /// - Parameter compress: Does the work, on the cooperative threads.
    init(compress: @escaping Compression = { bytes, coding in coding.compressed(bytes) }) {
        self.compress = compress
    }

    /// The bytes of all bodies together, those in use by responses alone not included.
    var byteCount: Int { self.cache.usage.cost }

    /// - Parameters:
    ///   - body: Of a known length within ``lengths``.
    ///   - tag: That of the compressed form; nil caches nothing.
    /// - Returns: nil when compression is not worth it.
    /// - Throws: What writing the body throws, and `CancellationError`.
    func body(of body: ResponseBody, tag: String?, _ coding: ContentCoding) async throws -> ByteBuffer? {
        guard let tag else { return self.compress(try await body.collected(), coding) }
        if let known = self.cache.value(for: tag) { return known }
        return try await self.flights.value(for: tag) { _ in
            // The flight of the same tag may have ended since.
            if let known = self.cache.value(for: tag) { return known }
            let compressed = self.compress(try await body.collected(), coding)
            self.cache.insert(compressed, for: tag, cost: Self.entryCost + (compressed?.storageCapacity ?? 0))
            return compressed
        }.value
    }
}

extension ContentCoding {
    /// Levels at which more effort is not worth it: for a home of 109 KB, gzip 6 takes 1.7 ms for 20.3 KB; brotli takes
    /// 1.3 ms for 18.1 KB at 5, 16 ms for 17.9 KB at 9, 83 ms for 15.4 KB at 11.
    private static let gzipLevel: Int32 = 6
    private static let brotliQuality: Int32 = 5

    /// - Returns: nil when less than a tenth would be gained, or without memory.
    func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
        let capacity = bytes.readableBytes / 10 * 9
        guard capacity > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { output -> ByteBuffer? in
            let count = bytes.withUnsafeReadableBytes { input in
                let start = input.bindMemory(to: UInt8.self).baseAddress!
                let destination = output.baseAddress!
                return switch self {
                case .brotli: poster_brotli(start, input.count, Self.brotliQuality, destination, capacity)
                case .gzip: poster_gzip(start, input.count, Self.gzipLevel, destination, capacity)
                }
            }
            return count > 0 ? ByteBuffer(bytes: output[..<count]) : nil
        }
    }
}

extension ResponseBody {
    /// All of it. A body that is one buffer is not copied.
    func collected() async throws -> ByteBuffer {
        let collector = Collector()
        try await self.write(CollectingWriter(collector: collector))
        return collector.bytes
    }

    private final class Collector {
        var bytes = ByteBuffer()
    }

    private struct CollectingWriter: ResponseBodyWriter {
        let collector: Collector

        mutating func write(_ buffer: ByteBuffer) async throws {
            if self.collector.bytes.readableBytes == 0 {
                self.collector.bytes = buffer
            } else {
                self.collector.bytes.writeImmutableBuffer(buffer)
            }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
