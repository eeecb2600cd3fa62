import FoundationEssentials
import Glibc
import HTTPSemantics
import PosterCodec
import PosterPipeline
import Synchronization

/// The open file of a stored original; its header is intact and agrees with its length.
final class OriginalFile: Sendable {
    enum Failure: Error {
        case absent
        /// It cannot be served; `stamp` identifies the damaged file, `nil` if it could not be read.
        case damaged(reason: String, stamp: FileStamp?)
        /// It cannot be read at present.
        case unreadable(FileError)
        /// It is intact, but exceeds a limit or is unsupported.
        case refused(PosterError)

        init(_ error: FileError, stamp: FileStamp? = nil) {
            switch error.code {
            case ENOENT: self = .absent
            // An unreadable sector, or not a regular file: the original should be fetched again.
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
    let descriptor: Int32
    private let path: String
    private let lost = Atomic<Bool>(false)

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

    /// Wraps a file that was just written.
    /// - Parameters:
    ///   - descriptor: Closed with this object, but not if the initialiser throws.
    ///   - path: The file's final name.
    init(_ descriptor: Int32, path: String, header: OriginalFileHeader) throws(FileError) {
        self.stamp = try FileStamp(of: descriptor, path: path)
        self.header = header
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
    }

    /// Whether the file may no longer return the verified bytes.
    private var isLost: Bool { self.lost.load(ordering: .relaxed) }

    /// Whether the file still has the verified bytes.
    var isIntact: Bool {
        guard !self.isLost, let current = try? FileStamp(of: self.descriptor, path: self.path) else { return false }
        return current.hasSameContent(as: self.stamp)
    }

    func failure(_ action: String, _ code: Int32) -> FileError { FileError(action, self.path, code: code) }

    /// Makes all further reads fail.
    func lose() {
        self.lost.store(true, ordering: .relaxed)
    }

    /// Reads the bytes behind the header into memory; `isUnchanged` if the file still has its stamp.
    func contents() throws(Failure) -> (bytes: LoadedBytes, isUnchanged: Bool) {
        do throws(FileError) {
            let bytes = try LoadedBytes.contents(
                of: self.descriptor, from: OriginalFileHeader.length, to: self.stamp.length, path: self.path)
            return (bytes, try FileStamp(of: self.descriptor, path: self.path) == self.stamp)
        } catch {
            throw Failure(error, stamp: self.stamp)
        }
    }

    /// Fills a buffer with bytes behind the header.
    /// - Throws: ``FileError``, with `ESTALE` if the file was written to since its stamp was taken, or is lost.
    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        try LoadedBytes.read(
            self.descriptor, from: OriginalFileHeader.length + offset, into: buffer, path: self.path)
        let current = try FileStamp(of: self.descriptor, path: self.path)
        guard !self.isLost, current.hasSameContent(as: self.stamp) else {
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
        else { throw .damaged(reason: "the header or the length is invalid", stamp: stamp) }
        return (header, stamp)
    }
}

/// The header of a stored original's file, from which the index can be rebuilt.
///
/// It has 4096 bytes: `ONESHEET`, the version as a 16-bit and the length of the text as a 32-bit little-endian number,
/// the text (JSON, UTF-8), zeros, and in the last 32 bytes the SHA-256 of all preceding bytes.
struct OriginalFileHeader: Codable, Hashable {
    static let length = 4096
    static let version: UInt16 = 1

    private static let magic = Array("ONESHEET".utf8)
    private static let textOffset = 14
    private static let checksumOffset = length - 32

    /// `source:key`.
    var id: String
    /// `OriginalLocation.identity`: the URL it was fetched from.
    var location: String
    /// SHA-256 of the bytes, in hexadecimal.
    var digest: String
    var length: Int
    var etag: String?
    var lastModified: String?
    /// In seconds since 1970.
    var fetchedAt: Int64
    /// The freshness as of the fetch; `nil` in files older than the index.
    var validatedAt, lifetime: Int64?
    /// The raw value of `ImageFormat`, and the encoded size in pixels; `nil` in files older than the index.
    var format: String?
    var width: Int?
    var height: Int?

    /// The validators as of the fetch, without those that cannot be sent, which earlier versions stored.
    var validators: Validators { Validators(etag: self.etag, lastModified: self.lastModified).usable }

    /// The freshness as of the fetch; stale if the file has no lifetime.
    var freshness: Freshness {
        Freshness(validatedAt: self.validatedAt ?? self.fetchedAt, lifetime: self.lifetime ?? 0)
    }
}

extension OriginalFileHeader {
    /// - Returns: `nil` if the texts do not fit; the limits of ids, URLs and validators prevent that.
    func encoded() -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(self),  // texts and whole numbers never fail
            text.count <= Self.checksumOffset - Self.textOffset
        else { return nil }
        var bytes = Self.magic
        withUnsafeBytes(of: Self.version.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(text.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += text
        bytes += [UInt8](repeating: 0, count: Self.checksumOffset - bytes.count)
        bytes += bytes.withUnsafeBytes { Digest(of: $0).bytes }
        return bytes
    }

    /// Decodes a header; `nil` if the bytes are not a header of this version, or have changed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.length, bytes.starts(with: Self.magic),
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self)) == Self.version
        else { return nil }
        let covered = UnsafeRawBufferPointer(rebasing: bytes[..<Self.checksumOffset])
        guard Digest(of: covered).bytes.elementsEqual(bytes[Self.checksumOffset..<Self.length]) else { return nil }
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 10, as: UInt32.self)))
        guard count <= Self.checksumOffset - Self.textOffset else { return nil }
        let text = Data(bytes[Self.textOffset..<Self.textOffset + count])
        guard let header = try? JSONDecoder().decode(Self.self, from: text) else { return nil }
        self = header
    }

    init(
        id: PosterID, location: OriginalLocation, digest: Digest, length: Int, picture: ImageHeader,
        validators: Validators, freshness: Freshness, fetchedAt: Int64
    ) {
        let validators = validators.usable
        self.id = id.description
        self.location = location.identity
        self.digest = digest.description
        self.length = length
        self.etag = validators.etag
        self.lastModified = validators.lastModified
        self.fetchedAt = fetchedAt
        self.validatedAt = freshness.validatedAt
        self.lifetime = freshness.lifetime
        self.format = picture.format.rawValue
        self.width = picture.width
        self.height = picture.height
    }
}

extension Validators {
    /// Removes validators that are too long or cannot be sent back; the original is then fetched instead of
    /// revalidated.
    var usable: Validators {
        Validators(
            etag: self.etag.flatMap(ReceivedValidator.entityTag),
            lastModified: self.lastModified.flatMap(ReceivedValidator.lastModified))
    }
}
