import Foundation
import Glibc
import OneSheetConfiguration
import PosterTesting
import Testing

@testable import OneSheetServer

/// Checks of the machine: limits, folders, disk, clock.
struct MachineCheckTests {
    private let folder = TemporaryFolder()

    private static func configuration(_ options: [String: String] = [:]) throws -> ServeConfiguration {
        try ConfigurationSource(commandLine: options.mapValues { [$0] }, environment: [:]).read().configuration
    }

    @Test(
        "limits are compared with the budgets",
        arguments: [
            (4096, 1 << 40, nil, [CheckResult.Outcome.warning, .ok, .ok]),
            (1 << 20, 300 << 20, 10, [.ok, .warning, .warning]),
            (100, 200 << 20, 4, [.failure, .failure, .failure]),
        ] as [(Int, Int, Int?, [CheckResult.Outcome])])
    func limits(descriptors: Int, memory: Int, tasks: Int?, expected: [CheckResult.Outcome]) throws {
        let configuration = try Self.configuration(["codec-threads": "2", "memory-budget": "256MiB"])
        let limits = LimitChecks.Limits(
            descriptors: DescriptorLimit(initial: descriptors, current: descriptors), memory: memory, tasks: tasks)
        let results = LimitChecks(configuration: configuration).results(limits)
        #expect(results.map(\.subject) == ["open files", "memory", "processes"])
        #expect(results.map(\.outcome) == expected, "\(results)")
    }

    @Test func aFolderThatExistsOrCanBeMadeIsGood() {
        // The umask may let groups write. The space of the machine is not known here.
        chmod(self.folder.path, 0o700)
        let made = FolderCheck(path: self.folder.path, budget: 0).results()
        #expect(made[0].outcome == .ok && made[0].text == "The folder exists and can be written.", "\(made)")
        let missing = FolderCheck(path: self.folder.path + "/a/b", budget: 0).results()
        #expect(missing[0].outcome == .ok && missing[0].text.contains("will create it in \(self.folder.path)"))
        #expect(self.folder.files == [])
    }

    @Test func aFolderOnAFileSystemWithoutSpaceIsNotSaidToBeCreated() {
        let results = FolderCheck(path: "/proc/none/data", budget: 0).results()
        #expect(results.allSatisfy { $0.outcome == .failure } && !results.isEmpty, "\(results)")
    }

    @Test func aFileIsNoDataDirectory() throws {
        let path = self.folder.path + "/file"
        try Data().write(to: URL(filePath: path))
        let results = FolderCheck(path: path, budget: 0).results()
        #expect(results.map(\.outcome) == [.failure] && results[0].text.contains("is not a folder"))
    }

    @Test func aFolderThatOthersCanWriteToIsAWarning() {
        chmod(self.folder.path, 0o777)
        let results = FolderCheck(path: self.folder.path, budget: 0).results()
        #expect(results[0].outcome == .warning && results[0].text.contains("chmod 700"))
    }

    @Test(
        "free space is compared with the budgets",
        arguments: [
            (1 << 20, 0, .failure), (1 << 30, 0, .warning), (1 << 30, 8 << 30, .ok),
            (11 << 30, 0, .ok), (1 << 30, nil, .skipped), (11 << 30, nil, .ok), (1 << 20, nil, .failure),
        ] as [(Int, Int?, CheckResult.Outcome)])
    func space(free: Int, used: Int?, expected: CheckResult.Outcome) {
        let result = FolderCheck(path: "/data", budget: 8 << 30).space(free: free, used: used)
        #expect(result.outcome == expected)
        #expect(result.text.contains("not counted") == (used == nil && expected != .failure))
    }

    @Test func spaceAndBudgetsAsLargeAsNumbersAreCompared() throws {
        let configuration = try Self.configuration(["disk-budget": "8589934591GiB", "variant-disk-budget": "8GiB"])
        let result = FolderCheck(configuration).space(free: .max, used: 0)
        #expect(result.outcome == .ok && result.text.hasPrefix("8589934592.0 GiB are free"), "\(result)")
    }

