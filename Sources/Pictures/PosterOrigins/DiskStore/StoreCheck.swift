import Logging
import PosterPipeline

/// A check of a whole store: names, headers, lengths, digests, pictures, and agreement with the index.
public struct StoreCheck: Sendable {
    /// The progress of a check, in files.
    public struct Progress: Hashable, Sendable {
        package var checked = 0
        /// Files found at the beginning.
        package var total = 0
    }

    /// The findings of a check, in files, and the effects of a repair.
    public struct Report: Hashable, Sendable {
        package var checked = 0
        /// Files without a fault.
        package var sound = 0
        /// Files that are invalid or have changed; removed by a repair.
        package var damaged = 0
        /// Files that cannot be read at present, or exceed a limit; left alone.
        package var unusable = 0
        /// Paths and descriptions of the first ``StoreCheck/reasonLimit`` damaged or unusable files.
        package var reasons: [String] = []
        /// Files missing from the index, or with a different row; indexed by a repair.
        package var unknown = 0
        /// Rows of the index without a file; deleted by a repair.
        package var missing = 0
        /// Incomplete files of earlier processes; deleted by a repair.
        package var leftovers = 0
        /// Space of the sound files, in bytes.
        package var bytes: Int64 = 0

        package var isFlawless: Bool {
            self.damaged == 0 && self.unusable == 0 && self.unknown == 0 && self.missing == 0 && self.leftovers == 0
        }
    }

    package static let reasonLimit = 100

    let maintenance: DiskMaintenance
    let isRepairing: Bool

    func run(_ tell: @Sendable (Progress) -> Void) async throws -> Report {
        var report = Report()
        var progress = Progress()
        for byte in UInt8.min...UInt8.max {
            progress.total += try await self.maintenance.perform { try $0.layout.keys(beginningWith: byte).count }
        }
        report.leftovers = try await self.leftovers()
        for byte in UInt8.min...UInt8.max {
            let files = try await self.maintenance.perform { try $0.layout.keys(beginningWith: byte) }
            for key in files {
                let length = try await self.maintenance.perform { FileStamp(at: $0.layout.path(of: key))?.length ?? 0 }
                let finding = try await self.maintenance.perform(weight: length) {
                    $0.inspect(key, isRepairing: self.isRepairing)
                }
                report.add(finding)
                if finding != .gone { progress.checked += 1 }
                progress.total = max(progress.total, progress.checked)
                tell(progress)
            }
            report.missing += try await self.rowsWithoutFile(beginningWith: byte)
        }
        if self.isRepairing {
            try await self.maintenance.perform { fileStore in
                // Not under the lock of totals: it reads all rows.
                _ = fileStore.index.attempt { try $0.recount() }
                fileStore.recordTotals { try $0.totals() }
            }
        }
        return report
    }

    private func leftovers() async throws -> Int {
        guard self.isRepairing else {
            return try await self.maintenance.perform { try $0.layout.leftovers().count }
        }
        return try await self.maintenance.removeLeftovers()
    }

    private func rowsWithoutFile(beginningWith byte: UInt8) async throws -> Int {
        try await self.maintenance.perform { fileStore in
            guard let known = fileStore.index.attempt({ try $0.keys(beginningWith: byte) }) else { return 0 }
            return try known.subtracting(fileStore.layout.keys(beginningWith: byte)).filter { key in
                // Rows and files are listed one after another: an original stored in between has a file.
                guard FileStamp(at: fileStore.layout.path(of: key)) == nil else { return false }
                if self.isRepairing { fileStore.reconcile(key) }
                return true
            }.count
        }
    }
}

extension StoreCheck.Report {
    fileprivate mutating func add(_ finding: OriginalFileStore.Finding) {
        guard finding != .gone else { return }
        self.checked += 1
        switch finding {
        case .sound(let space, let isKnown):
            self.sound += 1
            self.bytes += space
            if !isKnown { self.unknown += 1 }
        case .damaged(let reason):
            self.damaged += 1
            self.note(reason)
        case .unusable(let reason):
            self.unusable += 1
            self.note(reason)
        case .gone: break
        }
    }

    private mutating func note(_ reason: String) {
        if self.reasons.count < StoreCheck.reasonLimit { self.reasons.append(reason) }
    }
}
