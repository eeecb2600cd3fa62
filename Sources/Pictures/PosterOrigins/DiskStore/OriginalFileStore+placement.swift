import BoundedCache
import Flights
import Glibc
import PosterPipeline
import RebuildableDatabase

/// The steps from a written file to its final name.
extension OriginalFileStore {
    func write(
        _ header: OriginalFileHeader, to descriptor: Int32, path: String
    ) throws(FileError) {
        guard let encoded = header.encoded() else { throw FileError("describe", path, code: ENAMETOOLONG) }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError("write", path) }
        try encoded.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            try self.calls.write(bytes, descriptor, path)
        }
    }

    /// Creates an incoming file, and its folder if it is missing: originals may be deleted at any time.
    func create(_ path: String) throws(FileError) -> Int32 {
        do throws(FileError) {
            return try self.calls.create(path)
        } catch {
            guard error.code == ENOENT else { throw error }
            try DataDirectory.create(self.layout.incoming)
            return try self.calls.create(path)
        }
    }

    /// Makes a file with its header durable, renames it and adds its row to the index.
    func place(
        _ temporary: String, descriptor: Int32, header: OriginalFileHeader, key: Digest
    ) throws(FileError) {
        try self.calls.synchronise(descriptor, temporary)
        let totals = try self.locks.withLock(of: key) { () throws(FileError) -> OriginalIndex.Totals? in
            self.verified.remove(key)
            var hasSucceeded = false
            // The previous file may have lost its row.
            defer { if !hasSucceeded { self.index.markIncomplete() } }
            // A crash before the new row is written leaves a file without a row, which a sweep detects, not the row of
            // another file.
            if let digest = Digest(hexadecimal: header.digest) {
                _ = self.index.attempt { try $0.retire(key, unless: digest) }
            }
            try self.layout.place(temporary, at: key)
            do throws(FileError) {
                try self.layout.synchronise(self.layout.folder(key.bytes[0]))
            } catch {
                // The original counts as not stored, so it must not be found. A sweep finds the file if it cannot be
                // removed.
                unlink(self.layout.path(of: key))
                throw error
            }
            hasSucceeded = true
            return OriginalRow(header, key: key, lastUsed: self.accessTimes.moment()).flatMap { row in
                self.recordTotals { try $0.put(row) }
            }
        }
        self.count { $0.stored += 1 }
        if let totals, totals.bytes > self.byteBudget { self.wish() }
    }

    /// Serves an original at once, and places its file in the background.
    ///
    /// If that fails, the bytes served so far were correct, but the disk may return others from then on: the file is
    /// not read again, and its users fetch the original again.
    func placeLater(
        _ stored: StoredOriginal, in file: OriginalFile, from temporary: String, key: Digest,
        whenPlaced: @escaping @Sendable () -> Void
    ) {
        self.pending.add(stored, in: file, key: key) { urgency in
            do {
                try await self.runLater(urgency) {
                    try self.place(temporary, descriptor: file.descriptor, header: file.header, key: key)
                    whenPlaced()
                }
                self.writeFaults.end()
            } catch {
                file.lose()
                unlink(temporary)
                self.writeFaults.begin(error)
                self.count { $0.unstored += 1 }
            }
        }
    }

    /// Runs work that must not be rejected, even if the queue is full.
    private func runLater(_ urgency: Urgency, _ work: @escaping @Sendable () throws -> Void) async throws {
        do {
            try await self.threads.run(urgency: urgency, work)
        } catch PosterError.overloaded {
            try await self.threads.runStep(work)
        }
    }
}
