import Foundation
import PosterTesting
import Testing

@testable import OneSheetConfiguration

struct MemoryLimitTests {
    private let root = TemporaryFolder()

    private func write(_ text: String, to path: String) throws {
        let url = URL(filePath: self.root.path + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private var limit: Int? { MemoryLimit.current(root: self.root.path) }

    @Test func theMachinesMemoryIsTheLimitWhereNothingElseIs() throws {
        #expect(self.limit == nil)
        try self.write("MemFree: 1 kB\nMemTotal:       16316412 kB\n", to: "/proc/meminfo")
        #expect(self.limit == 16_316_412 * 1024)
        try self.write("0::/app\n", to: "/proc/self/cgroup")
        try self.write("max\n", to: "/sys/fs/cgroup/app/memory.max")
        #expect(self.limit == 16_316_412 * 1024)
    }

    @Test func theSmallestLimitFromTheGroupUpwardsCounts() throws {
        try self.write("MemTotal: 16000000 kB\n", to: "/proc/meminfo")
        try self.write("0::/pod/app:v1\n", to: "/proc/self/cgroup")
        try self.write("1073741824\n", to: "/sys/fs/cgroup/pod/app:v1/memory.max")
        #expect(self.limit == 1 << 30)
        try self.write("536870912\n", to: "/sys/fs/cgroup/pod/memory.max")
        #expect(self.limit == 512 << 20)
        try self.write("268435456\n", to: "/sys/fs/cgroup/memory.max")
        #expect(self.limit == 256 << 20)
    }

    @Test("a container sees the host's path, or dots, and its own limit at the top", arguments: ["/a/b", "/../../x"])
    func container(path: String) throws {
        try self.write("0::\(path)\n", to: "/proc/self/cgroup")
        try self.write("1048576\n", to: "/sys/fs/cgroup/memory.max")
        #expect(self.limit == 1 << 20)
    }

    @Test func versionOneIsReadToo() throws {
        try self.write("MemTotal: 16000000 kB\n", to: "/proc/meminfo")
        try self.write("5:cpu,cpuacct:/x\n4:memory:/docker/1\n0::/\n", to: "/proc/self/cgroup")
        // Version 1's value for no limit.
        try self.write("9223372036854771712\n", to: "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes")
        #expect(self.limit == 16_000_000 * 1024)
        try self.write("1073741824\n", to: "/sys/fs/cgroup/memory/memory.limit_in_bytes")
        #expect(self.limit == 1 << 30)
    }

    @Test func processesHaveTheSmallestLimitOfTheGroups() throws {
        #expect(TaskLimit.current(root: self.root.path) == nil)
        try self.write("0::/pod/app\n", to: "/proc/self/cgroup")
        try self.write("max\n", to: "/sys/fs/cgroup/pod/app/pids.max")
        #expect(TaskLimit.current(root: self.root.path) == nil)
        try self.write("512\n", to: "/sys/fs/cgroup/pod/pids.max")
        #expect(TaskLimit.current(root: self.root.path) == 512)
        try self.write("7:pids:/docker/1\n4:memory:/docker/2\n0::/pod/app\n", to: "/proc/self/cgroup")
        try self.write("100\n", to: "/sys/fs/cgroup/pids/docker/1/pids.max")
        #expect(TaskLimit.current(root: self.root.path) == 100)
    }

    @Test func countsUpToTheLargestNumberAreDescribedAndAdded() {
        #expect(ByteCount.describe(.max) == "8589934592.0 GiB")
        let texts = [1023, 1024, 1_048_575, 2_202_009].map(ByteCount.describe)
        #expect(texts == ["1023 B", "1.0 KiB", "1024.0 KiB", "2.1 MiB"])
        #expect(ByteCount.sum([.max, 1]) == .max && ByteCount.sum([1, 2]) == 3)
    }

    @Test func thisMachineHasALimit() throws {
        let limit = try #require(MemoryLimit.current())
        #expect(limit > 0)
    }

    @Test(
        "budgets are bytes or a part of the limit",
        arguments: [
            ("25%", 250), ("100%", 1000), ("0 %", 0), ("12", 12), ("101%", nil), ("%", nil), ("-5%", nil),
            ("2.5%", nil),
            ("lots", nil), ("٣%", nil),
        ])
    func budgets(text: String, expected: Int?) {
        let budget = MemoryLimit.parse(text, available: { 1000 })
        #expect(budget == expected)
        let unknown = MemoryLimit.parse("25%", available: { nil })
        #expect(unknown == nil)
    }

    @Test(
        "decoded planes have a part of the memory budget, and variants the rest",
        arguments: [
            (nil, nil, 12 * ((256 << 20) / 100)), ("1000", nil, 120), ("1000", "5%", 50), ("1000", "999", 999),
            ("1000", "99%", 990), ("1000", "0", 0), ("1000", "0%", 0), ("0", nil, 0), ("0", "0", 0), ("10", nil, 0),
            ("1GiB", "32MiB", 32 << 20),
        ] as [(String?, String?, Int)])
    func planes(memory: String?, planes: String?, bytes: Int) throws {
        var options: [String: [String]] = [:]
        options["memory-budget"] = memory.map { [$0] }
        options["planes-budget"] = planes.map { [$0] }
        let configuration = try ServeConfiguration(Settings(options, environment: [:]))
        #expect(configuration.planesBudget == bytes)
        #expect(configuration.variantsBudget == configuration.memoryBudget - bytes)
        let parts = MemoryBudgets(configuration).parts
        #expect(parts.first { $0.name == "decoded planes" }?.bytes == bytes)
        #expect(parts.first { $0.name == "variants" }?.bytes == configuration.memoryBudget - bytes)
    }

    @Test(
        "planes may not have the whole budget, nor more",
        arguments: [("1000", "1000"), ("1000", "100%"), ("1000", "1MiB"), ("0", "1"), ("1000", "-1"), ("1000", "some")])
    func excessivePlanes(memory: String, planes: String) {
        let settings = Settings(["memory-budget": [memory]], environment: ["ONESHEET_PLANES_BUDGET": planes])
        let error = #expect(throws: SettingError.self) { try ServeConfiguration(settings) }
        #expect(error?.option == "planes-budget" && error?.value == planes)
        #expect(error?.allowed.hasSuffix("0, or less than that option's \(memory) bytes") == true)
    }
}
