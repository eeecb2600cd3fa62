import Glibc
import Logging
import PosterCodec
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// An original that is being written to a temporary file; the header stays blank until the end. It is moved to memory
/// once the disk rejects it.
///
/// The file is created with the first bytes: many fetches wait for their origin, and hold no descriptor meanwhile.
final class DiskOriginalDraft: OriginalDraft {
    private enum Place {
        case unmade
        case file(Int32)
        case memory(UnstoredOriginalBuffer)
        /// Committed, discarded, or out of memory and disk space.
        case none
    }

    private struct State {
        var place = Place.unmade
        var digest = Digest.Builder()
        var length = 0
        /// The length for which a place among the pending originals is reserved.
        var reservation: Int?
    }

    private let id: PosterID
    private let location: OriginalLocation
    private let temporary: String
    private let fileStore: OriginalFileStore
    private let threads: BoundedThreadPool
    private let whenPlaced: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter whenPlaced: Called on a thread of the store once the file is durable under its final name; may block
    ///   for disk I/O.
    init(
        id: PosterID, location: OriginalLocation, temporary: String, fileStore: OriginalFileStore,
        threads: BoundedThreadPool, whenPlaced: @escaping @Sendable () -> Void = {}
    ) {
        self.id = id
        self.location = location
        self.temporary = temporary
        self.fileStore = fileStore
        self.threads = threads
        self.whenPlaced = whenPlaced
    }

    var digest: Digest { self.state.withLock { $0.digest.finish() } }

    deinit {
        self.abandon()
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (isKept, trouble) = self.state.withLock { state -> (Bool, FileError?) in
            var trouble = self.makePlace(&state)
            if case .file(let descriptor) = state.place {
                do throws(FileError) {
                    try self.fileStore.calls.write(bytes, descriptor, self.temporary)
                } catch {
                    trouble = error
                    self.moveToMemory(&state, from: descriptor)
                }
            }
            switch state.place {
            case .file: break
            case .memory(let memory):
                guard memory.append(bytes) else {
                    state.place = .none
                    return (false, trouble)
                }
            case .unmade, .none: return (false, trouble)
            }
            state.digest.update(bytes)
            state.length += bytes.count
            return (true, trouble)
        }
        if let trouble { self.fileStore.writeFaults.begin(trouble) }
        return isKept
    }

    func restart() -> Bool {
        self.state.withLock { state in
            state.digest = Digest.Builder()
            state.length = 0
            switch state.place {
            case .unmade: return true
            case .file(let descriptor):
                // No bytes of the first attempt may remain behind a shorter original.
                if Self.clear(descriptor) { return true }
                self.moveToMemory(&state, from: descriptor)
                return true
            case .memory(let memory):
                memory.removeAll()
                return true
            case .none: return false
            }
        }
    }

    func commit(
        validators: Validators, freshness: Freshness, declaredLength: Int?
    ) async throws -> StoredOriginal {
        try await self.commit(
            validators: validators, freshness: freshness, declaredLength: declaredLength, fetchedAt: nil)
    }

    /// - Parameter fetchedAt: When the bytes were fetched from their origin, in seconds since 1970, at most the current
    ///   time; `nil` for the current time.
    func commit(
        validators: Validators, freshness: Freshness, declaredLength: Int?, fetchedAt: Int64?
    ) async throws -> StoredOriginal {
        let length = self.state.withLock { state in
            let isReserved = !self.fileStore.writeFaults.isOn && self.fileStore.pending.reserve(state.length)
            state.reservation = isReserved ? state.length : nil
            return state.length
        }
        defer { if let reserved = self.takeReservation() { self.fileStore.pending.release(reserved) } }
        if self.state.withLock({ $0.reservation == nil }) {
            // The file is placed at once: files of earlier commits must not overwrite it later.
            try await self.fileStore.pending.settle(Digest(of: self.id.description))
        }
        // The whole file is read back into memory for verification.
        return try await self.threads.run(weight: length) {
            try self.finish(validators, freshness, declaredLength: declaredLength, fetchedAt: fetchedAt)
        }
    }

    private func takeReservation() -> Int? { self.state.withLock { $0.reservation.take() } }

    func discard() async {
        self.abandon()
    }

    private func finish(
        _ validators: Validators, _ freshness: Freshness, declaredLength: Int?, fetchedAt: Int64?
    ) throws(PosterError) -> StoredOriginal {
        let (place, digest, length) = self.state.withLock { ($0.place, $0.digest.finish(), $0.length) }
        if let declaredLength, declaredLength != length {
            throw .badOriginal(reason: "it declared \(declaredLength) bytes and sent \(length)")
        }
        let now = min(fetchedAt ?? .max, self.fileStore.secondsSince1970())
        if case .file(let descriptor) = place {
            if let bytes = self.contents(of: descriptor, length: length) {
                let picture = try self.fileStore.verifier.verify(bytes)
                let header = OriginalFileHeader(
                    id: self.id, location: self.location, digest: digest, length: length, picture: picture,
                    validators: validators, freshness: freshness, fetchedAt: now)
                let stored = self.store(header, from: descriptor) { bytes in
                    StoredOriginal(
                        original: Original(id: self.id, digest: digest, header: picture, bytes: .stored(bytes)),
                        validators: validators, freshness: freshness, storedAt: now)
                }
                if let stored { return stored }
            }
            self.state.withLock { self.moveToMemory(&$0, from: descriptor) }
        }
        let original = try self.originalInMemory(digest)
        self.fileStore.count { $0.unstored += 1 }
        return StoredOriginal(
            original: original, validators: validators, freshness: freshness, isStored: false, storedAt: now)
    }

