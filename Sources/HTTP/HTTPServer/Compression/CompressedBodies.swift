import BoundedCache
import CPosterCompression
import Flights
import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore

/// A cache of compressed bodies, by the entity tags of the compressed forms. Tags are digests of the uncompressed
/// bytes, so entries do not expire. Equal bodies are compressed once, also for concurrent clients.
final class CompressedBodies: Sendable {
    /// Lengths of bodies that are compressed, in bytes: shorter ones fit into one packet anyway.
    static let lengths = 1024...(4 << 20)
    private static let countLimit = 4096
    static let byteLimit = 32 << 20
    /// Estimated cost of an entry in addition to its bytes, in bytes.
    private static let entryCost = 256

    /// Compresses a body; returns `nil` if that gains too little.
    typealias Compression = @Sendable (ByteBuffer, ContentCoding) -> ByteBuffer?

    private let cache = BoundedCache<String, ByteBuffer?>(
        countLimit: CompressedBodies.countLimit, costLimit: CompressedBodies.byteLimit)
    private let flights = SingleFlight<String, ByteBuffer?>()
    private let compress: Compression

    /// - Parameter compress: Called on the cooperative threads.
    init(compress: @escaping Compression = { bytes, coding in coding.compressed(bytes) }) {
        self.compress = compress
    }

    /// Total size of the cached bodies, in bytes; excludes bodies that only responses still use.
    var byteCount: Int { self.cache.usage.cost }

    /// - Parameters:
    ///   - body: A body with a known length within ``lengths``.
    ///   - tag: The entity tag of the compressed form; `nil` disables caching.
    /// - Returns: `nil` if compression gains too little.
    /// - Throws: Errors of writing the body; `CancellationError`.
    func body(of body: ResponseBody, tag: String?, _ coding: ContentCoding) async throws -> ByteBuffer? {
        guard let tag else { return self.compress(try await body.collected(), coding) }
        if let known = self.cache.value(for: tag) { return known }
        return try await self.flights.value(for: tag) { _ in
            // An earlier flight for the same tag may have ended in between.
            if let known = self.cache.value(for: tag) { return known }
            let compressed = self.compress(try await body.collected(), coding)
            self.cache.insert(compressed, for: tag, cost: Self.entryCost + (compressed?.storageCapacity ?? 0))
            return compressed
        }.value
    }
}

extension ContentCoding {
    /// Levels beyond which more effort is not worthwhile: for a home page of 109 KB, gzip 6 takes 1.7 ms for 20.3 KB;
    /// brotli takes 1.3 ms for 18.1 KB at 5, 16 ms for 17.9 KB at 9, 83 ms for 15.4 KB at 11.
    private static let gzipLevel: Int32 = 6
    private static let brotliQuality: Int32 = 5

    /// - Returns: `nil` if compression saves less than a tenth, or if memory is exhausted.
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
    /// Collects the whole body. A body of one buffer is not copied.
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
