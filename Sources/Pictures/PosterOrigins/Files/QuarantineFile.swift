import Glibc
import PosterCodec
package import PosterPipeline

/// The quarantine's entries in the data folder: one line per original with its digest, the end of its refusal in
/// seconds since 1970, and how its worker ended.
package struct QuarantineFile: Sendable {
    private let path: String

    /// Maximum length of a file that is read: enough for the maximum number of lines.
    private static let byteLimit = Quarantine.countLimit * 320

    package init(in folder: String) {
        self.path = folder + "/quarantine"
    }

    /// Reads the entries; skips malformed lines.
    /// - Returns: An empty list if there is no file.
    /// - Throws: ``FileError``, `CodecError` if the file is too long.
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

    /// Replaces the file, durably. Blocks.
    /// - Throws: ``FileError``.
    package func write(_ entries: [Quarantine.Entry]) throws(FileError) {
        let lines = entries.sorted { ($0.until, "\($0.digest)") < ($1.until, "\($1.digest)") }.map { entry in
            "\(entry.digest) \(entry.until) \(entry.reason.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
        }
        try AtomicFile.write(Array(lines.joined().utf8), to: self.path, isDurable: true)
    }
}
