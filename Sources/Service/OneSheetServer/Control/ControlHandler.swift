import ClusterState
import HTTPSemantics
import OneSheetConfiguration
package import PosterAPI
import PosterOrigins
import PosterPipeline
import RedisClient

/// Executes control requests, in the server's process or, without a server, in the command's.
package struct ControlHandler: Sendable {
    let dependencies: ServerDependencies
    let policies: ReloadablePicturePolicy
    /// Whether this process serves the variants that it renders; false in a command, which only fetches originals.
    var servesVariants = true
    var node: NodeStatus?

    package init(dependencies: ServerDependencies, policies: ReloadablePicturePolicy, servesVariants: Bool = true) {
        self.dependencies = dependencies
        self.policies = policies
        self.servesVariants = servesVariants
    }

    @Sendable
    package func handle(
        _ request: ControlRequest, emit: @escaping @Sendable (ControlEvent) async throws -> Void
    ) async throws {
        switch request {
        case .purge(let ids): try await self.purge(ids, emit)
        case .verify(let repair): try await self.verify(repair, emit)
        case .warm(let ids, let widths, let formats):
            let widths = widths.isEmpty ? [self.policies.policy.usualWidth] : widths
            try await self.warm(WarmRequest(ids: ids, widths: widths, formats: formats.isEmpty ? nil : formats), emit)
        case .status(let all): try await self.status(all, emit)
        }
    }

    private func purge(_ texts: [String], _ emit: ControlServer.Emit) async throws {
        var ids: [PosterID] = []
        for text in texts {
            do throws(PosterID.Malformed) {
                ids.append(try PosterID(text).normal())
            } catch {
                throw Refusal("the id '\(text)' is not [source:]key: \(error.reason)")
            }
        }
        var (done, stored, waiting) = (0, 0, 0)
        var failures: [String] = []
        try await self.dependencies.pipeline.purgeEverywhere(ids) { id, result in
            switch result {
            case .success(let outcome):
                // Originals of a source that is no longer configured may still be stored.
                if outcome.wasStored {
                    stored += 1
                } else if let failure = self.dependencies.locator.sourceFailure(of: id) {
                    failures.append("\(id): \(failure)")
                }
                if outcome.publication == .waiting { waiting += 1 }
            case .failure(let error): failures.append("\(id): \(error)")
            }
            done += 1
            try await emit(.progress(done: done, total: ids.count, note: id.description))
        }
        let known = ids.count - failures.count
        var summary = ["purged": stored, "unknown": known - stored]
        var text =
            known == 0
            ? "nothing is purged"
            : stored == 0
                ? "no original was stored; variants and cached failures are purged"
                : "\(stored) of \(known) had a stored original; all are purged"
        if !failures.isEmpty {
            summary["failed"] = failures.count
            text += "; \(failures.count) failed"
        }
        if waiting > 0 {
            summary["waiting"] = waiting
            text += "; \(waiting) will be purged on other nodes once these are reached"
        }
        try await emit(.finished(summary: summary, text: ([text] + failures).joined(separator: "\n  ")))
    }

    private func status(_ all: Bool, _ emit: ControlServer.Emit) async throws {
        guard let node else { throw Refusal("no server holds the data directory") }
        let record = node.record
        var report = StatusReport(node: record, writtenAt: record.seenAt)
        if all {
            do {
                report.nodes = try await self.dependencies.nodes(node)?.nodes()
                if report.nodes == nil { report.missingNodes = "other nodes are known only with --redis" }
            } catch let failure as RedisFailure {
                report.missingNodes = "\(failure)"
            }
            report.nodes = StatusReport.nodes(report.nodes ?? [], with: record)
        }
        try await emit(.report(json: try JSONLine.encode(report)))
    }

    private func verify(_ repair: Bool, _ emit: @escaping ControlServer.Emit) async throws {
        let originals = try await Self.reporting(emit) { tell in
            try await self.dependencies.store.verify(repairing: repair, progress: tell)
        }
        let variants = try await Self.reporting(emit) { tell in
            try await self.dependencies.variantStore.verify(repairing: repair, progress: tell)
        }
        var text = originals.text(isRepaired: repair) + "\n" + variants.text(isRepaired: repair)
        var summary = originals.summary.merging(variants.summary) { $1 }
        if let store = self.dependencies.sharedStore {
            let shared = try await Self.reporting(emit) { tell in
                try await store.verify(repairing: repair, progress: tell)
            }
            text += "\n" + shared.text(isRepaired: repair)
            summary.merge(shared.summary) { $1 }
        }
        try await emit(.finished(summary: summary, text: text))
    }

    private static func reporting<Report: Sendable>(
        _ emit: @escaping ControlServer.Emit,
        _ check: @escaping @Sendable (_ tell: @escaping @Sendable (StoreCheck.Progress) -> Void) async throws -> Report
    ) async throws -> Report {
        // A check reports progress synchronously and must not wait for the socket.
        let (steps, continuation) = AsyncStream.makeStream(
            of: StoreCheck.Progress.self, bufferingPolicy: .bufferingNewest(1))
        let report = try await withThrowingTaskGroup(of: Report?.self) { group in
            group.addTask {
                defer { continuation.finish() }
                return try await check { continuation.yield($0) }
            }
            group.addTask {
                for await step in steps {
                    try await emit(.progress(done: step.checked, total: step.total, note: nil))
                }
                return nil
            }
            var report: Report?
            while let result = try await group.next() { report = result ?? report }
            return report
        }
        guard let report else { throw CancellationError() }
        return report
    }

    private func warm(_ request: WarmRequest, _ emit: @escaping ControlServer.Emit) async throws {
        var requests: [PosterRequest]
        do throws(Problem) {
            requests = try request.requests(self.policies)
        } catch {
            throw Refusal(error.detail)
        }
        if !self.servesVariants {
            // One request per poster.
            var known: Set<PosterID> = []
            requests = requests.filter { known.insert($0.id).inserted }
                .map { PosterRequest(id: $0.id, rendition: .original) }
        }
        let total = requests.count
        let outcome = try await self.dependencies.warmer.run(requests) { done in
            try await emit(.progress(done: done, total: total, note: nil))
        }
        let noun = self.servesVariants ? "variant" : "original"
        let text = "\(counted(outcome.made, noun)) made, \(outcome.cached) already present, \(outcome.failed) failed"
        let summary = ["made": outcome.made, "cached": outcome.cached, "failed": outcome.failed]
        let lines = [text] + outcome.failures.map { id, error in "\(id): \(error)" }.sorted()
        try await emit(.finished(summary: summary, text: lines.joined(separator: "\n  ")))
    }

    /// An invalid request, described for the command.
    struct Refusal: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

/// A count with its noun, such as `1 original` or `2 originals`.
private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension SharedStoreCheck.Report {
    fileprivate var summary: [String: Int] {
        [
            "shared": self.checked, "sharedSound": self.sound, "sharedDamaged": self.damaged,
            "sharedUnusable": self.unusable, "sharedForeign": self.foreign, "sharedBytes": Int(self.bytes),
        ]
    }

    fileprivate func text(isRepaired: Bool) -> String {
        if self.checked == 0, self.foreign == 0, self.isFlawless { return "the shared store is empty" }
        var text =
            "\(counted(self.checked, "object")) of the shared store read, \(self.sound) sound, \(ByteCount.describe(Int(self.bytes)))"
        if !self.isFlawless {
            text +=
                "; \(isRepaired ? "deleted" : "found"): \(self.damaged) damaged; left alone: \(self.unusable) "
                + "unreadable or over a limit"
        }
        if self.foreign > 0 { text += "; \(self.foreign) with other keys" }
        for reason in self.reasons { text += "\n  " + reason }
        return text
    }
}

extension StoreCheck.Report {
    fileprivate var summary: [String: Int] {
        [
            "checked": self.checked, "sound": self.sound, "damaged": self.damaged, "unusable": self.unusable,
            "unknown": self.unknown, "missing": self.missing, "leftovers": self.leftovers, "bytes": Int(self.bytes),
        ]
    }

    fileprivate func text(isRepaired: Bool) -> String {
        if self.checked == 0, self.isFlawless { return "no original is stored" }
        var text =
            "\(counted(self.checked, "original")) read, \(self.sound) sound, \(ByteCount.describe(Int(self.bytes)))"
        if !self.isFlawless {
            text +=
                "; \(isRepaired ? "repaired" : "found"): \(self.damaged) damaged, \(self.unknown) unknown to the index, "
                + "\(self.missing) missing, \(self.leftovers) half written; left alone: \(self.unusable) unreadable or "
                + "over a limit"
        }
        for reason in self.reasons { text += "\n  " + reason }
        return text
    }
}

extension VariantStoreCheck.Report {
    fileprivate var summary: [String: Int] {
        [
            "variants": self.checked, "variantsSound": self.sound, "variantsDamaged": self.damaged,
            "variantsOutdated": self.outdated, "variantsUnusable": self.unusable, "variantLeftovers": self.leftovers,
            "variantBytes": self.bytes,
        ]
    }

    fileprivate func text(isRepaired: Bool) -> String {
        if self.checked == 0, self.isFlawless { return "no variant is stored" }
        var text = "\(counted(self.checked, "variant")) read, \(self.sound) sound, \(ByteCount.describe(self.bytes))"
        if !self.isFlawless {
            text +=
                "; \(isRepaired ? "removed" : "found"): \(self.damaged) damaged, \(self.outdated) of another version, "
                + "\(self.leftovers) half written; left alone: \(self.unusable) unreadable"
        }
        for reason in self.reasons { text += "\n  " + reason }
        return text
    }
}
