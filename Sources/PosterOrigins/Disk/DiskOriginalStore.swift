import Glibc
public import Logging
public import PosterPipeline
import Synchronization

/// Originals in files, one each, fanned out over folders by the digest of their ids.
///
/// A file is written under a temporary name, verified, made durable, renamed, and only then served. At the first use
/// after a start its bytes are checked against its digest, so that a file that was torn or changed is never served.
public final class DiskOriginalStore: OriginalStore {
    /// How many files' digests are remembered as checked.
    static let checkedLimit = 100_000

    /// A file whose bytes were compared with its digest, as it was then.
    private struct Checked: Hashable {
        let digest: String
        let stamp: MappedFile.Stamp
    }

    private let directory: String
    private let verifier: OriginalVerifier
    private let threads: WorkThreads
    private let logger: Logger
    private let secondsSince1970: @Sendable () -> Int64
    private let lastDraft = Atomic<Int>(0)
    private let checked = Mutex<[PosterID: Checked]>([:])

    /// Prepares the folder `originals` in a data directory, and removes what a crash left half written.
    ///
    /// - Parameters:
    ///   - threads: Where files are read and written.
    /// - Throws: ``FileError``.
    public init(
        in data: DataDirectory, verifier: OriginalVerifier, threads: WorkThreads, logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64
    ) throws(FileError) {
        self.directory = data.path + "/originals"
        self.verifier = verifier
        self.threads = threads
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        try DataDirectory.create(self.incoming)
        try self.sweep()
    }

    /// The stored original, verified; nil when there is none, or another location's.
    ///
    /// - Throws: `PosterError`, `CancellationError`.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> Original? {
        try await self.threads.run {
            try self.read(id, from: location)
        }
    }

    /// A file for the bytes of an original that is about to arrive.
    ///
    /// - Throws: `PosterError.storageFailed`, `CancellationError`.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        let number = self.lastDraft.add(1, ordering: .relaxed).newValue
        return try await self.threads.run {
            do {
                do {
                    return try self.draft(number, for: id, from: location)
                } catch let error as FileError where error.code == ENOENT {
                    // Originals may be deleted at any time, their folder with them.
                    try DataDirectory.create(self.incoming)
                    return try self.draft(number, for: id, from: location)
                }
            } catch {
                self.logger.error("Cannot store originals", metadata: ["error.message": "\(error)"])
                throw PosterError.storageFailed(reason: "an original could not be stored")
            }
        }
    }

    private func draft(
        _ number: Int, for id: PosterID, from location: OriginalLocation
    ) throws(FileError) -> DiskOriginalDraft {
        try DiskOriginalDraft(
            id: id, location: location, temporary: "\(self.incoming)/\(getpid())-\(number)", final: self.path(of: id),
            verifier: self.verifier, threads: self.threads, logger: self.logger,
            secondsSince1970: self.secondsSince1970)
    }

    /// Removes an original if it still has that digest.
    public func remove(_ id: PosterID, digest: Digest) async {
        try? await self.threads.run {  // if the queue is full, it is found damaged again
            let path = self.path(of: id)
            guard let file = try? OriginalBytes.mapping(path),
                file.withUnsafeBytes({ OriginalFileHeader($0) })?.digest == digest.description
            else { return }
            self.drop(id, path: path, because: "it cannot be decoded")
        }
    }

    private var incoming: String { self.directory + "/incoming" }

    private func path(of id: PosterID) -> String {
        let name = Digest(of: id.description).description
        return "\(self.directory)/\(name.prefix(2))/\(name).original"
    }

    private func read(_ id: PosterID, from location: OriginalLocation) throws -> Original? {
        let path = self.path(of: id)
        let file: MappedFile
        do {
            file = try MappedFile(path)
        } catch {
            guard error.code != ENOENT else { return nil }
            self.logger.error("Cannot read an original", metadata: ["error.message": "\(error)"])
            throw PosterError.storageFailed(reason: "a stored original could not be read")
        }
        guard let header = file.bytes.withUnsafeBytes({ OriginalFileHeader($0) }), header.id == id.description,
            header.length == file.bytes.count - OriginalFileHeader.length
        else {
            self.drop(id, path: path, because: "its header or length is wrong")
            return nil
        }
        // The origin was reconfigured, or the packaged poster replaced: the next fetch renames over this file.
        guard header.location == location.identity else { return nil }
        let bytes = file.bytes.dropFirst(OriginalFileHeader.length)
        let checked = Checked(digest: header.digest, stamp: file.stamp)
        let isChecked = self.checked.withLock { $0[id] == checked }
        let digest = isChecked ? Digest(hexadecimal: header.digest) : bytes.withUnsafeBytes { Digest(of: $0) }
        guard let digest, digest.description == header.digest else {
            self.drop(id, path: path, because: "its bytes have changed")
            return nil
        }
        do throws(PosterError) {
            let picture = try self.verifier.verify(bytes, wasVerified: isChecked)
            if !isChecked { self.remember(id, checked) }
            return Original(id: id, digest: digest, header: picture, bytes: bytes)
        } catch {
            guard case .badOriginal(let reason) = error else { throw error }
            self.drop(id, path: path, because: reason)  // stored by a version that was less strict
            return nil
        }
    }

    private func remember(_ id: PosterID, _ file: Checked) {
        self.checked.withLock { checked in
            // Forgetting costs one more check each; simpler than an order of use.
            if checked.count >= Self.checkedLimit { checked.removeAll() }
            checked[id] = file
        }
    }

    private func drop(_ id: PosterID, path: String, because reason: String) {
        self.checked.withLock { _ = $0.removeValue(forKey: id) }
        self.logger.warning("Dropping a stored original", metadata: ["poster.id": "\(id)", "reason": "\(reason)"])
        unlink(path)
    }

    /// Removes files that were being written when the process ended. Nobody else writes: the directory is locked.
    private func sweep() throws(FileError) {
        guard let folder = opendir(self.incoming) else { throw FileError("open", self.incoming) }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink("\(self.incoming)/\(name)") }
        }
    }
}
