/// Compares the first bytes of a file with signatures. Borrows the bytes.
struct FilePrefix {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(ImageFormat.prefixLength))
    }

    var count: Int { self.bytes.count }

    func has(_ signature: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        offset + signature.count <= self.bytes.count && self.bytes.dropFirst(offset).starts(with: signature)
    }

    func has(_ signature: String, at offset: Int = 0) -> Bool {
        self.has(Array(signature.utf8), at: offset)
    }

    /// The bytes as lower-case text without a byte order mark and leading blanks; empty if they are not text.
    var text: String {
        var bytes = self.bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard !bytes.contains(where: { $0 < 0x09 }) else { return "" }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// A description of bytes that are not a picture, as the end of "the origin sent …".
    var impression: String {
        if self.bytes.isEmpty { return "nothing (0 bytes)" }
        if self.has("%PDF") { return "a PDF document" }
        if self.has([0x1F, 0x8B]) { return "gzip data" }
        if self.has("PK") { return "a ZIP archive" }
        if self.has("ftyp", at: 4) { return "a video or audio file" }
        let text = self.text
        if text.isEmpty { return "unknown binary data" }
        if text.hasPrefix("<!doctype html") || text.contains("<html") || text.contains("<body") {
            return "an HTML page"
        }
        if text.hasPrefix("<?xml") || text.hasPrefix("<") { return "an XML document" }
        if text.hasPrefix("{") || text.hasPrefix("[") { return "JSON" }
        return "text"
    }
}

extension UnsafeRawBufferPointer {
    /// The big-endian unsigned number at `offset`; its bytes must be within the buffer.
    func bigEndian(at offset: Int, byteCount: Int = 4) -> Int {
        self[offset..<offset + byteCount].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The little-endian unsigned number at `offset`; its bytes must be within the buffer.
    func littleEndian(at offset: Int, byteCount: Int) -> Int {
        self[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
