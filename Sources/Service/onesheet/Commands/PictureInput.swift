import Glibc
import NIOPosix
import PosterCodec
import PosterOrigins
import PosterPipeline

/// A picture to read: a file, a pipe, or standard input.
struct PictureInput {
    /// The path of standard input.
    static let standard = "-"

    let path: String

    var isStandard: Bool { self.path == Self.standard }

    /// The name in messages.
    var name: String { self.isStandard ? "standard input" : self.path }

    private static let partSize = 64 << 10

    /// Reads all bytes, on a thread that may block: a pipe may wait for its writer.
    /// - Parameter limit: Maximum length in bytes.
    /// - Throws: ``FileError``; ``PictureFileError``; `CodecError/overLimit`.
    func read(limit: Int) async throws -> LoadedBytes {
        try await NIOThreadPool.singleton.runIfActive { try self.load(limit: limit) }
    }

    /// Whether a path names the same regular file, for example by a link.
    func isFile(at path: String) -> Bool {
        var other = stat()
        guard let status, status.st_mode & S_IFMT == S_IFREG, stat(path, &other) == 0 else { return false }
        return status.st_dev == other.st_dev && status.st_ino == other.st_ino
    }

    /// `nil` if the file is missing or unreachable.
    private var status: stat? {
        var status = stat()
        let code = self.isStandard ? fstat(STDIN_FILENO, &status) : stat(self.path, &status)
        return code == 0 ? status : nil
    }

    private func load(limit: Int) throws -> LoadedBytes {
        // A missing file is an error of opening it.
        let kind = self.status.map { $0.st_mode & S_IFMT } ?? S_IFREG
        guard kind != S_IFDIR else { throw PictureFileError.directory(self.name) }
        if kind == S_IFREG, !self.isStandard { return try .reading(self.path, limit: limit) }
        return try self.stream(limit: limit)
    }

    /// Reads to the end, or until there is more than the limit.
    private func stream(limit: Int) throws -> LoadedBytes {
        let descriptor = self.isStandard ? STDIN_FILENO : open(self.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PictureFileError.unreadable(self.name, code: errno) }
        defer { if !self.isStandard { close(descriptor) } }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: Self.partSize)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PictureFileError.unreadable(self.name, code: errno) }
            guard count > 0 else { break }
            bytes += part.prefix(count)
            guard bytes.count <= limit else { throw PictureFileError.tooLong(self.name, limit: limit) }
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        return LoadedBytes(taking: memory)
    }
}

/// A file or stream of the command line that cannot be used. The description names it.
enum PictureFileError: Error, Equatable, CustomStringConvertible {
    case directory(String)
    /// `code` is an `errno`.
    case unreadable(String, code: Int32)
    case tooLong(String, limit: Int)

    var description: String {
        switch self {
        case .directory(let name): "\(name) is a directory"
        case .unreadable(let name, let code): "cannot read \(name): \(String(cString: strerror(code)))"
        case .tooLong(let name, let limit):
            "\(name): over the limit of bytes: it has more than \(limit), the value of --max-bytes"
        }
    }

    /// The line about a failed input or output, which names it once.
    static func line(_ error: any Error, name: String) -> String {
        error is FileError || error is PictureFileError ? "\(error)" : "\(name): \(error)"
    }
}
