import Flights
import Glibc
import PosterPipeline
import Synchronization

extension UploadQueue {
    func path(_ key: Digest, _ suffix: String) -> String { "\(self.folder)/\(key)\(suffix)" }

    func path(of job: UploadJob) -> String { self.path(job.key, job.work.suffix) }

    /// Removes a file.
    /// - Returns: Whether there was one.
    func remove(_ path: String) throws(FileError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw FileError("remove", path) }
        return false
    }

    /// Removes an original's files of other kinds of work.
    func removeFiles(of key: Digest, but work: UploadJob.Work) throws(FileError) {
        for suffix in UploadJob.Work.suffixes where suffix != work.suffix {
            _ = try self.remove(self.path(key, suffix))
        }
    }

    /// Writes the file of a removal, and removes the original's other files.
    /// - Parameter digest: The digest of the bytes to remove; `nil` for any bytes.
    func writeRemoval(_ key: Digest, digest: Digest?) throws(FileError) -> UploadJob.Work {
        let work = UploadJob.Work.removal(digest)
        try self.write(digest.map { Array($0.description.utf8) } ?? [], to: self.path(key, work.suffix))
        try self.removeFiles(of: key, but: work)
        return work
    }

    /// Writes a small file atomically and durably.
    func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let temporary = path + ".partial"
        _ = try self.remove(temporary)
        let descriptor = try self.calls.create(temporary)
        defer { close(descriptor) }
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            try self.calls.write(bytes, descriptor, temporary)
        }
        try self.calls.synchronise(descriptor, temporary)
        guard rename(temporary, path) == 0 else { throw FileError("rename", temporary) }
        let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FileError("open", self.folder) }
        defer { close(folder) }
        try self.calls.synchronise(folder, self.folder)
    }

    /// Links a file under a name that another one may have. There is never none: otherwise a purged object would be read
    /// again after a crash.
    func link(_ path: String, as name: String) throws(FileError) {
        let temporary = name + ".partial"
        _ = try self.remove(temporary)
        guard Glibc.link(path, temporary) == 0 else { throw FileError("link", name) }
        guard rename(temporary, name) == 0 else { throw FileError("rename", temporary) }
        // If both are links to one file, `rename` leaves them.
        _ = try self.remove(temporary)
    }

    /// Restores the jobs of an earlier process; deletes uploads beyond the limits, and files that are not jobs. Uploads
    /// of the `.replace` kind beyond the limits become removals, as the object in the store may be a purged one.
    func load() throws(FileError) {
        var found: [Digest: UploadJob.Work] = [:]
        for name in try FolderNames.read(self.folder) {
            let path = "\(self.folder)/\(name)"
            guard let suffix = UploadJob.Work.suffixes.first(where: name.hasSuffix),
                let key = Digest(hexadecimal: String(name.dropLast(suffix.count))), self.path(key, suffix) == path
            else {
                _ = try self.remove(path)
                continue
            }
            let work = try self.work(at: path, suffix: suffix)
            guard let other = found[key] else {
                found[key] = work
                continue
            }
            let (kept, dropped) = work.isRemoval || !other.isRemoval ? (work, other) : (other, work)
            found[key] = kept
            if dropped.suffix != kept.suffix { _ = try self.remove(self.path(key, dropped.suffix)) }
        }
        for (key, work) in found {
            let length = work.isRemoval ? 0 : FileStamp(at: self.path(key, work.suffix))?.length ?? 0
            if self.add(key, work, byteCount: length) { continue }
            if work == .upload(onlyIfAbsent: false) {
                _ = self.add(key, try self.writeRemoval(key, digest: nil), byteCount: 0)
            } else {
                _ = try self.remove(self.path(key, work.suffix))
            }
        }
    }

    /// Adds a job of an earlier process.
    /// - Returns: Whether there was room for it; removals have no limit.
    private func add(_ key: Digest, _ work: UploadJob.Work, byteCount: Int) -> Bool {
        self.state.withLock { state in
            let hasRoom =
                work.isRemoval
                || (state.uploadCount < self.limits.uploads && byteCount <= self.limits.bytes - state.uploadBytes)
            guard hasRoom else {
                state.dropped += 1
                return false
            }
            state.lastNumber += 1
            state.insert(UploadJob(key: key, work: work, byteCount: byteCount, number: state.lastNumber))
            return true
        }
    }

    private func work(at path: String, suffix: String) throws(FileError) -> UploadJob.Work {
        switch suffix {
        case ".new": return .upload(onlyIfAbsent: true)
        case ".replace": return .upload(onlyIfAbsent: false)
        default:
            let descriptor = try LoadedBytes.open(path)
            defer { close(descriptor) }
            let length = min(try FileStamp(of: descriptor, path: path).length, 64)
            let bytes = try LoadedBytes.contents(of: descriptor, from: 0, to: length, path: path)
            // Any content but a digest applies to all bytes.
            return .removal(Digest(hexadecimal: bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }))
        }
    }
}
