import BoundedCache
import Glibc
import Logging
import PosterPipeline
import RebuildableDatabase
import Synchronization

extension OriginalFileStore {
    static let probeLength = 256 << 10

    /// Writes and deletes a file, if originals could not be stored.
    ///
    /// A load balancer sends no requests to a node that is not ready, so no other write would end the fault.
    func probeDisk() {
        guard self.writeFaults.isOn else { return }
        let path = self.layout.probe
        do throws(FileError) {
            let descriptor = try self.create(path)
            defer {
                close(descriptor)
                Glibc.unlink(path)
            }
            let bytes = [UInt8](repeating: 0, count: Self.probeLength)
            try bytes.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
                try self.calls.write(bytes, descriptor, path)
            }
            try self.calls.synchronise(descriptor, path)
        } catch {
            return self.writeFaults.begin(error)
        }
        self.writeFaults.end()
    }
}

/// Changes of stored originals. Each holds the lock of its key, and repeats its checks under it.
extension OriginalFileStore {
    /// Makes the index agree with a file: adopts a file without its row, deletes a row without a file, and removes an
    /// invalid file.
    ///
    /// - Returns: The row of the present file; `nil` without a file or an index.
    @discardableResult
    func reconcile(_ key: Digest) -> OriginalRow? {
        self.locks.withLock(of: key) {
            guard let known = self.index.attempt({ try $0.row(key) }) else { return nil }
            do throws(OriginalFile.Failure) {
                let file = try OriginalFile(self.layout.path(of: key))
                let lastUsed = known?.lastUsed ?? self.lastUse(of: file.header)
                guard Digest(of: file.header.id) == key,
                    let row = OriginalRow(file.header, key: key, lastUsed: lastUsed)
                else { throw .damaged(reason: "the header belongs to another original", stamp: file.stamp) }
                if let known, known.digest == row.digest, known.length == row.length, known.location == row.location {
                    return known
                }
                guard self.recordTotals({ try $0.put(row) }) != nil else { return nil }
                self.count { $0.adopted += 1 }
                return row
            } catch {
                switch error {
                case .absent: if known != nil { self.deleteRow(key) }
                case .damaged(let reason, let stamp): self.unlink(key, id: known?.id, stamp: stamp, because: reason)
                case .unreadable, .refused: return known
                }
                return nil
            }
        }
    }

    /// Removes a damaged file, unless it was replaced meanwhile.
    /// - Parameter id: For the log; `nil` if it is unknown.
    func drop(_ key: Digest, id: String?, stamp: FileStamp?, because reason: String) {
        self.locks.withLock(of: key) { self.unlink(key, id: id, stamp: stamp, because: reason) }
    }

    /// Removes a file that has changed since its verification or cannot be read, unless it was replaced meanwhile.
    func dropUnreadable(_ file: OriginalFile, of id: PosterID, because error: FileError) {
        // The file may not have its final name yet.
        file.lose()
        let key = Digest(of: id.description)
        self.locks.withLock(of: key) {
            // A file that was written to has another stamp.
            guard let current = FileStamp(at: self.layout.path(of: key)), current.isSameFile(as: file.stamp) else {
                return
            }
            self.unlink(key, id: id.description, stamp: current, because: "\(error)")
        }
    }

    func remove(_ id: PosterID, digest: Digest) throws(FileError) {
        let key = Digest(of: id.description)
        try self.locks.withLock(of: key) { () throws(FileError) in
            guard try self.storedDigest(key) == digest.description else { return }
            self.logger.notice("Removing a stored original", metadata: ["poster.id": "\(id.loggedText)"])
            _ = try self.forget(key)
        }
    }

    /// Removes an original durably.
    /// - Returns: Whether one was stored.
    func purge(_ id: PosterID) throws(FileError) -> Bool {
        let key = Digest(of: id.description)
        return try self.locks.withLock(of: key) { () throws(FileError) in
            let wasThere = try self.forget(key)
            // Even if there was none: evictions are not durable, and an evicted file would return after a power failure.
            do throws(FileError) {
                try self.layout.synchronise(self.layout.folder(key.bytes[0]))
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            return wasThere
        }
    }

    /// Updates the validators and freshness in the index, if the original has this digest.
    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) {
        let key = Digest(of: id.description)
        let update = { (index: OriginalIndex) throws in
            try index.refresh(key, digest: digest, validators: validators.usable, freshness: freshness)
        }
        guard self.index.attempt(update) == false else { return }
        // The index may have been lost since the file was read.
        if self.reconcile(key)?.digest == digest { _ = self.index.attempt(update) }
    }

