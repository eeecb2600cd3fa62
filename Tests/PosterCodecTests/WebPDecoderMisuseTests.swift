import CPosterCodecs
import CodecTesting
import Testing

@testable import PosterCodec

/// Misuse that the C reader detects by itself.
@Suite struct WebPDecoderMisuseTests {
    static let side: UInt32 = 64

    /// Runs `body` with a reader of a lossless picture of 64 × 64 pixels, and the picture's data.
    static func withReader(
        _ samples: poster_webp_samples = .rgb,
        _ body: (OpaquePointer, UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        var picture = VP8LPicture(width: 64, height: 64, groupCount: 2)
        picture.codes = [.flat(bits: 8, of: 280), .flat(bits: 8), .flat(bits: 8), .only(255), .distances]
        picture.pixelBytes = 64 * 64 * 3
        let data = WebPFile.Chunk("VP8L", picture.bytes).bytes
        var request = poster_webp_request(
            width: Self.side, height: Self.side, scaled_width: Self.side, scaled_height: Self.side, samples: samples)
        var reader: OpaquePointer?
        #expect(poster_webp_reader_create(&request, &reader) == .ok)
        let created = try #require(reader)
        defer { poster_webp_reader_destroy(created) }
        try data.withUnsafeBufferPointer { try body(created, $0) }
    }

    static let badRequests: [(UInt32, UInt32, UInt32, UInt32)] = [
        (0, 1, 0, 1), (1, 0, 1, 0), (16385, 1, 1, 1), (1, 16385, 1, 1), (8, 8, 9, 8), (8, 8, 8, 9), (8, 8, 0, 8),
        (8, 8, 8, 0), (.max, .max, .max, .max), (1 << 31, 1 << 31, 1 << 31, 1 << 31),
    ]

    @Test("sides out of range make no reader", arguments: badRequests.indices)
    func refusesSides(index: Int) {
        let (width, height, scaledWidth, scaledHeight) = Self.badRequests[index]
        for samples in [poster_webp_samples.yuv, .rgb, .rgba] {
            var request = poster_webp_request(
                width: width, height: height, scaled_width: scaledWidth, scaled_height: scaledHeight, samples: samples)
            var reader: OpaquePointer?
            #expect(poster_webp_reader_create(&request, &reader) == .misuse)
            #expect(reader == nil)
        }
    }

    @Test("rows that are not complete are neither shown nor given back")
    func refusesRowsAhead() throws {
        try Self.withReader { reader, data in
            var rows = poster_webp_rows()
            #expect(poster_webp_reader_rows(reader, &rows) == .misuse)
            #expect(poster_webp_reader_drop(reader, 0) == .ok)
            #expect(poster_webp_reader_drop(reader, 1) == .misuse)
            var count: UInt32 = 0
            let base = try #require(data.baseAddress)
            #expect(poster_webp_reader_feed(reader, base, data.count / 2, &count) == .hungry)
            #expect((1..<Self.side).contains(count))
            #expect(poster_webp_reader_rows(reader, &rows) == .ok)
            #expect(poster_webp_reader_drop(reader, count) == .ok)
            for row in [count + 1, Self.side, Self.side + 1, .max] {
                #expect(poster_webp_reader_drop(reader, row) == .misuse)
            }
            #expect(poster_webp_reader_feed(reader, base, data.count, &count) == .ok)
            #expect(count == Self.side)
            #expect(poster_webp_reader_drop(reader, Self.side + 1) == .misuse)
            #expect(poster_webp_reader_drop(reader, Self.side) == .ok)
            #expect(poster_webp_reader_drop(reader, 3) == .ok)
        }
    }

    @Test("less data than before, data elsewhere, and data after the end or after a failure are refused")
    func refusesFeeding() throws {
        try Self.withReader { reader, data in
            var count: UInt32 = 0
            let base = try #require(data.baseAddress)
            #expect(poster_webp_reader_feed(reader, base, 5000, &count) == .hungry)
            #expect(poster_webp_reader_feed(reader, base, 4999, &count) == .misuse)
            #expect(poster_webp_reader_feed(reader, base + 1, 5001, &count) == .misuse)
            #expect(poster_webp_reader_feed(reader, base, 5000, &count) == .hungry)
            #expect(poster_webp_reader_feed(reader, base, data.count, &count) == .ok)
            #expect(poster_webp_reader_feed(reader, base, data.count, &count) == .misuse)
        }
        // Lossless data is never YUV.
        try Self.withReader(.yuv) { reader, data in
            var count: UInt32 = 0
            let base = try #require(data.baseAddress)
            #expect(poster_webp_reader_feed(reader, base, data.count, &count) == .corrupt)
            #expect(poster_webp_reader_feed(reader, base, data.count, &count) == .misuse)
            #expect(poster_webp_reader_drop(reader, 1) == .misuse)
        }
    }
}
