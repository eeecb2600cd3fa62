import CPosterCodecs

/// One libwebp decoder, from its creation to its destruction, and the data that it has not seen yet.
///
/// Noncopyable, so the handle has exactly one owner. It borrows its input.
struct LibWebPReader: ~Copyable {
    private let handle: OpaquePointer
    private let data: UnsafeBufferPointer<UInt8>
    private let pieceLength: Int
    private let height: Int
    private let watch: RenderWatch
    private var fedCount: Int
    private var isDone = false
    private var rowCount = 0
    private var droppedCount = 0

    /// Often enough to hold little, and not for every group of rows.
    private static let rowsPerDrop = 32

    /// - Parameters:
    ///   - data: As ``WebPLayout/Frame/data`` says. It must stay valid for as long as the decoder lives.
    ///   - request: What to decode to.
    ///   - headerLength: Bytes without which no pixels are decoded.
    ///   - isLossless: Of the picture, whatever its alpha is.
    init(
        _ data: UnsafeRawBufferPointer, request: poster_webp_request, headerLength: Int, isLossless: Bool,
        watch: RenderWatch
    ) throws(CodecError) {
        var created: OpaquePointer?
        let status = withUnsafePointer(to: request) { poster_webp_reader_create($0, &created) }
        guard status == .done, let created else { throw Self.error(status) }
        self.handle = created
        self.data = data.bindMemory(to: UInt8.self)
        self.height = Int(request.scaled_height)
        self.watch = watch
        // Between two pieces the watch is asked. A piece of 64 KiB decodes in about two milliseconds; of small files
        // that make large pictures pieces are smaller. What pieces cost cannot be measured when data is lossy. Of
        // lossless data libwebp reads the codes from their start until it has all of them, so the first piece reaches
        // beyond them, and later the last eight rows: sixteen pieces cost one per cent.
        // Each piece has at least one byte.
        let skipped = min(headerLength, data.count - 1)
        if isLossless {
            self.pieceLength = max(1024, data.count / 16)
            self.fedCount = max(0, skipped, data.count / 4)
        } else {
            self.pieceLength = max(256, min(1 << 16, (data.count - skipped) / 64))
            self.fedCount = max(0, skipped)
        }
    }

    deinit {
        poster_webp_reader_destroy(self.handle)
    }

    /// Decodes until so many rows are complete.
    ///
    /// - Returns: All rows so far.
    mutating func rows(_ wanted: Int) throws(CodecError) -> poster_webp_rows {
        while !self.isDone, self.rowCount < wanted { try self.feed() }
        var rows = poster_webp_rows()
        let status = poster_webp_reader_rows(self.handle, &rows)
        guard status == .done else { throw Self.error(status) }
        return rows
    }

    /// Rows before this one are not read any more; their memory is given back, some at a time.
    mutating func drop(before row: Int) throws(CodecError) {
        guard row - self.droppedCount >= Self.rowsPerDrop else { return }
        let status = poster_webp_reader_drop(self.handle, UInt32(row))
        guard status == .done else { throw Self.error(status) }
        self.droppedCount = row
    }

    /// Decodes what is left.
    mutating func finish() throws(CodecError) {
        while !self.isDone { try self.feed() }
    }

    private mutating func feed() throws(CodecError) {
        try self.watch.check()
        guard let base = self.data.baseAddress, self.fedCount < self.data.count else { throw .truncated }
        self.fedCount = min(self.data.count, self.fedCount + self.pieceLength)
        var rowCount: UInt32 = 0
        let status = poster_webp_reader_feed(self.handle, base, self.fedCount, &rowCount)
        guard status == .done || status == .hungry else { throw Self.error(status) }
        self.isDone = status == .done
        // Chroma may be a row behind when sides are odd.
        self.rowCount = self.isDone ? self.height : max(0, Int(rowCount) - 2)
    }

    private static func error(_ status: poster_webp_reader_status) -> CodecError {
        switch status {
        case .done, .hungry, .corrupt: .damaged(reason: "libwebp cannot decode the WebP's picture")
        case .outOfMemory: .outOfMemory
        case .misuse: .damaged(reason: "libwebp cannot decode the WebP's picture as planned")
        }
    }
}
