import Glibc
import Logging
import PosterCodec
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// The files and the index as one: reads, and puts in place. Calls block, but none waits for more than one original.
final class OriginalShelf: Sendable {
    let files: OriginalFiles
    let calls: DiskCalls
    let index: RebuildableIndex
    let uses: LastUses
    let unstored: UnstoredBudget
    let trouble: FaultLog
    let readTrouble: FaultLog
    let removalTrouble: FaultLog
    let verifier: OriginalVerifier
    /// Where files are read while they are sent.
    let threads: WorkThreads
    let logger: Logger
    let secondsSince1970: @Sendable () -> Int64
    /// Asks for upkeep soon.
    let wish: @Sendable () -> Void
    let byteBudget: Int64
    /// How many originals may be open at once.
    let openLimit: Int
    /// How many are.
    let openCount = Atomic<Int>(0)
    let locks = KeyLocks()
    let checked = CheckedFiles()
    let counters: Mutex<DiskCounters>

    init(
        files: OriginalFiles, calls: DiskCalls, index: RebuildableIndex, configuration: DiskOriginalStore.Configuration,
        verifier: OriginalVerifier, threads: WorkThreads, logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64, wish: @escaping @Sendable () -> Void
    ) {
        self.files = files
        self.calls = calls
        self.index = index
        self.uses = LastUses(
            after: index.attempt { try $0.lastUse() }.flatMap { $0 } ?? 0, secondsSince1970: secondsSince1970)
        self.unstored = UnstoredBudget(limit: configuration.unstoredLimit)
        self.trouble = FaultLog(
            "Originals cannot be stored; they are served from memory", logger: logger,
            secondsSince1970: secondsSince1970)
        self.readTrouble = FaultLog(
            "Stored originals cannot be read", logger: logger, secondsSince1970: secondsSince1970)
        self.removalTrouble = FaultLog(
            "Originals cannot be deleted to make room", logger: logger, secondsSince1970: secondsSince1970)
        self.verifier = verifier
        self.threads = threads
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        self.wish = wish
        self.byteBudget = Int64(configuration.byteBudget)
        self.openLimit = configuration.openLimit
        self.counters = Mutex(DiskCounters())
        self.count(index.attempt { try $0.totals() })
    }

    /// A stored original's file, found and open.
    struct Found: Sendable {
        let id: PosterID
        let file: OriginalFile
        /// Of the bytes.
        let digest: Digest
        fileprivate let row: OriginalRow??
    }

    /// What there is of an original.
    enum Lookup: Sendable {
        case stored(StoredOriginal)
        /// All of its bytes are to be checked first.
        case unchecked(Found)
    }

    /// The stored original; nil when there is none, or another location's, or a damaged one, which is gone then.
    ///
    /// - Throws: `PosterError.storageFailed`, `PosterError.overloaded` when too many are open.
    func find(_ id: PosterID, from location: OriginalLocation) throws(PosterError) -> Lookup? {
        guard self.openCount.load(ordering: .relaxed) < self.openLimit else { throw .overloaded(retryAfter: 1) }
        let key = Digest(of: id.description)
        let known = self.index.attempt { try $0.row(key) }
        do throws(OriginalFile.Failure) {
            let file = try OriginalFile(self.files.path(of: key))
            self.readTrouble.end()
            let header = file.header
            guard header.id == id.description else {
                throw .damaged(reason: "its header is another's", stamp: file.stamp)
            }
            // The origin was reconfigured, or the packaged poster replaced: the next fetch renames over this file.
            guard header.location == location.identity else { return nil }
            guard let digest = Digest(hexadecimal: header.digest) else {
                throw .damaged(reason: "its digest is none", stamp: file.stamp)
            }
            let found = Found(id: id, file: file, digest: digest, row: known)
            guard let picture = self.checked.picture(key, digest: digest, stamp: file.stamp) else {
                return .unchecked(found)
            }
            return .stored(self.stored(found, key, picture))
        } catch {
            return try self.answer(error, for: id, key, hasRow: known.flatMap { $0 } != nil)
        }
    }

    /// The original of a file whose bytes are as they were stored; nil when they are not, and the file is gone then. Reads
    /// all of them into memory for as long as it takes.
    ///
    /// - Throws: `PosterError`.
    func original(_ found: Found) throws(PosterError) -> StoredOriginal? {
        let key = Digest(of: found.id.description)
        do throws(OriginalFile.Failure) {
            return self.stored(found, key, try self.check(found, key))
        } catch {
            return try self.answer(error, for: found.id, key, hasRow: found.row.flatMap { $0 } != nil)
        }
    }

