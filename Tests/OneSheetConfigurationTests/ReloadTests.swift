import Foundation
import Logging
import PosterTesting
import Synchronization
import Testing

@testable import OneSheetConfiguration

struct ReloadTests {
    private let folder = TemporaryFolder()
    private var path: String { self.folder.path + "/onesheet.yaml" }

    private func write(_ lines: String...) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: self.path))
    }

    @Test func nothingIsAppliedUnlessEverythingCanBe() throws {
        try self.write("log-level: info")
        let source = ConfigurationSource(commandLine: ["config": [self.path]], environment: [:])
        let probe = Probe()
        let settings = try source.read().settings
        let reload = Reload(settings, source: source, logger: Logger(label: "test"), preparation: probe.preparation)
        try self.write("log-level: debug", "max-age: 1")
        #expect(throws: Probe.Unreadable.self) { try reload.apply() }
        #expect(probe.applied.isEmpty)

        probe.repair()
        #expect(try reload.apply() == Reload.Outcome(applied: ["log-level"], postponed: ["max-age"]))
        #expect(probe.applied == [.logLevel, .origins, .certificate, .pictures])
        // An applied change is not repeated; a postponed one remains postponed.
        #expect(try reload.apply() == Reload.Outcome(applied: [], postponed: ["max-age"]))
        // If a part cannot apply a change, its options are postponed to the next start.
        try self.write("log-level: debug", "admin-token-file: /tmp/none")
        #expect(try reload.apply() == Reload.Outcome(applied: [], postponed: ["admin-token-file"]))
    }

    /// Records applied parts; one of them may be broken.
    private final class Probe: Sendable {
        private struct State {
            var isBroken = true
            var applied: [ReloadablePart] = []
        }

        private let state = Mutex(State())

        var isBroken: Bool { self.state.withLock { $0.isBroken } }
        var applied: [ReloadablePart] { self.state.withLock { $0.applied } }

        struct Unreadable: Error {}

        func preparation(of part: ReloadablePart) -> Reload.Preparation {
            { _ in
                if part == .origins, self.isBroken { throw Unreadable() }
                if part == .adminToken { return nil }
                return { self.note(part) }
            }
        }

        func repair() {
            self.state.withLock { $0.isBroken = false }
        }

        private func note(_ part: ReloadablePart) {
            self.state.withLock { $0.applied.append(part) }
        }
    }
}
