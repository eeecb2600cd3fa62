import FoundationEssentials
import Glibc
import HTTPSemantics
import PosterCodec
import PosterPipeline
import Synchronization

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

    /// A file that was just written.
    /// - Parameters:
    ///   - descriptor: Of the file; closed with this object, not when this throws.
    ///   - path: Its name.
    init(_ descriptor: Int32, path: String, header: OriginalFileHeader) throws(FileError) {
        self.stamp = try FileStamp(of: descriptor, path: path)
        self.header = header
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
    }

    /// Whether it cannot be relied on any more to give back what was verified.
    private var isLost: Bool { self.lost.load(ordering: .relaxed) }

    /// Whether it still gives back what was verified.
    var isIntact: Bool {
        guard !self.isLost, let current = try? FileStamp(of: self.descriptor, path: self.path) else { return false }
        return current.hasSameContent(as: self.stamp)
    }

    /// An error about this file.
    func failure(_ action: String, _ code: Int32) -> FileError { FileError(action, self.path, code: code) }

    /// Lets no read succeed from now on.
    func lose() {
        self.lost.store(true, ordering: .relaxed)
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
    /// - Throws: ``FileError``; `ESTALE` when the file was written to since, or lost.
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
        else { throw .damaged(reason: "its header or length is wrong", stamp: stamp) }
        return (header, stamp)
    }
}

/// The header before the bytes of every stored original, from which an index can be rebuilt.
///
/// Shape, 4096 bytes: `ONESHEET`, the version as a 16-bit and the length of the text as a 32-bit little-endian number,
/// the text (JSON, UTF-8), zeros, and in the last 32 bytes the SHA-256 of all that precedes it.
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
    /// Seconds since 1970.
    var fetchedAt: Int64
    /// Its freshness then; nil in files from before the index.
    var validatedAt, lifetime: Int64?
    /// `ImageFormat`'s name, and the pixels as encoded; nil in files from before the index.
    var format: String?
    var width: Int?
    var height: Int?

    /// Its validators as of the fetch, without those that cannot be sent, which earlier versions stored.
    var validators: Validators { Validators(etag: self.etag, lastModified: self.lastModified).usable }

    /// As of the fetch; never fresh when the file does not say for how long.
    var freshness: Freshness {
        Freshness(validatedAt: self.validatedAt ?? self.fetchedAt, lifetime: self.lifetime ?? 0)
    }
}

extension OriginalFileHeader {
    /// - Returns: nil when the texts do not fit; ids, URLs and validators are bounded so that they do.
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

    /// Reads a header.
    /// - Returns: nil when the bytes are no header of this version, or not as they were written.
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
    /// Without validators that cannot be sent back, or are too long; the original is then fetched instead of revalidated.
    var usable: Validators {
        Validators(
            etag: self.etag.flatMap(ReceivedValidator.entityTag),
            lastModified: self.lastModified.flatMap(ReceivedValidator.lastModified))
    }
}