    private func contents(of descriptor: Int32, length: Int) -> LoadedBytes? {
        do throws(FileError) {
            return try LoadedBytes.contents(
                of: descriptor, from: OriginalFileHeader.length, to: OriginalFileHeader.length + length,
                path: self.temporary)
        } catch {
            self.fileStore.writeFaults.begin(error)
            return nil
        }
    }

    /// Stores the file, which becomes durable in the background. If too many files are pending, or the disk has refused
    /// the previous one, it becomes durable before it is served: if that fails, the original can still be kept in
    /// memory.
    /// - Returns: `nil` if the file is not stored; otherwise the descriptor is closed.
    private func store(
        _ header: OriginalFileHeader, from descriptor: Int32, _ stored: (OpenOriginal) -> StoredOriginal
    ) -> StoredOriginal? {
        let key = Digest(of: header.id)
        let reservation = self.takeReservation()
        let file: OriginalFile
        // The draft's descriptor is writable; workers that read the original must not get it.
        var readable: Int32 = -1
        do throws(FileError) {
            try self.fileStore.write(header, to: descriptor, path: self.temporary)
            readable = open(self.temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard readable >= 0 else { throw FileError("open", self.temporary) }
            if reservation == nil {
                try self.fileStore.place(self.temporary, descriptor: descriptor, header: header, key: key)
                self.whenPlaced()
            }
            file = try OriginalFile(readable, path: self.fileStore.layout.path(of: key), header: header)
        } catch {
            if readable >= 0 { close(readable) }
            if let reservation { self.fileStore.pending.release(reservation) }
            self.fileStore.writeFaults.begin(error)
            return nil
        }
        self.state.withLock { $0.place = .none }
        close(descriptor)
        let stored = stored(OpenOriginal(file, of: self.id, fileStore: self.fileStore))
        if reservation != nil {
            self.fileStore.placeLater(stored, in: file, from: self.temporary, key: key, whenPlaced: self.whenPlaced)
        } else {
            self.fileStore.writeFaults.end()
        }
        return stored
    }

    private func originalInMemory(_ digest: Digest) throws(PosterError) -> Original {
        let place = self.state.withLock { state in
            defer { state.place = .none }
            return state.place
        }
        let memory: UnstoredOriginalBuffer
        switch place {
        case .memory(let bytes): memory = bytes
        case .unmade: memory = UnstoredOriginalBuffer(budget: self.fileStore.unstored)  // an empty response
        case .file, .none: throw .storageFailed(reason: "an original could not be stored")
        }
        let bytes = memory.lent()
        // A failing disk may have returned other bytes than were written.
        guard bytes.withUnsafeBytes({ Digest(of: $0) }) == digest else {
            throw .storageFailed(reason: "an original could not be read back")
        }
        return Original(
            id: self.id, digest: digest, header: try self.fileStore.verifier.verify(bytes), bytes: .memory(bytes))
    }

    /// Reads the written bytes back into memory. Without room for them the draft becomes unusable.
    private func moveToMemory(_ state: inout State, from descriptor: Int32) {
        let memory = UnstoredOriginalBuffer(budget: self.fileStore.unstored)
        state.place = .none
        if let room = memory.grow(by: state.length) {
            do throws(FileError) {
                try LoadedBytes.read(
                    descriptor, from: OriginalFileHeader.length, into: room, path: self.temporary)
                state.place = .memory(memory)
            } catch {
                self.fileStore.writeFaults.begin(error)
            }
        }
        close(descriptor)
        unlink(self.temporary)
    }

    private func abandon() {
        self.state.withLock { state in
            if case .file(let descriptor) = state.place {
                close(descriptor)
                unlink(self.temporary)
            }
            state.place = .none
        }
    }

    /// Creates the temporary file at first use; if that fails, the draft is in memory from the beginning.
    /// - Returns: The error of creating the file.
    private func makePlace(_ state: inout State) -> FileError? {
        guard case .unmade = state.place else { return nil }
        do throws(FileError) {
            state.place = .file(try Self.create(self.temporary, fileStore: self.fileStore))
            return nil
        } catch {
            state.place = .memory(UnstoredOriginalBuffer(budget: self.fileStore.unstored))
            return error
        }
    }

    private static func create(_ temporary: String, fileStore: OriginalFileStore) throws(FileError) -> Int32 {
        let descriptor = try fileStore.create(temporary)
        guard lseek(descriptor, off_t(OriginalFileHeader.length), SEEK_SET) >= 0 else {
            let error = FileError("write", temporary)
            close(descriptor)
            unlink(temporary)
            throw error
        }
        return descriptor
    }

    private static func clear(_ descriptor: Int32) -> Bool {
        let start = off_t(OriginalFileHeader.length)
        return ftruncate(descriptor, start) == 0 && lseek(descriptor, start, SEEK_SET) == start
    }
}
