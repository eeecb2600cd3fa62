import Glibc

/// The calls that a full or failing disk refuses; a test's may refuse them without one.
struct DiskCalls: Sendable {
    /// Makes a file that is not there yet; gives its descriptor.
    var create: @Sendable (_ path: String) throws(FileError) -> Int32
    /// Writes all of the bytes where the descriptor stands.
    var write:
        @Sendable (_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ path: String) throws(FileError) -> Void
    /// Makes what was written durable.
    var synchronise: @Sendable (_ descriptor: Int32, _ path: String) throws(FileError) -> Void

    /// The system's.
    static let system = DiskCalls(
        create: { (path) throws(FileError) in
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileError("create", path) }
            return descriptor
        },
        write: { (bytes, descriptor, path) throws(FileError) in
            try AtomicFile.writeAll(bytes, to: descriptor, path: path)
        },
        synchronise: { (descriptor, path) throws(FileError) in
            guard fsync(descriptor) == 0 else { throw FileError("synchronise", path) }
        })
}
