import Glibc
import PosterCodec
package import PosterPipeline

/// The originals that are refused, in the data folder: a line for each, of its digest, the time until then in seconds since
/// 1970, and how its worker ended.
package struct QuarantineFile: Sendable {
    private let path: String

    /// The longest file that is read: of as many lines as there can be.
    private static let byteLimit = Quarantine.countLimit * 320

    /// - Parameter folder: The data folder.
    package init(in folder: String) {
        self.path = folder + "/quarantine"
    }

    /// What the file has; lines that are none are left out.
    /// - Returns: An empty list without a file.
    /// - Throws: ``FileError``, `CodecError` for a file that is too long.
    package func read() throws -> [Quarantine.Entry] {
        let text: String
        do {
            let bytes = try LoadedBytes.reading(self.path, limit: Self.byteLimit)
            text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        } catch let error as FileError where error.code == ENOENT {
            return []
        }
        return text.split(separator: "\n").prefix(Quarantine.countLimit).compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let digest = Digest(hexadecimal: String(parts[0])), let until = Int64(parts[1])
            else {
                return nil
            }
            return Quarantine.Entry(digest: digest, until: until, reason: String(parts[2]))
        }
    }

    /// Replaces the file. Blocks.
    /// - Throws: ``FileError``.
    package func write(_ entries: [Quarantine.Entry]) throws(FileError) {
        let lines = entries.sorted { ($0.until, "\($0.digest)") < ($1.until, "\($1.digest)") }.map { entry in
            "\(entry.digest) \(entry.until) \(entry.reason.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
        }
        try AtomicFile.write(Array(lines.joined().utf8), to: self.path, isDurable: true)
    }
}
