import CPosterBench

/// A libjpeg decompressor that decodes whole bitmaps.
///
/// It borrows its input.
struct BitmapDecoder: ~Copyable {
    private let handle: OpaquePointer
    /// In pixels, as stored.
    let width, height: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(BenchError) {
        guard let handle = poster_bench_jpeg_create() else { throw BenchError("out of memory") }
        var (width, height) = (UInt32(0), UInt32(0))
        let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
        guard poster_bench_jpeg_open(handle, base, bytes.count, &width, &height) != 0 else {
            defer { poster_bench_jpeg_destroy(handle) }
            throw Self.failure(handle)
        }
        self.handle = handle
        (self.width, self.height) = (Int(width), Int(height))
    }

    deinit {
        poster_bench_jpeg_destroy(self.handle)
    }

    /// Decodes the whole picture and frees the decompressor's memory.
    consuming func decode() throws(BenchError) -> Bitmap {
        let bitmap = Bitmap(width: self.width, height: self.height)
        guard poster_bench_jpeg_decode(self.handle, bitmap.samples) != 0 else { throw Self.failure(self.handle) }
        return bitmap
    }

    private static func failure(_ handle: OpaquePointer) -> BenchError {
        BenchError("libjpeg: \(String(cString: poster_bench_jpeg_message(handle)))")
    }
}
