import ArgumentParser
import Glibc
import PosterOrigins

/// The result of a render: a file, or standard output.
enum PictureOutput {
    /// The path of standard output.
    static let standard = "-"

    /// Rejects outputs that cannot be written, before the render.
    /// - Throws: ``PictureFileError``; `ValidationError` for a terminal.
    static func check(_ path: String, isTerminal: Bool = isatty(STDOUT_FILENO) == 1) throws {
        if path == self.standard {
            guard !isTerminal else {
                throw ValidationError(
                    "standard output is a terminal, which shows no picture; redirect it, as with '> poster.webp'")
            }
        } else if path.hasSuffix("/") || self.kind(of: path) == S_IFDIR {
            throw PictureFileError.directory(path)
        }
    }

    /// Whether the path is a device or a pipe, which has no name of its own.
    static func isStream(_ path: String) -> Bool {
        path == self.standard || self.kind(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        if path == self.standard {
            try StandardOutput.write(bytes: bytes)
        } else {
            try AtomicFile.write(bytes, to: path)
        }
    }

    /// Writes a report to standard output, or to standard error if that has the picture.
    static func writeReport(_ text: String, besides path: String) throws {
        if path == self.standard {
            StandardError.write(text)
        } else {
            try StandardOutput.write(text)
        }
    }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