    private func stored(_ found: Found, _ key: Digest, _ picture: ImageHeader) -> StoredOriginal {
        let original = Original(
            id: found.id, digest: found.digest, header: picture,
            bytes: .stored(OpenOriginal(found.file, of: found.id, shelf: self)))
        var row = found.row.flatMap { $0 }
        // Without a row, or with that of another file: both are looked at again, together.
        if found.row != nil, row?.digest != original.digest { row = self.reconcile(key) }
        if row?.digest != original.digest { row = nil }
        if self.uses.note(key) { self.wish() }
        let header = found.file.header
        return StoredOriginal(
            original: original, validators: row?.validators ?? header.validators,
            freshness: (row?.freshness ?? header.freshness).settled(at: self.secondsSince1970()),
            storedAt: header.fetchedAt)
    }

    /// Gives a written file its header and its name, and the index its row.
    ///
    /// - Throws: ``FileError``; it is not stored then.
    func place(
        _ temporary: String, descriptor: Int32, header: OriginalFileHeader
    ) throws(FileError) {
        guard let encoded = header.encoded() else { throw FileError("describe", temporary, code: ENAMETOOLONG) }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError("write", temporary) }
        try encoded.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            try self.calls.write(bytes, descriptor, temporary)
        }
        try self.calls.synchronise(descriptor, temporary)
        let key = Digest(of: header.id)
        let totals = try self.locks.withLock(of: key) { () throws(FileError) -> OriginalIndex.Totals? in
            self.checked.remove(key)
            var hasSucceeded = false
            // What was there before may be without its row now.
            defer { if !hasSucceeded { self.index.markIncomplete() } }
            // A crash before the new row leaves a file without one, which a sweep sees; not a row of another file.
            if let digest = Digest(hexadecimal: header.digest) {
                _ = self.index.attempt { try $0.retire(key, unless: digest) }
            }
            try self.files.place(temporary, at: key, calls: self.calls)
            do throws(FileError) {
                try self.files.synchronise(self.files.folder(key.bytes[0]), self.calls)
            } catch {
                // Whoever is told that it is not stored must not find it. What cannot be removed now, a sweep finds.
                unlink(self.files.path(of: key))
                throw error
            }
            hasSucceeded = true
            return OriginalRow(header, key: key, lastUsed: self.uses.moment()).flatMap { row in
                self.index.attempt { try $0.put(row) }
            }
        }
        self.count(totals) { $0.stored += 1 }
        if let totals, totals.bytes > self.byteBudget { self.wish() }
    }

    /// Notes totals, and changes counters.
    func count(_ totals: OriginalIndex.Totals?, _ change: (inout DiskCounters) -> Void = { _ in }) {
        self.counters.withLock { counters in
            change(&counters)
            guard let totals else { return }
            counters.count = totals.count
            counters.bytes = totals.bytes
        }
    }

    private func check(_ found: Found, _ key: Digest) throws(OriginalFile.Failure) -> ImageHeader {
        let (bytes, isUnchanged) = try found.file.contents()
        guard bytes.withUnsafeBytes({ Digest(of: $0) }) == found.digest else {
            throw .damaged(reason: "its bytes have changed", stamp: found.file.stamp)
        }
        do throws(PosterError) {
            let picture = try self.verifier.verify(bytes)
            if isUnchanged {
                self.checked.insert(key, digest: found.digest, stamp: found.file.stamp, picture: picture)
            }
            return picture
        } catch {
            // Stored by a version that was less strict, or with other limits.
            throw OriginalFile.Failure(error, stamp: found.file.stamp)
        }
    }

    private func answer<Value>(
        _ failure: OriginalFile.Failure, for id: PosterID, _ key: Digest, hasRow: Bool
    ) throws(PosterError) -> Value? {
        switch failure {
        case .absent:
            if hasRow { _ = self.reconcile(key) }
            return nil
        case .damaged(let reason, let stamp):
            self.drop(key, id: id.description, stamp: stamp, because: reason)
            return nil
        case .refused(let error): throw error
        case .unreadable(let error):
            self.readTrouble.begin(error)
            throw .storageFailed(reason: "a stored original could not be read")
        }
    }
}
