import Flights
import Foundation
import Glibc
import OneSheetConfiguration

/// Examines the data directory without creating or locking it: existence, permissions, owner, space, file systems.
struct FolderCheck {
    static let name = "folders"
    /// Free space below which almost nothing can be written, in bytes.
    static let leastFree = 64 << 20
    /// Free inodes below which a warning is due: an original takes one.
    static let leastInodes = 10_000
    /// How long stored files are counted, in nanoseconds: a store with a cold cache takes longer.
    static let countingTime: UInt64 = 3_000_000_000
    /// The unit of `st_blocks`, in bytes.
    private static let blockLength = 512
    /// The folders between which files are renamed.
    private static let parts = ["originals", "originals/incoming", "variants", "variants/incoming"]

    let path: String
    /// The budgets of the data directory together, in bytes.
    let budget: Int

    init(path: String, budget: Int) {
        (self.path, self.budget) = (path, budget)
    }

    init(_ configuration: ServeConfiguration) {
        self.init(
            path: configuration.dataDirectory,
            budget: ByteCount.sum([
                configuration.diskBudget, configuration.variantDiskBudget, configuration.sources.answerBudget,
            ]))
    }

    var check: ServiceCheck {
        ServiceCheck(Self.name, self.path) { try await Blocking.run { self.results() } }
    }

    /// Blocks.
    func results() -> [CheckResult] {
        let existing = Self.existing(self.path)
        var facts = stat()
        guard stat(existing, &facts) == 0 else { return [self.result(.failure, Self.reason("cannot be examined"))] }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            return [self.result(.failure, "\(existing) is not a folder: choose another --data-dir.")]
        }
        guard access(existing, R_OK | W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return [
                self.result(
                    .failure,
                    "The user \(geteuid()) cannot write to \(existing) (\(reason)): change its owner, or choose another "
                        + "--data-dir.")
            ]
        }
        let space = self.space(existing)
        guard existing == self.path else {
            let mayBeCreated = !space.contains { $0.outcome == .failure }
            return (mayBeCreated ? [self.state(existing, facts)] : []) + space
        }
        return [self.state(existing, facts)] + space + self.fileSystems(facts)
    }

    private func state(_ existing: String, _ facts: stat) -> CheckResult {
        guard existing == self.path else {
            return self.result(.ok, "The folder does not exist yet: 'serve' will create it in \(existing).")
        }
        if facts.st_uid != geteuid() {
            return self.result(
                .warning,
                "The folder belongs to the user \(facts.st_uid), and this is \(geteuid()): run 'doctor' and 'serve' as "
                    + "one user, for example with sudo -u.")
        }
        if facts.st_mode & (S_IWGRP | S_IWOTH) != 0 {
            return self.result(.warning, "Other users can write to the folder: chmod 700 \(self.path).")
        }
        return self.result(.ok, "The folder exists and can be written.")
    }

    private func space(_ existing: String) -> [CheckResult] {
        var facts = statvfs()
        guard statvfs(existing, &facts) == 0 else { return [self.result(.warning, Self.reason("has unknown space"))] }
        let free = Int(clamping: facts.f_bavail).multipliedReportingOverflow(by: Int(clamping: facts.f_frsize))
        let used = existing == self.path ? self.usedBytes() : 0
        var results = [self.space(free: free.overflow ? .max : free.partialValue, used: used)]
        if facts.f_files > 0, facts.f_favail < Self.leastInodes {
            results.append(
                self.result(
                    .warning, "The file system has only \(facts.f_favail) free inodes: each original takes one."))
        }
        return results
    }

    /// - Parameters:
    ///   - free: Free bytes of the file system.
    ///   - used: Bytes of the data directory, which count towards its budgets; `nil` if they were not counted.
    func space(free: Int, used: Int?) -> CheckResult {
        let freeText = ByteCount.describe(free)
        if free < Self.leastFree {
            return self.result(.failure, "Only \(freeText) are free: free space, or choose another --data-dir.")
        }
        guard let used else {
            return self.result(
                free < self.budget ? .skipped : .ok,
                "\(freeText) are free; the budgets take \(ByteCount.describe(self.budget)) with the stored files, which "
                    + "are not counted, because that takes too long or is not allowed.")
        }
        let needed = max(0, self.budget - used)
        if free < needed {
            return self.result(
                .warning,
                "\(freeText) are free, and the budgets may take \(ByteCount.describe(needed)) more: lower --disk-budget."
            )
        }
        return self.result(.ok, "\(freeText) are free; the budgets may take \(ByteCount.describe(needed)) more.")
    }

    /// The allocated bytes of all files in the folder, which may itself be a symbolic link, as with `DynamicUser=`.
    ///
    /// - Parameter now: Monotonic time in nanoseconds.
    /// - Returns: `nil` if a folder cannot be read, or after ``countingTime``.
    func usedBytes(now: () -> UInt64 = Uptime.nanoseconds) -> Int? {
        let end = now().addingClamped(Self.countingTime)
        var folders = [self.path]
        var bytes = 0
        while let path = folders.popLast() {
            guard let folder = opendir(path) else {
                if errno == ENOENT { continue }
                return nil
            }
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                guard now() < end else { return nil }
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                var facts = stat()
                // A server may delete files meanwhile.
                guard name != ".", name != "..", fstatat(dirfd(folder), name, &facts, AT_SYMLINK_NOFOLLOW) == 0
                else { continue }
                if facts.st_mode & S_IFMT == S_IFDIR {
                    folders.append("\(path)/\(name)")
                } else {
                    bytes = ByteCount.sum([bytes, min(facts.st_blocks, .max / Self.blockLength) * Self.blockLength])
                }
            }
        }
        return bytes
    }

    /// A rename between file systems fails.
    private func fileSystems(_ facts: stat) -> [CheckResult] {
        let elsewhere = Self.parts.filter { part in
            var other = stat()
            return stat("\(self.path)/\(part)", &other) == 0 && other.st_dev != facts.st_dev
        }
        guard !elsewhere.isEmpty else { return [] }
        return [
            self.result(
                .failure,
                "\(elsewhere.joined(separator: ", ")) are on another file system, so that files cannot be renamed into "
                    + "place: mount the whole folder there.")
        ]
    }

    private func result(_ outcome: CheckResult.Outcome, _ text: String) -> CheckResult {
        CheckResult(outcome, self.path, text)
    }

    private static func reason(_ clause: String) -> String {
        "The folder \(clause): \(String(cString: strerror(errno)))."
    }

    /// The path, or its nearest ancestor that exists.
    static func existing(_ path: String) -> String {
        var path = path
        var facts = stat()
        while stat(path, &facts) != 0, errno == ENOENT {
            let parent = (path as NSString).deletingLastPathComponent
            guard parent != path else { break }
            path = parent.isEmpty ? "." : parent
        }
        return path
    }
}
