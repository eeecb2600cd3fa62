import Glibc

/// A font file, mapped read-only, so that all processes share its pages. A file may be replaced by renaming another
/// one, as package managers do, but not be truncated.
final class BadgeFontFile: @unchecked Sendable {
    // Unchecked because of the pointer: the memory is never written.

    /// The bytes that identify a file besides its size: its directory has a checksum of each table.
    private static let fingerprintLength = 4096

    /// Absolute, without symbolic links.
    let path: String
    let bytes: UnsafeRawBufferPointer

    /// - Parameter file: A path; the suffix is one of ``BadgeFonts/suffixes``.
    init(_ file: String) throws(BadgeFontError) {
        func failure(_ reason: String) -> BadgeFontError { BadgeFontError(file: file, reason: reason) }
        let suffix = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard BadgeFonts.suffixes.contains(suffix) else {
            throw failure("its name ends in none of .\(BadgeFonts.suffixes.joined(separator: " ."))")
        }
        guard let resolved = realpath(file, nil) else { throw failure(String(cString: strerror(errno))) }
        defer { free(resolved) }
        let descriptor = open(resolved, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is no regular file") }
        guard status.st_size > 0 else { throw failure("it is empty") }
        let count = Int(status.st_size)
        guard count <= BadgeFonts.byteLimit else {
            throw failure("it has \(count) bytes; the maximum is \(BadgeFonts.byteLimit)")
        }
        let mapped = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { throw failure(String(cString: strerror(errno))) }
        self.path = String(cString: resolved)
        self.bytes = UnsafeRawBufferPointer(start: mapped, count: count)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: self.bytes.baseAddress), self.bytes.count)
    }

    /// A hash of the file's size and beginning, the same in every process.
    var fingerprint: UInt64 {
        FontFingerprint.value(of: self.bytes.prefix(Self.fingerprintLength), seed: UInt64(self.bytes.count))
    }
}

/// FNV-1a with 64 bits: the same in every process.
enum FontFingerprint {
    static func value(of bytes: some Sequence<UInt8>, seed: UInt64) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
