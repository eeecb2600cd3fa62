import CPosterBench

/// Decodes whole pictures to RGBA bitmaps, as an app does without downsampling.
enum WholeDecoder {
    /// - Throws: ``BenchError``.
    static func decode(_ input: borrowing MappedFile) throws -> Bitmap {
        let bytes = input.bytes
        let start = bytes.prefix(12)
        if start.starts(with: [0xFF, 0xD8]) { return try BitmapDecoder(bytes).decode() }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            return try self.decode(bytes, by: poster_bench_png_decode, named: "libpng")
        }
        if start.starts(with: Array("RIFF".utf8)) {
            return try self.decode(bytes, by: poster_bench_webp_decode, named: "libwebp")
        }
        throw BenchError("neither JPEG nor PNG nor WebP")
    }

    private typealias Decode = (
        UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>,
        UnsafeMutablePointer<UInt8>?
    ) -> Int32

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, by decode: Decode, named library: String
    ) throws -> Bitmap {
        let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
        var (width, height) = (UInt32(0), UInt32(0))
        guard decode(base, bytes.count, &width, &height, nil) != 0 else {
            throw BenchError("\(library) cannot read the header")
        }
        let bitmap = Bitmap(width: Int(width), height: Int(height))
        guard decode(base, bytes.count, &width, &height, bitmap.samples) != 0 else {
            throw BenchError("\(library) cannot decode the picture")
        }
        return bitmap
    }
}
