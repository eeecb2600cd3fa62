import Glibc
import Logging
import PosterPipeline
import Synchronization

/// An original that is being written to a temporary file, its header left blank until all is known.
final class DiskOriginalDraft: OriginalDraft {
    private struct State {
        /// -1 once committed or discarded.
        var descriptor: Int32
        var digest = Digest.Builder()
        var length = 0
    }

    private let id: PosterID
    private let location: OriginalLocation
    private let temporary: String
    private let final: String
    private let verifier: OriginalVerifier
    private let threads: WorkThreads
    private let logger: Logger
    private let secondsSince1970: @Sendable () -> Int64
    private let state: Mutex<State>

    /// - Throws: ``FileError``.
    init(
        id: PosterID, location: OriginalLocation, temporary: String, final: String, verifier: OriginalVerifier,
        threads: WorkThreads, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64
    ) throws(FileError) {
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("create", temporary) }
        guard lseek(descriptor, off_t(OriginalFileHeader.length), SEEK_SET) >= 0 else {
            let error = FileError("write", temporary)
            close(descriptor)
            unlink(temporary)
            throw error
        }
        self.id = id
        self.location = location
        self.temporary = temporary
        self.final = final
        self.verifier = verifier
        self.threads = threads
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        self.state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        self.abandon()
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let failure = self.state.withLock { state -> FileError? in
            guard state.descriptor >= 0 else { return FileError("write", self.temporary, code: EBADF) }
            do throws(FileError) {
                try AtomicFile.writeAll(bytes, to: state.descriptor, path: self.temporary)
            } catch {
                return error
            }
            state.digest.update(bytes)
            state.length += bytes.count
            return nil
        }
        if let failure { self.logger.error("Cannot store an original", metadata: ["error.message": "\(failure)"]) }
        return failure == nil
    }

    func commit(_ description: OriginDescription) async throws -> Original {
        try await self.threads.run {
            do {
                return try self.finish(description)
            } catch let error as FileError {
                self.logger.error("Cannot store an original", metadata: ["error.message": "\(error)"])
                throw PosterError.storageFailed(reason: "an original could not be stored (\(error.action))")
            }
        }
    }

    func discard() async {
        self.abandon()
    }

    private func finish(_ description: OriginDescription) throws -> Original {
        let (descriptor, digest, length) = self.state.withLock { ($0.descriptor, $0.digest.finish(), $0.length) }
        guard descriptor >= 0 else { throw FileError("commit", self.temporary, code: EBADF) }
        if let declared = description.declaredLength, declared != length {
            throw PosterError.badOriginal(reason: "it declared \(declared) bytes and sent \(length)")
        }
        let bytes = try OriginalBytes.mapping(self.temporary, from: OriginalFileHeader.length)
        let picture = try self.verifier.verify(bytes)
        let header = OriginalFileHeader(
            id: self.id, location: self.location, digest: digest, length: length, description: description,
            fetchedAt: self.secondsSince1970())
        guard let encoded = try header.encoded() else {
            throw FileError("describe", self.temporary, code: ENAMETOOLONG)
        }
        guard pwrite(descriptor, encoded, encoded.count, 0) == encoded.count, fsync(descriptor) == 0 else {
            throw FileError("write", self.temporary)
        }
        let folder = String(self.final[..<self.final.lastIndex(of: "/")!])
        if mkdir(folder, 0o700) == 0 {
            try DataDirectory.synchronise(String(folder[..<folder.lastIndex(of: "/")!]))
        } else if errno != EEXIST {
            throw FileError("create", folder)
        }
        guard rename(self.temporary, self.final) == 0 else { throw FileError("rename", self.temporary) }
        self.state.withLock { state in
            close(state.descriptor)
            state.descriptor = -1
        }
        try DataDirectory.synchronise(folder)
        return Original(id: self.id, digest: digest, header: picture, bytes: bytes)
    }

    private func abandon() {
        self.state.withLock { state in
            guard state.descriptor >= 0 else { return }
            close(state.descriptor)
            state.descriptor = -1
            unlink(self.temporary)
        }
    }
}
