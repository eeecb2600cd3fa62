import CPosterCodecs

/// An incremental libwebp decoder, which is fed piece by piece. Borrows its input.
struct LibWebPReader: ~Copyable {
    private let reader: LibraryObject
    private let data: UnsafeBufferPointer<UInt8>
    private let pieceLength: Int
    private let height: Int
    private let watch: RenderWatch
    /// The arriving file, and the offset of ``data`` in it.
    private let arriving: (file: ArrivingBytes, offset: Int)?
    private var fedCount: Int
    private var isDone = false
    private var rowCount = 0
    private var droppedCount = 0

    /// Rows per release of memory: few enough to hold little memory, but more than a group.
    private static let rowsPerDrop = 32

    /// - Parameters:
    ///   - data: The chunks of ``WebPLayout/Frame/data``.
    ///   - headerLength: The bytes that are needed before any pixel is decoded.
    ///   - isLossless: Whether the picture is lossless, apart from its alpha.
    ///   - arriving: The file and the offset of `data` in it; `nil` if the file is complete.
    init(
        _ data: UnsafeRawBufferPointer, request: poster_webp_request, headerLength: Int, isLossless: Bool,
        watch: RenderWatch, arriving: (file: ArrivingBytes, offset: Int)? = nil
    ) throws(CodecError) {
        var created: OpaquePointer?
        let status = withUnsafePointer(to: request) { poster_webp_reader_create($0, &created) }
        try Self.check(status, watch)
        self.reader = try LibraryObject(created, destroy: poster_webp_reader_destroy)
        self.data = data.bindMemory(to: UInt8.self)
        self.height = Int(request.scaled_height)
        self.watch = watch
        self.arriving = arriving
        // The watch is checked between pieces. 64 KiB decode in about two milliseconds; small files of large pictures
        // have smaller pieces. The cost of pieces of lossy data is not measurable. In lossless data, libwebp restarts
        // with the codes until they are complete, so the first piece reaches beyond them; each later piece repeats the
        // last eight rows: sixteen pieces cost one per cent. Each piece has at least one byte.
        let skipped = min(headerLength, data.count - 1)
        if isLossless {
            self.pieceLength = max(1024, data.count / 16)
            self.fedCount = max(0, skipped, data.count / 4)
        } else {
            self.pieceLength = max(256, min(1 << 16, (data.count - skipped) / 64))
            self.fedCount = max(0, skipped)
        }
    }

    /// Decodes until `wanted` rows are complete; returns all rows decoded so far, or `nil` if the wanted ones have not
    /// arrived.
    mutating func rows(_ wanted: Int) throws(CodecError) -> poster_webp_rows? {
        while !self.isDone, self.rowCount < wanted {
            guard try self.feed() else { return nil }
        }
        var rows = poster_webp_rows()
        try Self.check(poster_webp_reader_rows(self.reader.pointer, &rows), self.watch)
        return rows
    }

    /// Releases the memory of rows before `row`, several at a time.
    mutating func drop(before row: Int) throws(CodecError) {
        guard row - self.droppedCount >= Self.rowsPerDrop else { return }
        try Self.check(poster_webp_reader_drop(self.reader.pointer, UInt32(row)), self.watch)
        self.droppedCount = row
    }

    mutating func finish() throws(CodecError) {
        while !self.isDone {
            guard try self.feed() else { throw .truncated }
        }
    }

    /// Decodes the next piece. An arriving file has the same pieces as the whole one.
    /// - Returns: `false` if the piece has not arrived.
    private mutating func feed() throws(CodecError) -> Bool {
        try self.watch.check()
        guard let base = self.data.baseAddress, self.fedCount < self.data.count else { throw .truncated }
        let end = min(self.data.count, self.fedCount + self.pieceLength)
        if let arriving, case let extent = arriving.file.extent, arriving.offset + end > extent.count {
            guard !extent.isComplete else { throw .truncated }
            return false
        }
        self.fedCount = end
        var rowCount: UInt32 = 0
        let status = poster_webp_reader_feed(self.reader.pointer, base, self.fedCount, &rowCount)
        try Self.check(status, self.watch)
        self.isDone = status == .ok
        // Chroma may lag a row when sides are odd.
        self.rowCount = self.isDone ? self.height : max(0, Int(rowCount) - 2)
        return true
    }

    private static func check(_ status: poster_status, _ watch: RenderWatch) throws(CodecError) {
        try watch.check(
            status, corrupt: .damaged(reason: "libwebp cannot decode the WebP's picture"),
            misuse: .damaged(reason: "libwebp cannot decode the WebP's picture as planned"))
    }
}
