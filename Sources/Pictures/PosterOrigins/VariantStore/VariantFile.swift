import FoundationEssentials
import Glibc
import HTTPSemantics
import NIOCore
import PosterCodec
import PosterPipeline

/// The header of a variant's file, with the properties of its bytes.
struct VariantFileHeader: Codable, Hashable, Sendable {
    /// ``VariantKey/name``.
    var name: String
    /// ``VariantID/text``, as in the file's name.
    var fingerprint: String
    /// `source:key`.
    var id: String
    /// SHA-256 of the original's bytes, in hexadecimal.
    var original: String
    /// The entity tag without quotation marks.
    var tag: String
    var format: OutputFormat
    /// In pixels.
    var width, height: Int
    /// The length of the picture in bytes.
    var length: Int
    var cpuMicroseconds: UInt64
    var encoding: EncodingEffort
    /// `CodecVersion.version(of:)` at the time of the render.
    var codec: String

    init(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.name = key.name
        self.fingerprint = VariantID(key).text
        self.id = key.id.description
        self.original = key.digest.description
        self.tag = poster.entityTag.description.filter { $0 != "\"" }
        self.format = poster.format
        (self.width, self.height) = (poster.size.width, poster.size.height)
        self.length = poster.bytes.readableBytes
        self.cpuMicroseconds = cpuNanoseconds / 1000
        self.encoding = encoding
        self.codec = CodecVersion.version(of: poster.format)
    }
}

/// A variant's file: header, encoded picture, and a digest of both.
///
/// It consists of `OSVARIAN`, ``VariantFileName/format`` as a 16-bit and the length of the text as a 32-bit
/// little-endian number, the text (JSON, UTF-8), the picture, and the SHA-256 of all preceding bytes.
struct VariantFile {
    enum Failure: Error {
        case absent
        /// It can never be served.
        case damaged(reason: String)
        /// It has another version of the format or of the codec.
        case outdated
        /// It cannot be read at present.
        case unreadable(FileError)

        init(_ error: FileError) {
            switch error.code {
            case ENOENT: self = .absent
            // An unreadable sector, a file that is too short, or not a regular file.
            case EIO, EINVAL, ELOOP, EISDIR: self = .damaged(reason: "\(error)")
            default: self = .unreadable(error)
            }
        }
    }

    private static let magic = Array("OSVARIAN".utf8)
    private static let textOffset = 14
    private static let digestLength = 32
    /// Maximum length of the text in bytes: it contains a poster's id of up to 2 KiB twice.
    private static let textLimit = 32 << 10

    let header: VariantFileHeader
    let bytes: ByteBuffer

