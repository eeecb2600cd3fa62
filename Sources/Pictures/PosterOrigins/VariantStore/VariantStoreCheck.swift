import Glibc
import Logging
import PosterPipeline

/// A check of all files of a ``DiskVariantStore``: names, headers, lengths, digests.
package struct VariantStoreCheck: Sendable {
    /// The findings of a check, in files, and the effects of a repair.
    package struct Report: Hashable, Sendable {
        package var checked = 0
        /// Files without a fault.
        package var sound = 0
        /// Files that have changed; removed by a repair.
        package var damaged = 0
        /// Files of another codec or format version; removed by a repair.
        package var outdated = 0
        /// Files that cannot be read at present; left alone.
        package var unusable = 0
        /// Incomplete files of earlier processes; removed by a repair.
        package var leftovers = 0
        /// Space of the sound files, in bytes.
        package var bytes = 0
        /// Descriptions of the first ``StoreCheck/reasonLimit`` damaged or unusable files.
        package var reasons: [String] = []

        package var isFlawless: Bool {
            self.damaged == 0 && self.outdated == 0 && self.unusable == 0 && self.leftovers == 0
        }
    }

    let store: DiskVariantStore
    let isRepairing: Bool

    fileprivate enum Finding: Sendable {
        case sound, outdated, gone
        case damaged(String)
        case unusable(String)
    }

    func run(_ tell: @Sendable (StoreCheck.Progress) -> Void) async throws -> Report {
        var report = Report()
        var progress = StoreCheck.Progress()
        report.leftovers = try await self.leftovers()
        for folder in UInt8.min...UInt8.max {
            let (names, others) = try await self.store.threads.run { try self.store.layout.names(in: folder) }
            report.checked += others.count
            report.outdated += others.count
            progress.total += names.count
            for name in names {
                let finding = try await self.store.threads.run(weight: name.length) { self.inspect(name) }
                report.add(finding, name, path: self.store.layout.path(of: name))
                progress.checked += 1
                tell(progress)
            }
            if self.isRepairing {
                try await self.store.threads.run { for path in others { try self.store.layout.remove(path) } }
            }
        }
        return report
    }

    private func leftovers() async throws -> Int {
        try await self.store.threads.run {
            let paths = try self.store.layout.leftovers()
            if self.isRepairing { for path in paths { try self.store.layout.remove(path) } }
            return paths.count
        }
    }

    private func inspect(_ name: VariantFileName) -> Finding {
        let finding = self.finding(name)
        guard self.isRepairing else { return finding }
        switch finding {
        case .damaged(let reason):
            self.store.logger.warning(
                "Dropping a stored variant",
                metadata: ["file.path": "\(self.store.layout.path(of: name))", "reason": "\(reason)"])
            self.store.submit { $0.removeFile(name, isDamaged: true) }
        case .outdated: self.store.submit { $0.removeFile(name, isDamaged: false) }
        case .sound, .gone, .unusable: break
        }
        return finding
    }

    private func finding(_ name: VariantFileName) -> Finding {
        guard name.version == VariantFileName.currentVersion else { return .outdated }
        do throws(VariantFile.Failure) {
            let header = try VariantFile(self.store.layout.path(of: name), length: name.length).header
            guard let id = VariantID(header.fingerprint), let poster = try? PosterID(header.id),
                let original = Digest(hexadecimal: header.original),
                VariantFileName(
                    header, id: id, owner: VariantOwner(poster, digest: original), length: name.length) == name
            else { return .damaged("the name does not match the header") }
            return .sound
        } catch {
            switch error {
            case .absent: return .gone
            case .outdated: return .outdated
            case .damaged(let reason): return .damaged(reason)
            case .unreadable(let error): return .unusable("\(error)")
            }
        }
    }
}

extension VariantStoreCheck.Report {
    fileprivate mutating func add(_ finding: VariantStoreCheck.Finding, _ name: VariantFileName, path: String) {
        if case .gone = finding { return }
        self.checked += 1
        switch finding {
        case .sound:
            self.sound += 1
            self.bytes += name.space
        case .outdated: self.outdated += 1
        case .damaged(let reason):
            self.damaged += 1
            self.note("\(path): \(reason)")
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

extension DiskVariantStore {
    /// Reads every variant while others are served.
    /// - Parameters:
    ///   - repairing: Whether damaged, outdated and incomplete files are removed, or only counted.
    ///   - progress: Called sequentially after each file.
    /// - Throws: ``FileError``, `PosterError`, `CancellationError`; completed steps are not undone.
    package func verify(
        repairing: Bool = true, progress: @escaping @Sendable (StoreCheck.Progress) -> Void = { _ in }
    ) async throws -> VariantStoreCheck.Report {
        let report = try await VariantStoreCheck(store: self, isRepairing: repairing).run(progress)
        if repairing { try await self.settle() }
        return report
    }
}
