import CPosterBench

/// One libjpeg decompressor that makes whole bitmaps, from its creation to its destruction. It borrows its input.
struct BitmapDecoder: ~Copyable {
    private let handle: OpaquePointer
    /// In pixels, as stored.
    let width, height: Int

    /// Reads the header.
    init(_ bytes: UnsafeRawBufferPointer) throws(BenchError) {
        guard let handle = poster_bench_jpeg_create() else { throw BenchError("out of memory") }
        var (width, height) = (UInt32(0), UInt32(0))
        let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
        self.handle = handle
        let isOpen = poster_bench_jpeg_open(handle, base, bytes.count, &width, &height) != 0
        (self.width, self.height) = (Int(width), Int(height))
        if !isOpen { throw self.failure }
    }

    deinit {
        poster_bench_jpeg_destroy(self.handle)
    }

    /// Decodes the whole picture. Once only; the decompressor's memory goes with it.
    consuming func decode() throws(BenchError) -> Bitmap {
        let bitmap = Bitmap(width: self.width, height: self.height)
        guard poster_bench_jpeg_decode(self.handle, bitmap.samples) != 0 else { throw self.failure }
        return bitmap
    }

    private var failure: BenchError {
        BenchError("libjpeg: \(String(cString: poster_bench_jpeg_message(self.handle)))")
    }
}
