import Glibc
import PosterPipeline

/// A stored original's file, open, with a header that is whole and a length that agrees with it.
final class OriginalFile: Sendable {
    enum Failure: Error {
        case absent
        /// It cannot be served; `stamp` identifies the file that was found so, nil when it could not be read.
        case damaged(reason: String, stamp: FileStamp?)
        /// It may be fine, but cannot be read now.
        case unreadable(FileError)
        /// It is intact, but over a limit or unsupported.
        case refused(PosterError)

        init(_ error: FileError, stamp: FileStamp? = nil) {
            switch error.code {
            case ENOENT: self = .absent
            // A sector that cannot be read, or no file at all: what can be fetched again should be.
            case EIO, EINVAL, ELOOP, EISDIR: self = .damaged(reason: "\(error)", stamp: stamp)
            default: self = .unreadable(error)
            }
        }

        init(_ error: PosterError, stamp: FileStamp) {
            guard case .badOriginal(let reason) = error else {
                self = .refused(error)
                return
            }
            self = .damaged(reason: reason, stamp: stamp)
        }
    }

    let header: OriginalFileHeader
    let stamp: FileStamp
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(FileError("open", path)) }
        do throws(Failure) {
            (self.header, self.stamp) = try Self.examine(descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// A file that was just written.
    ///
    /// - Parameters:
    ///   - descriptor: Of the file; closed with this object, not when this throws.
    ///   - path: Its name.
    /// - Throws: ``FileError``.
    init(_ descriptor: Int32, path: String, header: OriginalFileHeader) throws(FileError) {
        self.stamp = try FileStamp(of: descriptor, path: path)
        self.header = header
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
    }

    /// The bytes behind the header, in memory, and whether the file is still as it was when its stamp was taken.
    func contents() throws(Failure) -> (bytes: LoadedBytes, isUnchanged: Bool) {
        do throws(FileError) {
            let bytes = try LoadedBytes.contents(
                of: self.descriptor, from: OriginalFileHeader.length, to: self.stamp.length, path: self.path)
            return (bytes, try FileStamp(of: self.descriptor, path: self.path) == self.stamp)
        } catch {
            throw Failure(error, stamp: self.stamp)
        }
    }

    /// Fills a buffer with bytes behind the header, which are as they were when the stamp was taken.
    ///
    /// - Throws: ``FileError``; `ESTALE` when the file was written to since.
    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        try LoadedBytes.read(
            self.descriptor, from: OriginalFileHeader.length + offset, into: buffer, path: self.path)
        guard try FileStamp(of: self.descriptor, path: self.path).hasSameContent(as: self.stamp) else {
            throw FileError("read", self.path, code: ESTALE)
        }
    }

    private static func examine(
        _ descriptor: Int32, path: String
    ) throws(Failure) -> (OriginalFileHeader, FileStamp) {
        let stamp: FileStamp
        let head: LoadedBytes
        do throws(FileError) {
            stamp = try FileStamp(of: descriptor, path: path)
            head = try LoadedBytes.contents(of: descriptor, from: 0, to: OriginalFileHeader.length, path: path)
        } catch {
            throw Failure(error, stamp: FileStamp(at: path))
        }
        guard let header = head.withUnsafeBytes({ OriginalFileHeader($0) }),
            header.length == stamp.length - OriginalFileHeader.length
        else { throw .damaged(reason: "its header or length is wrong", stamp: stamp) }
        return (header, stamp)
    }
}