    /// The bytes that precede the picture.
    static func head(_ header: VariantFileHeader) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(header)
        var bytes = Self.magic
        withUnsafeBytes(of: VariantFileName.format.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(text.count).littleEndian) { bytes.append(contentsOf: $0) }
        return bytes + text
    }

    static func length(head: [UInt8], picture: Int) -> Int { head.count + picture + Self.digestLength }

    static func write(
        head: [UInt8], _ picture: ByteBuffer, to descriptor: Int32, path: String, calls: FileSystemCalls
    ) throws(FileError) {
        var digest = Digest.Builder()
        try head.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            digest.update(bytes)
            try calls.write(bytes, descriptor, path)
        }
        var failure: FileError?
        picture.withUnsafeReadableBytes { bytes in
            digest.update(bytes)
            do throws(FileError) { try calls.write(bytes, descriptor, path) } catch { failure = error }
        }
        if let failure { throw failure }
        let tail = digest.finish().bytes
        try tail.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            try calls.write(bytes, descriptor, path)
        }
    }

    /// Reads and verifies a file.
    /// - Parameter length: The expected length in bytes.
    init(_ path: String, length: Int) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(FileError("open", path)) }
        defer { close(descriptor) }
        let found: Int
        do throws(FileError) { found = try FileStamp(of: descriptor, path: path).length } catch { throw Failure(error) }
        guard found == length else {
            throw .damaged(reason: "the file has \(found) bytes, but its name says \(length)")
        }
        guard length > Self.textOffset + Self.digestLength else { throw .damaged(reason: "the file is truncated") }
        let start = try Self.bytes(of: descriptor, at: 0, count: Self.textOffset, path: path)
        let textLength = try Self.textLength(start)
        let pictureOffset = Self.textOffset + textLength
        guard pictureOffset + Self.digestLength < length else { throw .damaged(reason: "the header is invalid") }
        let text = try Self.bytes(of: descriptor, at: Self.textOffset, count: textLength, path: path)
        let header = try Self.header(text, pictureLength: length - pictureOffset - Self.digestLength)
        let bytes = try Self.picture(of: descriptor, at: pictureOffset, count: header.length, path: path)
        let tail = try Self.bytes(
            of: descriptor, at: length - Self.digestLength, count: Self.digestLength, path: path)
        var digest = Digest.Builder()
        start.withUnsafeBytes { digest.update($0) }
        text.withUnsafeBytes { digest.update($0) }
        bytes.withUnsafeReadableBytes { digest.update($0) }
        guard digest.finish().bytes == tail else { throw .damaged(reason: "the bytes do not match the digest") }
        self.header = header
        self.bytes = bytes
    }

    /// Decodes and verifies a file in memory.
    init(_ file: [UInt8]) throws(Failure) {
        guard file.count > Self.textOffset + Self.digestLength else { throw .damaged(reason: "the file is truncated") }
        let pictureOffset = Self.textOffset + (try Self.textLength(Array(file[..<Self.textOffset])))
        let end = file.count - Self.digestLength
        guard pictureOffset < end else { throw .damaged(reason: "the header is invalid") }
        self.header = try Self.header(
            Array(file[Self.textOffset..<pictureOffset]), pictureLength: end - pictureOffset)
        guard file[..<end].withUnsafeBytes({ Digest(of: $0) }).bytes.elementsEqual(file[end...]) else {
            throw .damaged(reason: "the bytes do not match the digest")
        }
        self.bytes = ByteBuffer(bytes: file[pictureOffset..<end])
    }

    /// Encodes a whole file in memory.
    static func bytes(_ header: VariantFileHeader, _ picture: ByteBuffer) throws -> [UInt8] {
        var bytes = try self.head(header)
        bytes.reserveCapacity(Self.length(head: bytes, picture: picture.readableBytes))
        bytes.append(contentsOf: picture.readableBytesView)
        return bytes + bytes.withUnsafeBytes { Digest(of: $0) }.bytes
    }

    private static func textLength(_ start: [UInt8]) throws(Failure) -> Int {
        guard start.starts(with: Self.magic) else { throw .damaged(reason: "the header is invalid") }
        guard start.littleEndianNumber(at: 8, count: 2) == Int(VariantFileName.format) else { throw .outdated }
        let length = start.littleEndianNumber(at: 10, count: 4)
        guard length <= Self.textLimit else { throw .damaged(reason: "the header is invalid") }
        return length
    }

    private static func header(_ text: [UInt8], pictureLength: Int) throws(Failure) -> VariantFileHeader {
        guard let header = try? JSONDecoder().decode(VariantFileHeader.self, from: Data(text)),
            header.length == pictureLength
        else { throw .damaged(reason: "the header is invalid") }
        guard header.codec == CodecVersion.version(of: header.format) else { throw .outdated }
        return header
    }

    private static func bytes(
        of descriptor: Int32, at offset: Int, count: Int, path: String
    ) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: FileError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FileError) {
                try LoadedBytes.read(descriptor, from: offset, into: buffer, path: path)
            } catch {
                failure = error
            }
        }
        if let failure { throw Failure(failure) }
        return bytes
    }

    /// Reads the picture into memory of exactly its length.
    private static func picture(
        of descriptor: Int32, at offset: Int, count: Int, path: String
    ) throws(Failure) -> ByteBuffer {
        guard let start = malloc(count) else { throw .unreadable(FileError("read", path, code: ENOMEM)) }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: count)
        do throws(FileError) {
            try LoadedBytes.read(descriptor, from: offset, into: memory, path: path)
        } catch {
            free(start)
            throw Failure(error)
        }
        return ByteBuffer(owning: memory)
    }
}

extension [UInt8] {
    fileprivate func littleEndianNumber(at start: Int, count: Int) -> Int {
        self[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
