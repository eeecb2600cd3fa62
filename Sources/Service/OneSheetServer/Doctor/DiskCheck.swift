import Flights
import Glibc
import OneSheetConfiguration
import PosterAPI

/// Measures how long the data directory's disk takes to make a small write durable, and recognises its file system.
struct DiskCheck {
    static let name = "disk"
    static let rounds = 12
    /// After this time no further write begins, in nanoseconds.
    private static let measuringTime: UInt64 = 3_000_000_000
    private static let blockLength = 4096
    /// A median above this is a warning, in milliseconds.
    static let slow = 50.0
    /// `O_TMPFILE`, which Swift does not import.
    private static let temporaryFile = 0o20_000_000 | O_DIRECTORY

    let path: String

    var check: ServiceCheck {
        ServiceCheck(Self.name, self.path) { try await Blocking.run { self.results() } }
    }

    /// Blocks.
    func results() -> [CheckResult] {
        let folder = FolderCheck.existing(self.path)
        var results: [CheckResult] = []
        var facts = stat()
        if stat(folder, &facts) == 0, let text = Self.advice(fileSystem: Self.fileSystem(of: facts.st_dev)) {
            results.append(CheckResult(.warning, self.path, text))
        }
        // The file has no name: nothing is left even if the process is killed.
        let descriptor = open(folder, Self.temporaryFile | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            return results + [
                CheckResult(.skipped, self.path, "Not measured: no temporary file can be made (\(reason)).")
            ]
        }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0x5A, count: Self.blockLength)
        let milliseconds = Self.milliseconds {
            write(descriptor, block, block.count) == block.count && fsync(descriptor) == 0
        }
        guard let milliseconds else {
            let reason = String(cString: strerror(errno))
            return results + [
                CheckResult(.failure, self.path, "A write cannot be made durable (\(reason)): examine the disk.")
            ]
        }
        return results + [self.result(milliseconds)]
    }

    /// The sorted times of writes, at least of one.
    ///
    /// - Parameters:
    ///   - now: Monotonic time in nanoseconds.
    ///   - write: Makes a durable write; returns whether it succeeded.
    /// - Returns: `nil` if a write fails.
    static func milliseconds(now: () -> UInt64 = Uptime.nanoseconds, write: () -> Bool) -> [Double]? {
        var milliseconds: [Double] = []
        var time = now()
        let end = time.addingClamped(Self.measuringTime)
        while milliseconds.count < Self.rounds, milliseconds.isEmpty || time < end {
            guard write() else { return nil }
            let start = time
            time = now()
            milliseconds.append(Double(time - start) / 1e6)
        }
        return milliseconds.sorted()
    }

    /// - Parameter sorted: Times in milliseconds, at least one.
    func result(_ sorted: [Double]) -> CheckResult {
        let (median, longest) = (sorted[sorted.count / 2], sorted[sorted.count - 1])
        let text = "A write is durable after \(Self.text(median)) ms, at most \(Self.text(longest)) ms"
        return median > Self.slow
            ? CheckResult(
                .warning, self.path, "\(text): favourites and sign-ins wait for it; use a local disk, such as an SSD.")
            : CheckResult(.ok, self.path, "\(text).")
    }

    static func advice(fileSystem: String?) -> String? {
        switch fileSystem {
        case "nfs", "nfs4", "cifs", "smb3":
            "The folder is on a network file system, on which SQLite's locks are unreliable: use a local disk."
        case "tmpfs", "ramfs":
            "The folder is in memory: originals and users' data are lost when the machine restarts."
        default: nil
        }
    }

    /// The type of a mounted file system, such as `ext4`; `nil` if it is not listed.
    private static func fileSystem(of device: dev_t) -> String? {
        // As the macros of makedev(3), which Swift does not import.
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
        return Self.fileSystem(device: "\(major):\(minor)", in: ProcFile.text("/proc/self/mountinfo"))
    }

    /// - Parameter mounts: The table mountinfo of proc(5): id, parent, device, root, mount point, options, optional
    ///   fields, a hyphen, type.
    static func fileSystem(device: String, in mounts: String) -> String? {
        for row in mounts.split(separator: "\n") {
            let cells = row.split(separator: " ")
            guard cells.count > 2, cells[2] == device, let hyphen = cells.firstIndex(of: "-"),
                hyphen + 1 < cells.count
            else { continue }
            return String(cells[hyphen + 1])
        }
        return nil
    }

    private static func text(_ milliseconds: Double) -> String {
        let tenths = Int((min(milliseconds, 1e9) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
