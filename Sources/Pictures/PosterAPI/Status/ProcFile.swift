import Glibc

/// Files of proc(5), of unknown length. Foundation reads no more than a page of them.
package enum ProcFile {
    /// The longest part that is read, in bytes: rows of a hundred thousand sockets.
    private static let lengthLimit = 16 << 20
    private static let partLength = 64 << 10

    /// The text; empty if the file cannot be read. Replaces invalid UTF-8. Blocks.
    package static func text(_ path: String) -> String { String(decoding: self.bytes(path), as: UTF8.self) }

    /// The bytes, as far as they can be read. Blocks.
    package static func bytes(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: self.partLength)
        while bytes.count < self.lengthLimit {
            let count = read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return bytes
    }
}
