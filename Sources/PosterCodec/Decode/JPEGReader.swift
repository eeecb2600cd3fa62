import CPosterCodecs

/// One libjpeg decompressor, from its creation to its destruction.
///
/// Noncopyable, so the handle has exactly one owner; not `Sendable`, so it stays where it was made. It borrows its
/// input and the stop flag, so it must not outlive the closure in which it was made.
struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    /// - Throws: ``CodecError/outOfMemory``.
    init() throws(CodecError) {
        guard let handle = poster_jpeg_reader_create() else { throw .outOfMemory }
        self.handle = handle
    }

    deinit {
        poster_jpeg_reader_destroy(self.handle)
    }

    /// Reads the header.
    ///
    /// - Parameter bytes: The encoded picture. It must stay valid for as long as the reader lives.
    /// - Returns: The size in pixels, before any scaling, and the number of components, as libjpeg understands them.
    mutating func open(
        _ bytes: UnsafeRawBufferPointer, stop: StopFlag, maxScans: Int
    ) throws(CodecError) -> (width: Int, height: Int, componentCount: Int) {
        guard !bytes.isEmpty, let base = bytes.bindMemory(to: UInt8.self).baseAddress else { throw .truncated }
        var width: UInt32 = 0
        var height: UInt32 = 0
        var componentCount: UInt32 = 0
        try self.check(
            poster_jpeg_reader_open(
                self.handle, base, bytes.count, stop.handle, UInt32(clamping: maxScans), &width, &height,
                &componentCount),
            maxScans: maxScans)
        return (Int(width), Int(height), Int(componentCount))
    }

    /// Starts decoding; reads all scans of a file that has several.
    ///
    /// - Parameter eighths: 1, 2, 4 or 8.
    mutating func start(eighths: Int, maxScans: Int) throws(CodecError) -> poster_jpeg_layout {
        var layout = poster_jpeg_layout()
        try self.check(poster_jpeg_reader_start(self.handle, UInt32(eighths), &layout), maxScans: maxScans)
        return layout
    }

    /// Decodes the next rows of every plane to where `planes` point, `strides` bytes apart.
    mutating func readGroup(_ planes: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) {
        try self.check(poster_jpeg_reader_read_group(self.handle, planes, strides))
    }

    /// Checks that the last rows were whole, too.
    mutating func finish() throws(CodecError) {
        try self.check(poster_jpeg_reader_finish(self.handle))
    }

    private borrowing func check(_ status: poster_jpeg_status, maxScans: Int = 0) throws(CodecError) {
        switch status {
        case .ok: return
        case .truncated: throw .truncated
        case .corrupt: throw .damaged(reason: String(cString: poster_jpeg_reader_message(self.handle)))
        case .stopped: throw .stopped
        case .tooManyScans: throw .overLimit(.scans, value: maxScans &+ 1, limit: maxScans)
        case .outOfMemory: throw .outOfMemory
        case .misuse: preconditionFailure("JPEGReader used out of order")
        }
    }
}