    /// Removes an original, unless it was used or replaced since its row was read.
    func evict(_ row: OriginalRow) throws(FileError) -> Bool {
        try self.locks.withLock(of: row.key) { () throws(FileError) in
            guard !self.accessTimes.has(row.key), let known = self.index.attempt({ try $0.row(row.key) }) ?? nil,
                known.lastUsed == row.lastUsed, known.digest == row.digest
            else { return false }
            // Readers keep the file open.
            _ = try self.forget(row.key)
            self.count {
                $0.evicted += 1
                $0.evictedBytes += row.space
            }
            return true
        }
    }

    private func storedDigest(_ key: Digest) throws(FileError) -> String? {
        do throws(OriginalFile.Failure) {
            return try OriginalFile(self.layout.path(of: key)).header.digest
        } catch {
            guard case .unreadable(let error) = error else { return nil }
            throw error
        }
    }

    /// Removes the file first: a crash then leaves a row without a file, which is deleted when it is found.
    private func forget(_ key: Digest) throws(FileError) -> Bool {
        self.verified.remove(key)
        let hadFile = try self.layout.remove(self.layout.path(of: key))
        let hadRow = self.deleteRow(key)
        return hadFile || hadRow
    }

    @discardableResult
    private func deleteRow(_ key: Digest) -> Bool {
        var wasThere = false
        self.recordTotals { index in
            let deleted = try index.delete(key)
            wasThere = deleted.wasThere
            return deleted.totals
        }
        return wasThere
    }

    private func unlink(_ key: Digest, id: String?, stamp: FileStamp?, because reason: String) {
        let path = self.layout.path(of: key)
        if let stamp, FileStamp(at: path) != stamp { return }
        do throws(FileError) {
            _ = try self.forget(key)
        } catch {
            self.writeFaults.begin(error)
            return
        }
        self.count { $0.damaged += 1 }
        self.logger.warning(
            "Dropping a stored original",
            metadata: [
                "poster.id": "\(id.map(PosterID.loggedText) ?? "unknown")", "file.path": "\(path)",
                "reason": "\(reason)",
            ])
    }

    /// The estimated last use of a file without a row: when it was fetched.
    private func lastUse(of header: OriginalFileHeader) -> Int64 {
        let seconds = min(header.fetchedAt, self.secondsSince1970())
        return seconds > 0 && seconds < .max / 1000 ? seconds * 1000 : 0
    }

    enum Finding: Hashable, Sendable {
        case sound(space: Int64, isKnown: Bool)
        case damaged(String)
        /// Cannot be read at present, or exceeds a limit.
        case unusable(String)
        /// Removed since the folder was listed.
        case gone
    }

    /// Reads a whole file, even if it was verified before.
    /// - Parameter isRepairing: Whether a damaged file is removed, and the index made to agree.
    func inspect(_ key: Digest, isRepairing: Bool) -> Finding {
        let path = self.layout.path(of: key)
        let known = self.index.attempt { try $0.row(key) }
        do throws(OriginalFile.Failure) {
            let file = try OriginalFile(path)
            let digest = Digest(hexadecimal: file.header.digest)
            guard Digest(of: file.header.id) == key else {
                throw .damaged(reason: "the header belongs to another original", stamp: file.stamp)
            }
            let (bytes, _) = try file.contents()
            guard bytes.withUnsafeBytes({ Digest(of: $0) }) == digest else {
                throw .damaged(reason: "the bytes do not match the digest", stamp: file.stamp)
            }
            do throws(PosterError) {
                _ = try self.verifier.verify(bytes)
            } catch {
                throw OriginalFile.Failure(error, stamp: file.stamp)
            }
            let isKnown = self.isKnown(key, row: known, digest: digest, stamp: file.stamp)
            if isRepairing, !isKnown { self.reconcile(key) }
            return .sound(space: OriginalRow.space(ofLength: Int64(file.header.length)), isKnown: isKnown)
        } catch {
            switch error {
            case .absent: return .gone
            case .damaged(let reason, let stamp):
                if isRepairing { self.drop(key, id: known.flatMap { $0?.id }, stamp: stamp, because: reason) }
                return .damaged("\(path): \(reason)")
            case .refused(let error): return .unusable("\(path): \(error)")
            case .unreadable(let error): return .unusable("\(error)")
            }
        }
    }

    /// Whether the index agrees with a file, is unavailable, or the file was replaced while it was read.
    private func isKnown(_ key: Digest, row: OriginalRow??, digest: Digest?, stamp: FileStamp) -> Bool {
        guard let row, row?.digest != digest else { return true }
        // Its row may be about to be written.
        return self.locks.withLock(of: key) {
            guard FileStamp(at: self.layout.path(of: key)) == stamp else { return true }
            return self.index.attempt { try $0.row(key)?.digest == digest } ?? true
        }
    }
}