    @Test func storedFilesAreCountedThroughALinkAndWithinATime() throws {
        let (root, link) = (self.folder.path + "/data", self.folder.path + "/link")
        try FileManager.default.createDirectory(atPath: root + "/a/b", withIntermediateDirectories: true)
        for name in ["/one", "/a/b/two"] { try Data(count: 100_000).write(to: URL(filePath: root + name)) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: root)
        let used = try #require(FolderCheck(path: link, budget: 0).usedBytes())
        #expect(used == FolderCheck(path: root, budget: 0).usedBytes())
        var readings = [0, FolderCheck.countingTime].makeIterator()
        let late = FolderCheck(path: link, budget: 0).usedBytes { readings.next() ?? .max }
        #expect(late == nil)
        #expect(FolderCheck(path: root + "/one", budget: 0).usedBytes() == nil)
        #expect(FolderCheck(path: self.folder.path + "/none", budget: 0).usedBytes() == 0)
    }

    @Test func theDiskIsMeasuredWithoutAFileThatStays() throws {
        let result = try #require(DiskCheck(path: self.folder.path).results().last)
        let isMeasured = result.text.hasPrefix("A write is durable after ") && result.outcome != .failure
        // Some file systems have no files without a name.
        #expect(isMeasured || result.text.contains("no temporary file can be made"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.folder.path) == [])
        let check = DiskCheck(path: "/data")
        #expect(check.result([1, 2, 3]).text == "A write is durable after 2.0 ms, at most 3.0 ms.")
        #expect(check.result([DiskCheck.slow + 1]).outcome == .warning)
    }

    @Test("a slow disk gets fewer writes", arguments: [(1, DiskCheck.rounds), (1000, 3), (9000, 1)] as [(UInt64, Int)])
    func slowDisk(milliseconds: UInt64, rounds: Int) throws {
        var (time, count) = (UInt64(0), 0)
        let measured = DiskCheck.milliseconds(now: { time }) {
            time += milliseconds * 1_000_000
            count += 1
            return true
        }
        #expect(measured == [Double](repeating: Double(milliseconds), count: rounds) && count == rounds)
        let outcome = DiskCheck(path: "/data").result(try #require(measured)).outcome
        #expect(outcome == (milliseconds > 50 ? .warning : .ok))
        let failed = DiskCheck.milliseconds(now: { time }) { false }
        #expect(failed == nil)
    }

    @Test func fileSystemsOfNetworksAndOfMemoryAreRecognised() {
        let mounts = """
            36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw
            37 35 0:41 / /srv rw - nfs4 server:/srv rw
            """
        #expect(DiskCheck.fileSystem(device: "98:0", in: mounts) == "ext3")
        #expect(DiskCheck.fileSystem(device: "0:41", in: mounts) == "nfs4")
        #expect(DiskCheck.fileSystem(device: "0:4", in: mounts) == nil)
        #expect(DiskCheck.advice(fileSystem: "ext3") == nil)
        #expect(DiskCheck.advice(fileSystem: "nfs4")?.contains("network") == true)
        #expect(DiskCheck.advice(fileSystem: "tmpfs")?.contains("lost") == true)
    }

    @Test(
        "a wrong clock is a warning, and a failure from five minutes on",
        arguments: [(0, .ok), (-5, .ok), (6, .warning), (-300, .warning), (301, .failure)]
            as [(Int64, CheckResult.Outcome)])
    func clock(seconds: Int64, expected: CheckResult.Outcome) {
        let result = ClockCheck.result(seconds, "https://a.test:443")
        #expect(result.outcome == expected)
        if seconds < -5 { #expect(result.text.contains("behind https://a.test:443")) }
    }

    @Test(
        "options about proxies have to agree",
        arguments: [
            ([:], []),
            (["public-url": "https://a.test"], ["--trusted-proxy"]),
            (["public-url": "https://a.test", "trusted-proxy": "10.0.0.1"], []),
            (["trusted-proxy": "10.0.0.1"], ["--public-url"]),
            (["trusted-proxy": "10.0.0.1", "public-url": "http://a.test"], ["--public-url"]),
            (["trusted-proxy": "unix", "public-url": "https://a.test"], ["--trusted-proxy"]),
        ] as [([String: String], [String])])
    func proxies(options: [String: String], subjects: [String]) throws {
        let results = ProxyCheck(configuration: try Self.configuration(options)).results
        #expect(results.filter { $0.outcome == .warning }.map(\.subject) == subjects, "\(results)")
        #expect(!results.isEmpty && results.allSatisfy { $0.outcome != .failure })
    }
}
